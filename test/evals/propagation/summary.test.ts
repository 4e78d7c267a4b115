import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { perturbations } from "../../../evals/perturbation/define-perturbation.ts";
import type { Perturbed } from "../../../evals/perturbation/perturb.ts";
import type { PropagationPlan, Source } from "../../../evals/propagation/plan-propagation.ts";
import { lineKey, type PropagationLine } from "../../../evals/propagation/propagation-log.ts";
import { propagationRows, warningsOf } from "../../../evals/propagation/report.ts";
import { summarise } from "../../../evals/propagation/summary.ts";
import type { OpenedRun } from "../../../evals/run/prepare-run.ts";
import { choice } from "../benchmarks/fixtures.ts";

/** A pair whose right answer is A. */
function pair(question: string, place: number, pairs = 2): Sample {
  const row = { question_id: question };
  return { ...choice("AB"), id: `${question}/${place}`, video: `${question}.mp4`, pairs, row };
}

const WHOLE = ["q1", "q2", "q3", "q4"].flatMap((id) => [pair(id, 1), pair(id, 2)]);
/** Of one question a pair was not asked, of the other a pair has no evidence. */
const SHORTENED = pair("q5", 1);
const PARTLY = [pair("q6", 1), pair("q6", 2)];

/** Samples of which those in `hit` are damaged. */
const at = (samples: readonly Sample[], set: string, hit: readonly string[]) =>
  samples.map(
    (sample): Perturbed => ({
      ...{ sample, set: { id: set, base: null, items: [] }, units: 10 },
      damaged: hit.includes(sample.id) ? 5 : 0,
    }),
  );

const replies = (set: string, of: Record<string, string | null>): [string, PropagationLine][] =>
  Object.entries(of).map(([id, reply]) => [
    lineKey(id, set),
    { of: id, set, reply, status: "answered" } as PropagationLine,
  ]);

test("a question in pairs is right only if all its pairs are, and is left out if it lacks one", () => {
  const sources = [...WHOLE, SHORTENED, PARTLY[0] as Sample];
  const plan = {
    curves: [
      {
        perturbation: perturbations.get("garble-text"),
        sources: sources.map((sample) => ({ sample }) as Source),
        points: [
          { rate: 0, samples: at(sources, "clean", []) },
          { rate: 0.5, samples: at(sources, "bad", ["q1/1", "q1/2", "q3/2", "q5/1", "q6/1"]) },
        ],
      },
    ],
    samples: sources.length,
    left_out: 1,
  } as PropagationPlan;
  const right = Object.fromEntries(sources.map(({ id }) => [id, "A"]));
  const stored = new Map([
    ...replies("clean", { ...right, "q4/1": "B" }),
    ...replies("bad", { ...right, "q1/2": "B", "q3/1": "B", "q4/2": null }),
  ]);
  const run = {
    log: { folder: "runs/pairs" },
    settings: { strategy: "rrd" },
    benchmark: videoMathQa,
    samples: [...WHOLE, SHORTENED, ...PARTLY],
  } as unknown as OpenedRun;
  const study = summarise(run, plan, stored, { extractor: "sound", seed: 0, gold: new Map() });
  const [curve] = study.curves;
  if (curve === undefined) return expect.unreachable();
  expect(curve).toMatchObject({ questions: 4, incomplete: 2 });
  // Clean: q4 has a wrong pair. Damaged: q1 and q3 have one, and q4 has a pair without a result.
  expect(curve.points).toMatchObject([
    { accuracy: { n: 4, mean: 0.75 }, failed: 0, questions_damaged: 0 },
    { accuracy: { n: 3, mean: 1 / 3 }, failed: 1, unscored: 0, questions_damaged: 2 },
  ]);
  // q1 and q3 become wrong, q2 stays right.
  expect(curve.points[1]?.difference).toMatchObject({ n: 3, difference: -2 / 3 });
  expect(curve.points[1]).toMatchObject({ samples_damaged: 5, damaged: 25, units: 100 });
  expect(propagationRows([{ run: "pairs", curve }]).map((row) => row[3])).toEqual([
    "questions hit",
    "0 of 4",
    "2 of 4",
  ]);
  expect(warningsOf(study, curve)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^pairs: "n too small": fewer than 20 videos/),
      "pairs: left out are 2 questions in pairs of which some pair was not asked or has no characters.",
    ]),
  );
  const [clean, bad] = curve.points;
  const difference = { low: 0.01, high: 0.3, p: 0.11, n_too_small: false };
  const points = [clean, { ...bad, difference }] as typeof curve.points;
  expect(warningsOf(study, { ...curve, points })).toContainEqual(
    "pairs, rate 25.00 %: The interval excludes 0, but the sign-flip test does not reject (p 0.110): read this as no difference shown.",
  );
});

test("replies are read without the reasoning tags of the run", () => {
  const sources = [pair("q1", 1, 1), pair("q2", 1, 1)];
  const samples = at(sources, "clean", []);
  const plan = {
    curves: [
      {
        perturbation: perturbations.get("garble-text"),
        sources: sources.map((sample) => ({ sample }) as Source),
        points: [{ rate: 0, samples }],
      },
    ],
    samples: sources.length,
    left_out: 0,
  } as PropagationPlan;
  const run = {
    ...{ log: { folder: "runs/tags" }, settings: { strategy: "rrd" } },
    ...{ benchmark: videoMathQa, samples: sources },
  } as unknown as OpenedRun;
  const stored = new Map(
    replies("clean", { "q1/1": "<scratch>B</scratch>A", "q2/1": "<scratch>B</scratch>A" }),
  );
  const accuracy = (reasoning_tags: string[] | null) =>
    summarise(run, plan, stored, {
      ...{ extractor: "lmms-eval-0.7", reasoning_tags, seed: 0, gold: new Map() },
    }).curves[0]?.points[0]?.accuracy?.mean;
  expect(accuracy(["scratch"])).toBe(1);
  expect(accuracy(null)).toBe(0);
});
