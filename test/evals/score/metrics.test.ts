import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Benchmark } from "../../../evals/benchmarks/define-benchmark.ts";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import { vcrbench } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import { compareResults } from "../../../evals/compare/compare.ts";
import {
  disagreement,
  intervalWords,
  points,
  verdict,
} from "../../../evals/compare/contrast-words.ts";
import type { Contrast } from "../../../evals/compare/contrasts.ts";
import { toCsv } from "../../../evals/export/export.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { type MetricName, metricItems, readMetric } from "../../../evals/score/metrics.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { scoreReplies } from "../../../evals/score/score-replies.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { renderComparison } from "../../../src/app/cli/render/comparison.ts";
import { renderScore } from "../../../src/app/cli/render/score.ts";
import { seeded, shuffle } from "../../../src/core/random.ts";
import { choice } from "../benchmarks/fixtures.ts";
import { order, ordering } from "../run/made-runs.ts";

type Sample = Results["samples"][number];

/** A run whose epochs reply so, sample by sample; null: it failed. */
function runOf(
  name: string,
  samples: Sample[],
  epochs: (string | null)[][],
  benchmark: Benchmark = mmrV,
): Results {
  const said = epochs.flatMap((replies, index) =>
    samples.flatMap((sample, place) => {
      const reply = replies[place];
      return reply === undefined
        ? []
        : [{ sample, epoch: index + 1, reply, why: "it failed", line: null }];
    }),
  );
  return {
    ...{ name, benchmark, samples, said, epochs: epochs.length, missing: 0, skipped: 0 },
    ...{ data: { hash: "d", subset: "mcq" }, unknownGroups: [], notes: [], header: null },
  };
}

const letters = (text: string) => [...text].map((letter) => `[[${letter}]]`);
const choices = (count: number): Sample[] =>
  Array.from({ length: count }, (_, place) => ({
    ...choice("ABC"),
    id: `q${place}`,
    video: `videos/${place}.mp4`,
    row: {
      video: `videos/${place}.mp4`,
      question: `q${place}`,
      options: ["(A) x", "(B) y", "(C) z"],
      correctAnswer: "(A)",
    },
  }));
const valuesOf = (metric: MetricName, run: Results) =>
  metricItems(metric, run, scoreReplies(run, "official")).map(({ value }) => value);

describe("majority and pass@k", () => {
  test("a tie goes to the lowest epoch in any order of arrival", () => {
    const samples = choices(3);
    const run = runOf("a", samples, [letters("ABB"), letters("BAA"), letters("CCB")]);
    // A, B, C: the first epoch's; B, A, C: its B; B, A, B: B.
    expect(valuesOf("majority", run)).toEqual([1, 0, 0]);
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const said = shuffle(run.said, seeded("arrival", seed));
        const shuffled = { ...run, said };
        const byId = new Map(
          metricItems("majority", shuffled, scoreReplies(shuffled, "official")).map((item) => [
            item.id,
            item.value,
          ]),
        );
        expect([byId.get("q0"), byId.get("q1"), byId.get("q2")]).toEqual([1, 0, 0]);
      }),
      { numRuns: 20 },
    );
  });

  test("orders vote as whole permutations, not clip by clip", () => {
    const samples = [ordering("1", [1, 2, 3])];
    // By position 1, 2, 3 would win; no two permutations agree, so the first epoch's does.
    const replies = [[order(3, 2, 1)], [order(1, 3, 2)], [order(2, 1, 3)]];
    expect(valuesOf("majority", runOf("a", samples, replies, vcrbench))).toEqual([0]);
  });

  test("both have intervals, and are reported with the number of epochs", () => {
    const run = runOf("a", choices(4), [letters("AABB"), letters("ABBA"), letters("AABA")]);
    const score = scoreResults(run);
    expect(score.over_epochs).toMatchObject({ epochs: 3, majority: { mean: 0.75, n: 4 } });
    expect(score.over_epochs?.majority.low).toBeGreaterThan(0);
    expect(score.over_epochs?.pass_at.map(({ mean }) => mean)).toEqual([
      expect.closeTo((1 + 2 / 3 + 2 / 3) / 4, 12),
      expect.closeTo(3 / 4, 12),
      expect.closeTo(3 / 4, 12),
    ]);
    const text = renderScore(score);
    expect(text).toContain("released scores, first epoch only");
    expect(text).toMatch(/majority of 3 epochs +75\.00 % +\d/);
    expect(text).toMatch(/pass@2 \(4 questions with all epochs\) +75\.00 % +\d/);
    const titles = makeReport([run]).parts[0]?.tables.map(({ title }) => title);
    expect(titles).toContain("Majority and pass@k");
    expect(titles).toContain("Scores of the released code, first epoch only");
  });

  test("the CSV has the vote of a sample and how many epochs are right", () => {
    const run = runOf("a", choices(2), [letters("AB"), letters("BB"), letters("AA")]);
    const [head = "", ...rows] = toCsv([
      { results: scoreReplies(run, "official"), benchmark: mmrV },
    ]).split("\n");
    const at = head.split(",").indexOf("majority");
    expect(head.split(",").slice(at, at + 3)).toEqual([
      ...["majority", "majority_right", "epochs_right"],
    ]);
    expect(rows.filter((row) => row.includes(",A,1,2,"))).toHaveLength(3);
    expect(rows.filter((row) => row.includes(",B,0,1,"))).toHaveLength(3);
    const once = toCsv([
      { results: scoreReplies(runOf("b", choices(1), [["[[A]]"]]), "official"), benchmark: mmrV },
    ]);
    expect(once).not.toContain("majority");
  });

  test("pass@k counts a question with fewer orders of its options than others", () => {
    const [three, two] = choices(2) as [Sample, Sample];
    const samples = [three, { ...two, options: two.options.slice(0, 2) }];
    const run = runOf("a", samples, [letters("AB"), letters("BA"), ["[[B]]"]]);
    const ordered = { ...run, option_orders: 3 };
    expect(valuesOf("pass@1", ordered)).toEqual([1 / 3, 1 / 2].map((x) => expect.closeTo(x, 12)));
    expect(valuesOf("pass@3", ordered)).toEqual([1]);
  });

  test("compare and report pair them, clustered by video", () => {
    const samples = choices(24);
    const wrong = letters("B".repeat(24));
    const a = runOf("a", samples, [wrong, wrong, wrong]);
    const b = runOf("b", samples, [letters("A".repeat(24)), wrong, letters("A".repeat(24))]);
    const majority = compareResults([a, b], { metric: "majority" }).comparisons[0];
    expect(majority?.all).toMatchObject({ difference: 1, clusters: 24 });
    expect(majority?.flipped).toHaveLength(24);
    const pass = compareResults([a, b], { metric: "pass@1" }).comparisons[0];
    expect(pass?.all.difference).toBeCloseTo(2 / 3);
    const table = makeReport([a, b], { metric: "pass@2" }).parts[0]?.tables.find(
      ({ title }) => title === "Differences between runs",
    );
    expect(table?.rows.map((row) => [row[2], row[4]])).toEqual([
      ["pass@2", "+100.00"],
      ["accuracy", "+66.67"],
      ["majority", "+100.00"],
    ]);
    expect(() => compareResults([a, b], { metric: "pass@4" })).toThrow(
      "pass@4 needs 4 epochs, but a has 3",
    );
  });

  test.each(["", "pass@0", "pass@", "pass@1.5", "Accuracy", "pass@99999", "mean"])(
    "%j is not a metric",
    (given) => {
      expect(() => readMetric(given)).toThrow(
        `Invalid --metric ${JSON.stringify(given)}: use accuracy, step-accuracy`,
      );
    },
  );
});

describe("step accuracy", () => {
  const samples = [
    ordering("1", [1, 2, 3]),
    ordering("2", [3, 2, 1]),
    ordering("3", [1, 2, 3, 4, 5]),
    ordering("4", [2, 1, 4, 3]),
  ];
  const a = runOf(
    "a",
    samples,
    [[order(1, 2, 3), order(1, 2, 3), order(1, 2, 3, 5, 4), null]],
    vcrbench,
  );
  const b = runOf(
    "b",
    samples,
    [[order(1, 3, 2), order(3, 2, 1), "no idea", order(2, 1, 4, 3)]],
    vcrbench,
  );

  test("micro over all positions as released, macro over questions; a failed question has no right position", () => {
    const { step_accuracy, official } = scoreResults(a);
    // Right positions 3, 1, 3, 0 of 3, 3, 5, 4.
    expect(step_accuracy?.micro).toMatchObject({ mean: 7 / 15, n: 15, clusters: 4 });
    expect(official.avg_step_accuracy).toBeCloseTo(100 * (7 / 15), 1);
    expect(step_accuracy?.macro.mean).toBeCloseTo((1 + 1 / 3 + 3 / 5 + 0) / 4, 12);
    expect(step_accuracy?.micro.low).toBeGreaterThan(0);
  });

  test("pairs runs in compare, next to the accuracy and as the metric", () => {
    const [found] = compareResults([a, b]).comparisons;
    expect(found?.also.map(({ group, n }) => [group, n])).toEqual([
      ["step accuracy (micro)", 15],
      ["step accuracy (macro)", 4],
    ]);
    // Of b: 1, 3, 0, 4.
    expect(found?.also[0]?.difference).toBeCloseTo(1 / 15, 12);
    expect(found?.also[1]?.difference).toBeCloseTo((1 / 3 + 1 + 0 + 1 - 29 / 15) / 4, 12);
    const micro = compareResults([a, b], { metric: "step-accuracy" });
    expect(micro.comparisons[0]?.all).toMatchObject({ n: 15, clusters: 4 });
    expect(micro.comparisons[0]?.mcnemar).toBeNull();
    expect(micro.runs.map(({ value }) => value.mean)).toEqual([7 / 15, 8 / 15]);
    expect(renderComparison(micro, 5)).toContain("by step accuracy (micro)");
  });

  test("is a column in the CSV, and is refused for questions without orders", () => {
    const csv = toCsv([{ results: scoreReplies(a, "official"), benchmark: vcrbench }]).split("\n");
    const column = csv[0]?.split(",").indexOf("steps_right") ?? -1;
    expect(column).toBeGreaterThan(0);
    expect(csv[0]).toContain("steps_right,steps");
    expect(() => valuesOf("step-accuracy", runOf("m", choices(1), [["[[A]]"]]))).toThrow(
      "Step accuracy needs orders of clips, but m is a run of MMR-V",
    );
  });

  test("a CSV of scores has percentages, and values that are not in separate columns", () => {
    const blocks = renderScore(scoreResults(a)).split("\n\n");
    const tau = blocks.findIndex((block) => block.includes("kendall_tau"));
    expect(blocks[tau]).toMatch(/^kendall_tau, from -1 to 1: -?0\.\d{4}$/m);
    for (const line of blocks.flatMap((block) => block.split("\n")))
      if (/^(avg_|weighted|step accuracy|invalid)/.test(line)) expect(line).toContain(" %");
  });
});

describe("a difference in words", () => {
  const made: Contrast = {
    ...{ kind: "all", group: "all", a: 0.5, b: 0.6, difference: 0.1, se: 0.04, low: 0.02 },
    ...{ high: 0.18, p: 0.01, p_holm: 0.02, exact: false, detectable: 0.12, n: 100, clusters: 50 },
    ...{ n_too_small: false, identical: false, uniform: false },
  };

  test("one sentence if interval and test disagree, none if they agree", () => {
    expect(disagreement(made)).toBeNull();
    expect(disagreement({ ...made, p: 0.06, p_holm: 0.06 })).toMatch(
      /^The interval excludes 0, but/,
    );
    expect(disagreement({ ...made, low: -0.01 })).toMatch(
      /^The sign-flip test rejects .* includes 0/,
    );
    expect(disagreement({ ...made, p_holm: 0.08 })).toMatch(/after Holm's correction .*p 0\.080/);
    expect(disagreement({ ...made, low: null, high: null, p: 0.5 })).toBeNull();
    for (const sentence of [disagreement({ ...made, p: 0.06 }), disagreement({ ...made, low: -1 })])
      expect(sentence?.match(/\.(?= |$)/g)).toHaveLength(1);
  });

  test("no zero has a sign, and a missing value states why", () => {
    expect([points(-0.00001), points(0), points(0.031), points(-0.5)]).toEqual([
      ...["0.00", "0.00", "+3.10", "-50.00"],
    ]);
    const few = { ...made, low: null, high: null, n_too_small: true };
    expect(intervalWords(few)).toBe("n too small");
    expect(verdict(few)).toContain("n too small for an interval");
    const same = { ...made, low: null, high: null, difference: 0, identical: true };
    expect([intervalWords(same), verdict(same)]).toEqual([
      "identical",
      "identical: every question has the same score in both runs",
    ]);
  });
});
