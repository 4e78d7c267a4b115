import { expect, test } from "vitest";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { studyFrontier } from "../../../evals/frontier/frontier.ts";
import { frontierReport } from "../../../evals/frontier/report.ts";
import { spendingOf, spread } from "../../../evals/frontier/spending.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { renderFrontier } from "../../../src/app/cli/render/frontier.ts";
import { seeded } from "../../../src/core/random.ts";
import { reportPage } from "../../../src/pages/report.ts";
import { QUESTIONS, rightOn, run } from "./fixtures.ts";

test("spending counts every sending, and recognition can be shared by the questions on a video", () => {
  const { said } = run("rrd", { strategy: "rrd", frames: 30, indexed: 24, right: rightOn(1) });
  const spending = spendingOf(said);
  expect(spending).toMatchObject({
    total: { frames: 30, tokens: 3020, dollars: expect.closeTo(0.01) },
    index: { frames: 24, tokens: 2410 },
    distinct_frames: 2,
  });
  if (spending === null) return;
  expect(spread(spending, "frames", 4)).toBe(6 + 24 / 4);
  expect(spread(spending, "dollars", 1e9)).toBeCloseTo((0.01 * 610) / 3020, 6);
});

test("a run is dominated only by a cheaper one that the paired test finds better", () => {
  const found = studyFrontier(
    [
      run("direct-32", { strategy: "direct", frames: 32, right: rightOn(0.55) }),
      run("direct-8", { strategy: "direct", frames: 8, right: rightOn(0.5) }),
      run("rrd-64", { strategy: "rrd", frames: 64, right: rightOn(0.2) }),
      run("agent-40", { strategy: "agent", frames: 40, right: rightOn(0.54) }),
    ],
    { budget: "frames", target: 0.52 },
  );
  expect(found.points.map(({ run: name, spent }) => [name, spent])).toEqual([
    ["direct-8", 8],
    ["direct-32", 32],
    ["agent-40", 40],
    ["rrd-64", 64],
  ]);
  const [small, large, agent, rrd] = found.points;
  expect(small).toMatchObject({ on_frontier: true, dominated_by: [] });
  expect(large).toMatchObject({ on_frontier: true, dominated_by: [] });
  // A point below by chance is not dominated.
  expect(agent).toMatchObject({ on_frontier: false, dominated_by: [] });
  expect(rrd?.dominated_by.map(({ run: name }) => name)).toEqual([
    "direct-8",
    "direct-32",
    "agent-40",
  ]);
  expect(rrd?.dominated_by[0]?.p_holm).toBeLessThan(0.05);
  // No two strategies have several budgets.
  expect(found.range).toBeNull();
  expect(reportPage(frontierReport(found))).toContain("rrd (dominated)");
});

test("of runs with equal spending the most accurate comes first, in any order of the runs", () => {
  const good = run("good", { strategy: "direct", frames: 8, right: rightOn(0.9) });
  const bad = run("bad", { strategy: "direct", frames: 8, right: rightOn(0.2) });
  for (const runs of [
    [good, bad],
    [bad, good],
  ]) {
    const { points, choices } = studyFrontier(runs, { budget: "frames", target: 0.1 });
    expect(points).toMatchObject([
      { run: "good", on_frontier: true, dominated_by: [] },
      { run: "bad", on_frontier: false, dominated_by: [{ run: "good" }] },
    ]);
    expect(choices.map(({ run: name }) => name)).toEqual(["good", "good"]);
  }
});

test("spending is over the common questions, as accuracy is", () => {
  const short = run("short", { strategy: "direct", frames: 20, right: rightOn(0.5) });
  const cheap = run("cheap", { strategy: "direct", frames: 10, right: rightOn(0.2) });
  // Its other half costs ten times as much, in every unit.
  const dear = run("dear", { strategy: "direct", frames: 100, cost: 0.1, right: rightOn(0.2) });
  const half = QUESTIONS / 2;
  const runs = [
    { ...short, samples: short.samples.slice(0, half), said: short.said.slice(0, half) },
    { ...cheap, said: [...cheap.said.slice(0, half), ...dear.said.slice(half)] },
  ];
  for (const [budget, spent] of [
    ["frames", [10, 20]],
    ["tokens", [1010, 2010]],
  ] as const) {
    const { points, choices, common } = studyFrontier(runs, { budget, target: 0.1 });
    expect(common).toBe(half);
    expect(points.map((point) => [point.run, point.spent, point.on_frontier])).toEqual([
      ["cheap", spent[0], true],
      ["short", spent[1], true],
    ]);
    expect(choices).toMatchObject([{ spent: spent[0] }, { spent: spent[0] }]);
  }
  const { points } = studyFrontier(runs, { budget: "dollars" });
  for (const { spent } of points) expect(spent).toBeCloseTo(0.01);
});

test("failed samples count as wrong, are told, and do not make a run look cheaper", () => {
  const whole = run("whole", { strategy: "direct", frames: 16, right: rightOn(0.5) });
  const { said } = run("faulty", { strategy: "direct", frames: 20, right: rightOn(0.8) });
  const nothing = { calls: 0, frames: 0, input: 0, output: 0, cost: 0, paid: 0 };
  const failed = (one: (typeof said)[number]) => ({
    ...{ sample: one.sample, epoch: 1, reply: null, why: "timed out" },
    line: {
      ...(one.line as RunLine),
      ...{ status: "failed", calls: [], frames_s: [], usage: nothing },
      error: { kind: "timeout", message: "timed out" },
    } as unknown as RunLine,
  });
  const faulty: Results = {
    ...run("faulty", { strategy: "direct", frames: 20, right: rightOn(0.8) }),
    said: said.map((one, place) => (place % 2 === 0 ? failed(one) : one)),
  };
  const found = studyFrontier([faulty, whole], { budget: "frames" });
  expect(found.points.map(({ run: name, spent }) => [name, spent])).toEqual([
    ["whole", 16],
    ["faulty", 20],
  ]);
  expect(found.points[0]?.failed.count).toBe(0);
  expect(found.points[1]).toMatchObject({
    failed: { count: QUESTIONS / 2, of: QUESTIONS, by: { timeout: QUESTIONS / 2 } },
    accuracy: { mean: expect.closeTo(0.4), n: QUESTIONS },
  });
  const told = "faulty: 60 of 120 failed and count as wrong (timeout 60).";
  expect(renderFrontier(found).split("\n")).toContain(told);
  expect(frontierReport(found).parts[0]?.warnings).toEqual([told]);
  const broken: Results = { ...faulty, name: "broken", said: said.map(failed) };
  expect(studyFrontier([broken, faulty, whole], { budget: "dollars" }).left_out).toEqual([
    "broken",
  ]);
});

test("the cheapest run is chosen on one half of the videos and reported on the other", () => {
  const random = seeded("lucky");
  // Lucky on every second video: chosen there, it is less accurate on the others.
  const lucky = Array.from({ length: QUESTIONS }, () => random() < 0.5);
  const { choices } = studyFrontier(
    [
      run("cheap", { strategy: "direct", frames: 4, right: (place) => lucky[place] as boolean }),
      run("dear", { strategy: "direct", frames: 64, right: () => true }),
    ],
    { budget: "frames", target: 0.8 },
  );
  expect(choices).toHaveLength(2);
  for (const { run: name, chosen, reported, spent } of choices) {
    expect(name).toBe("dear");
    expect([chosen, reported?.mean, spent]).toEqual([1, 1, 64]);
    expect(reported?.n).toBe(QUESTIONS / 2);
  }
});

test("runs without a price are left out and named; a single one is refused", () => {
  const runs = [
    run("a", { strategy: "direct", frames: 8, right: rightOn(0.5) }),
    run("b", { strategy: "direct", frames: 16, right: rightOn(0.5) }),
    run("c", { strategy: "rrd", frames: 16, right: rightOn(0.5), cost: null }),
  ];
  expect(studyFrontier(runs, { budget: "dollars" }).left_out).toEqual(["c"]);
  expect(() => studyFrontier(runs.slice(1), { budget: "dollars" })).toThrow(
    /Not enough runs with known dollars \(1\): give at least two; c has none/,
  );
});

/** A run of three epochs; `orders`: number of right epochs of each question. */
function thirds(name: string, frames: number, right: readonly number[]): Results {
  const made = run(name, { strategy: "direct", frames, right: () => true });
  const samples = made.samples.slice(0, right.length);
  const said = [1, 2, 3].flatMap((epoch) =>
    samples.map((sample, place) => ({
      ...(made.said[place] as (typeof made.said)[number]),
      ...{ sample, epoch, reply: (right[place] ?? 0) >= epoch ? "[[A]]" : "[[B]]" },
    })),
  );
  return { ...made, samples, said, epochs: 3 };
}

test("equal accuracies are equal whatever the order of summation, to each other and to the target", () => {
  const scores = Array.from(
    { length: QUESTIONS },
    (_, place) => [0, 1, 2, 3, 1, 2][place % 6] ?? 0,
  );
  const sum = (of: readonly number[]) => of.reduce((total, right) => total + right / 3, 0);
  const sorted = scores.toSorted((a, b) => a - b);
  const reverse = sorted.toReversed();
  // What this test is about.
  expect(sum(sorted)).not.toBe(sum(reverse));
  const [low, high] = sum(sorted) < sum(reverse) ? [sorted, reverse] : [reverse, sorted];
  const found = studyFrontier([thirds("low", 8, low), thirds("high", 4, high)], {
    budget: "frames",
  });
  expect(found.points.map(({ on_frontier }) => on_frontier)).toEqual([true, true]);
  expect(frontierReport(found).parts[0]?.summary?.[0]).toBe(
    "high and low share the highest accuracy, 50.00 %: high with 4 frames per question. It is also the cheapest run.",
  );
  // Two of five epochs are 0.4 for each question, and less for their sum.
  const fifths = (name: string, frames: number, right: number): Results => {
    const made = run(name, { strategy: "direct", frames, right: () => true });
    return {
      ...made,
      epochs: 5,
      said: [1, 2, 3, 4, 5].flatMap((epoch) =>
        made.said.map((one) => ({ ...one, epoch, reply: epoch <= right ? "[[A]]" : "[[B]]" })),
      ),
    };
  };
  const { choices } = studyFrontier([fifths("x60", 8, 3), fifths("x40", 4, 2)], {
    budget: "frames",
    target: 0.4,
  });
  expect(choices.map(({ run: name }) => name)).toEqual(["x40", "x40"]);
});

test("a question in pairs spends what its pairs spend, and pairs of different scorers are refused", () => {
  const whole = run("pairs", { strategy: "rrd", frames: 10, indexed: 8, right: () => true });
  const inPairs = (results: Results, pairs: number): Results => {
    const samples = results.samples.map((sample, place) => {
      const question = `q${Math.floor(place / pairs)}`;
      return {
        ...sample,
        ...{ id: `${question}/${(place % pairs) + 1}`, video: `${question}.mp4`, pairs },
        options: sample.options.slice(0, 2),
        row: { ...sample.row, question_id: question },
      };
    });
    return {
      ...results,
      ...{ benchmark: videoMathQa, samples },
      said: results.said.map((one, place) => ({
        ...one,
        sample: samples[place] as (typeof samples)[number],
      })),
    };
  };
  const four = inPairs(whole, 4);
  expect(spendingOf(four.said)).toMatchObject({
    results: 4,
    total: { frames: 40, tokens: 4 * 1020, dollars: expect.closeTo(0.04) },
    index: { frames: 32 },
    distinct_frames: 2,
  });
  const spending = spendingOf(four.said);
  if (spending === null) return;
  expect(spread(spending, "frames", 1)).toBe(40);
  // One recognition of 8 pictures for 2 questions of 4 pairs.
  expect(spread(spending, "frames", 2)).toBe(8 + 8 / 2);
  // A question with a failed or a missing pair would look cheaper.
  const failed = four.said.map((one, place) =>
    place > 0
      ? one
      : { ...one, line: { ...one.line, usage: { frames: 0 }, error: {} } as unknown as RunLine },
  );
  expect(spendingOf(failed)?.total.frames).toBe(40);
  expect(spendingOf(four.said.slice(1))?.total.frames).toBe(40);
  expect(spendingOf(four.said.slice(0, 3))).toBeNull();
  const scored = (name: string, scorer: string): Results => ({
    ...four,
    name,
    benchmark: { ...videoMathQa, scorers: { choice: { name: scorer, settings: {} } } },
  });
  expect(() =>
    studyFrontier([scored("x", "exact"), scored("i", "includes")], { budget: "frames" }),
  ).toThrow(
    "Cannot compare i with x: their answers are scored in different ways (choice=includes, and choice=exact).",
  );
});
