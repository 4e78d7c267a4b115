import { expect, test } from "vitest";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import { planFromAssumptions, planFromPilot } from "../../../evals/compare/plan-comparison.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { clusteredSize, pilotSafety } from "../../../evals/statistics/sample-size.ts";
import { renderComparisonPlan } from "../../../src/app/cli/render/comparison-plan.ts";
import { choice } from "../benchmarks/fixtures.ts";

/** A run over one question per video; `letters` are its answers, and A is right. */
function run(name: string, letters: string): Results {
  const samples = [...letters].map((_, place) => ({
    ...choice("ABC"),
    id: `s${place}`,
    video: `v${place}.mp4`,
    row: { video: "v", question: "q", options: ["(A) x", "(B) y"], correctAnswer: "(A)" },
  }));
  return {
    name,
    benchmark: mmrV,
    samples,
    said: samples.map((sample, place) => ({
      sample,
      epoch: 1,
      reply: `[[${letters[place]}]]`,
      why: "",
      line: null,
    })),
    epochs: 1,
    missing: 0,
    skipped: 0,
    data: { hash: "d", subset: "mcq" },
    unknownGroups: [],
    notes: [],
    header: null,
  };
}

const FIRST = run("first", "AAAAAAAAAAAAAAABBBBBBBBBAAAAAA");
const SECOND = run("second", "AAAAAAAAAAAABBBAAAAAABBBAAAAAA");

test("a pilot with one question per video plans both tests", () => {
  const plan = planFromPilot([FIRST, SECOND], "accuracy", { differences: [0.1, 0.2] });
  expect(plan.spread).toMatchObject({ questions: 30, videos: 30, binary: true, correlation: null });
  expect(plan.spread.square).toBeCloseTo(9 / 30);
  const [small, large] = plan.sizes;
  // Normal approximation: (1.96 + 0.84)^2 * (0.3 - 0.01) / 0.01 = 228.
  expect(small?.clustered?.questions).toBeGreaterThan(225);
  expect(small?.clustered?.questions).toBeLessThan(236);
  expect(small?.cautious?.questions).toBeGreaterThan(small?.clustered?.questions ?? 0);
  expect(small?.mcnemar).toBeGreaterThan(small?.clustered?.questions ?? 0);
  expect(large?.clustered?.questions).toBeLessThan(60);
  expect(small?.simulated?.power).toBeGreaterThan(0.7);
});

test("a pilot of one video plans for both limits of the correlation, and names them", () => {
  const one = (given: Results): Results => {
    const cluster = (sample: Results["samples"][number]) => ({ ...sample, video: "v.mp4" });
    return {
      ...given,
      samples: given.samples.map(cluster),
      said: given.said.map((said) => ({ ...said, sample: cluster(said.sample) })),
    };
  };
  const pilot = [one(FIRST), one(SECOND)] as const;
  const plan = planFromPilot(pilot, "accuracy", { differences: [0.1] });
  const [size] = plan.sizes;
  const limit = (correlation: number) =>
    planFromAssumptions(
      { discordant: 0.3, correlation },
      { differences: [0.1], questionsPerVideo: 30 },
    ).sizes[0]?.clustered;
  expect(size).toMatchObject({ clustered: null, cautious: null });
  expect(size?.range).toEqual({ correlation_0: limit(0), correlation_1: limit(1) });
  expect(limit(1)?.videos).toBeGreaterThan(10 * (limit(0)?.videos ?? Number.NaN));
  const text = renderComparisonPlan(plan);
  expect(text).toContain("30 questions on 1 video; 30.00 % of the questions score differently");
  expect(text).toContain("correlation within a video: n too small (one video).");
  expect(text).toMatch(/^points +correlation 0: videos +questions +correlation 1: videos/m);
  // With one question for each video, the correlation does not matter.
  const single = planFromPilot(pilot, "accuracy", { differences: [0.1], questionsPerVideo: 1 });
  expect(single.sizes[0]).toMatchObject({ range: null, clustered: { videos: limit(1)?.videos } });
});

test("a pilot whose videos have different numbers of questions plans with these", () => {
  // One video has every third question: 10 of 30, and each of ten others has 2.
  const crowded = (given: Results): Results => {
    const at = ({ id, ...sample }: Results["samples"][number]) => {
      const place = Number(id.slice(1));
      const video = place % 3 === 0 ? "v.mp4" : `v${Math.floor(place / 3)}.mp4`;
      return { ...sample, id, video };
    };
    return {
      ...given,
      samples: given.samples.map(at),
      said: given.said.map((said) => ({ ...said, sample: at(said.sample) })),
    };
  };
  const pilot = [crowded(FIRST), crowded(SECOND)] as const;
  const { spread, sizes } = planFromPilot(pilot, "accuracy", { differences: [0.1] });
  expect(spread).toMatchObject({ questions: 30, videos: 11, unmeasured: null });
  expect(spread.size).toBeCloseTo((10 * 10 + 10 * 2 * 2) / 30);
  const target = { difference: 0.1 };
  const { size } = spread;
  expect(sizes[0]?.clustered).toEqual(clusteredSize(spread, target, 30 / 11, { size }));
  const safety = pilotSafety(11) ?? Number.NaN;
  expect(sizes[0]?.cautious).toEqual(clusteredSize(spread, target, 30 / 11, { size, safety }));
  // Videos of one size each.
  const given = planFromPilot(pilot, "accuracy", { differences: [0.1], questionsPerVideo: 3 });
  expect(given.sizes[0]?.clustered).toEqual(clusteredSize(spread, target, 3));
});

test("a pilot whose questions all differ by the same part of the score is refused", () => {
  const twice = (first: Results, second: Results): Results => ({
    ...{ ...first, epochs: 2 },
    said: [...first.said, ...second.said.map((said) => ({ ...said, epoch: 2 }))],
  });
  const [right, wrong] = [run("right", "A".repeat(6)), run("wrong", "B".repeat(6))];
  expect(() =>
    planFromPilot([twice(wrong, wrong), twice(wrong, right)], "accuracy", { differences: [0.1] }),
  ).toThrow(/every question differs by the same part of the score/);
});

test("several comparisons share the level", () => {
  const one = planFromAssumptions(
    { discordant: 0.3, correlation: 0 },
    { differences: [0.1], comparisons: 1 },
  );
  const three = planFromAssumptions(
    { discordant: 0.3, correlation: 0 },
    { differences: [0.1], comparisons: 3 },
  );
  expect(three.alpha).toBeCloseTo(0.05 / 3);
  expect(three.sizes[0]?.clustered?.questions).toBeGreaterThan(
    one.sizes[0]?.clustered?.questions ?? 0,
  );
});

test.for([
  ["the same scores", SECOND, SECOND, /same score in both/],
  ["other data", FIRST, { ...SECOND, data: { hash: "e", subset: "mcq" } }, /different data files/],
  ["other questions", FIRST, { ...SECOND, said: [], samples: [] }, /no question in common/],
] as const)("a pilot with %s is refused", ([, a, b, message]) => {
  expect(() => planFromPilot([a, b as Results], "accuracy", { differences: [0.1] })).toThrow(
    message,
  );
});
