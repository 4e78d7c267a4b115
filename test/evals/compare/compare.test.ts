import { join } from "node:path";
import { expect, test } from "vitest";
import type { Benchmark } from "../../../evals/benchmarks/define-benchmark.ts";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { compareResults } from "../../../evals/compare/compare.ts";
import type { MatchReport } from "../../../evals/score/match-report.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import { renderComparison } from "../../../src/app/cli/render/comparison.ts";
import { tempFolder } from "../../support/temp.ts";
import { choice } from "../benchmarks/fixtures.ts";
import { GOOD, makeRun, order, ordering, POOR, PROCEDURES } from "../run/made-runs.ts";

const DATA = { hash: "d", subset: "mcq" as const };

function sample(id: string, video: string, more: Partial<Sample> = {}): Sample {
  const videoType = id.endsWith("1") ? "Film" : "Life";
  const row = { video, question: id, options: ["(A) x", "(B) y"], correctAnswer: "(A)", videoType };
  return { ...choice("ABC"), id, video, row, ...more };
}

/** A run in which sample k was answered by the kth letter of each epoch; `-` is no result, `x` an error. */
function run(
  name: string,
  samples: Sample[],
  epochs: string[],
  benchmark: Benchmark = mmrV,
): Results {
  const said = epochs.flatMap((letters, index) =>
    samples.flatMap((sample, place) => {
      const letter = letters[place] ?? "-";
      if (letter === "-") return [];
      const reply = letter === "x" ? null : `[[${letter}]]`;
      return [{ sample, epoch: index + 1, reply, why: "it failed", line: null }];
    }),
  );
  return {
    name,
    benchmark,
    samples,
    said,
    epochs: epochs.length,
    missing: 0,
    skipped: 0,
    data: DATA,
    unknownGroups: [],
    notes: [],
    header: null,
  };
}

const ALONE = Array.from({ length: 12 }, (_, i) => sample(`s${i}`, `videos/v${i}.mp4`));

test("two runs are compared question by question", () => {
  const found = compareResults([
    run("a", ALONE, ["AAAAAABBBBBB"]),
    run("b", ALONE, ["AAAAAAAAAAAB"]),
  ]);
  expect(found.common).toBe(12);
  const [compared] = found.comparisons;
  expect(compared?.all).toMatchObject({ a: 0.5, b: 11 / 12, n: 12, clusters: 12, exact: true });
  expect(compared?.all.difference).toBeCloseTo(5 / 12);
  // Five signs, all alike: 2 of 32 patterns.
  expect(compared?.all.p).toBeCloseTo(2 / 32);
  expect(compared?.all.p_holm).toBe(compared?.all.p);
  expect(compared?.mcnemar).toMatchObject({ onlyA: 0, onlyB: 5, p: 2 / 32 });
  expect(compared?.flipped.map(({ question, to }) => [question, to])).toEqual(
    ["s6", "s7", "s8", "s9", "s10"].map((id) => [id, "better"]),
  );
  expect(compared?.flipped[0]).toMatchObject({
    right: "A",
    a: { answers: ["B"] },
    b: { answers: ["A"] },
  });
  expect(compared?.groups.map(({ kind, group, n }) => [kind, group, n])).toEqual([
    ["video_type", "Film", 2],
    ["video_type", "Life", 10],
  ]);
});

test("only common questions count, and the number of others is reported", () => {
  const found = compareResults([
    run("a", ALONE, ["AAAAAAAA----"]),
    run("b", ALONE, ["----BBBBBBBB"]),
  ]);
  expect(found.common).toBe(4);
  expect(found.runs.map(({ questions, left_out }) => [questions, left_out])).toEqual([
    [8, 4],
    [8, 4],
  ]);
  expect(found.comparisons[0]?.all).toMatchObject({ a: 1, b: 0, n: 4 });
  expect(() =>
    compareResults([run("a", ALONE, ["AA----------"]), run("b", ALONE, ["--AA--------"])]),
  ).toThrow("a and b: they have no question in common");
});

test("questions on one video are not independent: no McNemar, and one sign per video", () => {
  const crowded = Array.from({ length: 12 }, (_, i) => sample(`s${i}`, `videos/v${i % 3}.mp4`));
  const found = compareResults([
    run("a", crowded, ["BBBBBBBBBBBB"]),
    run("b", crowded, ["AAAAAAAAAAAA"]),
  ]);
  expect(found.comparisons[0]?.mcnemar).toBeNull();
  expect(found.comparisons[0]?.all).toMatchObject({ clusters: 3, p: 2 / 8 });
});

test("arrangements of one source are not independent: one sign per source, and no McNemar", async () => {
  const compared = async (withSource: boolean) => {
    const samples = Array.from({ length: 72 }, (_, place) => {
      const made = ordering(String(place), [2, 1, 3]);
      const provenance = { source_sha256: `source ${Math.floor(place / 3)}` };
      return withSource ? { ...made, row: { ...made.row, provenance } } : made;
    });
    const settings = { strategy: "direct", model: "openai:m" } as const;
    const read = async (name: string, right: number) => {
      const replies = Object.fromEntries(
        samples.map(({ id }, place) => [id, place < right ? order(2, 1, 3) : order(1, 2, 3)]),
      );
      const folder = join(await tempFolder(), name);
      return readResults(
        await makeRun(folder, { settings, samples, replies, header: { run: name } }),
      );
    };
    return compareResults([await read("a", 0), await read("b", 15)]).comparisons[0];
  };
  const bySource = await compared(true);
  // Three arrangements of each of five sources become right: 2 of 32 patterns.
  expect(bySource?.all).toMatchObject({ n: 72, clusters: 24, p: 2 / 32, exact: true });
  expect(bySource?.mcnemar).toBeNull();
  const released = await compared(false);
  expect(released?.all).toMatchObject({ n: 72, clusters: 72, exact: false });
  expect(released?.mcnemar).toMatchObject({ onlyA: 0, onlyB: 15 });
});

test("several comparisons are corrected together, an error counts as wrong, epochs as their mean", () => {
  const base = run("base", ALONE, ["BBBBBBBBBBBB"]);
  const found = compareResults([
    base,
    run("better", ALONE, ["AAAAAAAAAAAA"]),
    run("same", ALONE, ["xBBBBBBBBBBB"]),
  ]);
  const [better, same] = found.comparisons;
  expect(better?.all.p_holm).toBeCloseTo(2 * (better?.all.p ?? 0));
  expect(same?.all).toMatchObject({ a: 0, b: 0, p_holm: 1 });
  const epochs = compareResults([base, run("half", ALONE, ["AAAAAAAAAAAA", "BBBBBBBBBBBB"])]);
  expect(epochs.comparisons[0]?.all.b).toBe(0.5);
  expect(epochs.comparisons[0]?.mcnemar).toBeNull();
  expect(epochs.comparisons[0]?.flipped).toEqual([]);
});

test("a question of pairs is one question", () => {
  const pairs = ["q1/1", "q1/2", "q2/1", "q2/2"].map((id) => ({
    ...choice("AB"),
    id,
    row: { question_id: id.slice(0, 2) },
  }));
  const found = compareResults([
    run("a", pairs, ["AAAB"], videoMathQa),
    run("b", pairs, ["AAAA"], videoMathQa),
  ]);
  expect(found.common).toBe(2);
  expect(found.comparisons[0]?.all).toMatchObject({ a: 0.5, b: 1 });
  expect(found.comparisons[0]?.flipped).toMatchObject([
    { question: "q2", right: "A | A", a: { answers: ["A", "B"] }, b: { answers: ["A", "A"] } },
  ]);
});

test("runs of other data or of another benchmark, or a single run, are refused in one sentence", () => {
  const a = run("a", ALONE, ["AAAAAAAAAAAA"]);
  const other = { ...run("b", ALONE, ["AAAAAAAAAAAA"]), data: { ...DATA, hash: "e" } };
  expect(() => compareResults([a, other])).toThrow(
    "Cannot compare b with a: it used different data files",
  );
  const set = { ...other, data: { hash: "d", subset: "multi_binary" as const } };
  expect(() => compareResults([a, set])).toThrow("a different set of questions");
  const math = { ...a, name: "m", benchmark: videoMathQa };
  expect(() => compareResults([a, math])).toThrow("m (VideoMathQA) with a (MMR-V)");
  expect(() => compareResults([a])).toThrow("Not enough runs to compare (1)");
  expect(() => compareResults([a, a], { extractor: "magic" })).toThrow(
    'Invalid --extractor "magic": use one of official, official-brackets, official-standalone, official-last, official-last-standalone, lmms-eval-0.7, sound, model-letter',
  );
});

test("runs of which no question has all of its pairs are refused with that reason", () => {
  const pair = { ...choice("AB"), id: "1/2", pairs: 4, row: { question_id: 1 } };
  const runs = ["a", "b"].map((name) => run(name, [pair], ["A"], videoMathQa));
  expect(() => compareResults(runs)).toThrow(
    "Cannot compare a and b by accuracy: it does not apply to a and b, in which no question has all of its pairs.",
  );
});

test("each run is shown with what limits its numbers", async () => {
  const folder = await makeRun(join(await tempFolder(), "limited"), {
    settings: { strategy: "direct", model: "openai:m" },
    samples: PROCEDURES,
    replies: { "1": order(2, 1, 3), "2": null, "3": null },
    header: { run: "limited", status: "stopped", ended_by: "Cancelled.", extractor_warning: null },
  });
  const limited = await readResults(folder);
  const match = {
    verified: false,
    told: "The match of 4 records cannot be verified.",
  } as unknown as MatchReport;
  const file = { ...limited, name: "file.json", header: null, match, missing: 0 };
  const whole = await readResults(
    await makeRun(join(await tempFolder(), "whole"), {
      settings: { strategy: "direct", model: "openai:m" },
      samples: PROCEDURES,
      replies: GOOD,
    }),
  );
  const found = compareResults([limited, whole]);
  expect(found.runs).toMatchObject([
    {
      ...{
        match: null,
        missing: 1,
        stopped: null,
        ended_by: "Cancelled.",
        extractor_warning: null,
      },
      failed: { count: 2, of: 3, by: { "model-unreachable": 2 } },
    },
    { match: null, missing: 0, ended_by: null, failed: { count: 0, of: 4, by: {} } },
  ]);
  const text = renderComparison(found, 0);
  expect(text).toContain(
    "\nlimited: 2 of 3 failed and count as wrong (model-unreachable 2); 1 without a result, not counted; not finished: Cancelled.\n",
  );
  expect(text).not.toContain("\nwhole: ");
  const files = compareResults([whole, file]);
  expect(files.runs[1]?.match).toEqual(match);
  expect(renderComparison(files, 0)).toContain(
    "\nfile.json: The match of 4 records cannot be verified; 2 of 3 failed",
  );
});

test("steps are counted as steps, and questions as questions", async () => {
  const made = (name: string, replies: Record<string, string | null>) =>
    tempFolder()
      .then((folder) =>
        makeRun(join(folder, name), {
          settings: { strategy: "direct", model: "openai:m" },
          samples: PROCEDURES,
          replies,
          header: { run: name },
        }),
      )
      .then((path) => readResults(path));
  const runs = [await made("good", GOOD), await made("poor", POOR)];
  const text = renderComparison(compareResults(runs, { metric: "step-accuracy" }), 0);
  expect(text).toContain("by step accuracy (micro): 4 questions in common");
  expect(text).toMatch(/group +scored +good +poor/);
  expect(text).toMatch(/all +step accuracy \(micro\) +14 steps/);
  expect(text).toMatch(/metric +accuracy +4 questions/);
  expect(text).toMatch(/goal +Make tea +6 steps/);
  const choices = renderComparison(
    compareResults([run("a", ALONE, ["AAAAAAAAAAAA"]), run("b", ALONE, ["BBBBBBBBBBBB"])]),
    0,
  );
  expect(choices).toMatch(/group +questions +a/);
});

test("a group whose interval and test disagree has the sentence of the other rows", () => {
  const found = compareResults([
    run("a", ALONE, ["AAAAAABBBBBB"]),
    run("b", ALONE, ["AAAAAAAAAAAB"]),
  ]);
  const [group] = found.comparisons[0]?.groups ?? [];
  if (group !== undefined) Object.assign(group, { low: 0.1, high: 0.3, p: 0.06, p_holm: 0.12 });
  expect(renderComparison(found, 0)).toContain(
    "\nvideo_type Film: The interval excludes 0, but the sign-flip test does not reject (p 0.060)",
  );
});

test("a metric that does not apply to the questions is named as the reason", () => {
  const choices = run("a", ALONE, ["AAAAAAAAAAAA"]);
  const benchmark = { ...mmrV, positions: () => [] };
  expect(() =>
    compareResults(
      [
        { ...choices, benchmark },
        { ...choices, name: "b", benchmark },
      ],
      {
        metric: "macro-step-accuracy",
      },
    ),
  ).toThrow(
    "Cannot compare a and b by step accuracy (macro): it does not apply to a and b, in which no question asks for an order of clips. Use --metric accuracy.",
  );
  const unfinished = run("c", ALONE, ["AAAAAAAAAAAA", "------------"]);
  expect(() =>
    compareResults([unfinished, { ...unfinished, name: "d" }], { metric: "pass@2" }),
  ).toThrow("no question has a result in all its epochs");
});
