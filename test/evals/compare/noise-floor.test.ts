import { join } from "node:path";
import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { compareResults } from "../../../evals/compare/compare.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import type { EvidenceStage } from "../../../graphs/evidence-stages.ts";
import { renderComparison } from "../../../src/app/cli/render/comparison.ts";
import { tempFolder } from "../../support/temp.ts";
import { makeRun, order, ordering } from "../run/made-runs.ts";

const SAMPLES = Array.from({ length: 40 }, (_, place) => ordering(String(place), [2, 1, 3]));
const RIGHT = order(2, 1, 3);
const WRONG = order(1, 2, 3);
const OTHER = order(3, 2, 1);

let runs = 0;

/** A run that replies so to each sample (null: it failed); runs with the same frames have the same settings. */
async function run(
  name: string,
  reply: (place: number) => string | null,
  frames = 16,
  { cached = false, id = `run ${runs++}`, started_at = `2026-11-20T10:00:00.${100 + runs}Z` } = {},
) {
  const call = {
    ...{ key: "k", stage: "reason", role: "reasoner", label: "answer", model: "openai:m" },
    ...{ finish: "stop", cached, seconds: 1, frames: 0, input: 1, output: 1 },
  };
  const folder = await makeRun(join(await tempFolder(), name), {
    settings: { strategy: "direct", model: "openai:m", recognition: { frames } },
    samples: SAMPLES,
    replies: Object.fromEntries(SAMPLES.map(({ id }, place) => [id, reply(place)])),
    header: { run: id },
    line: { calls: [call], started_at },
  });
  return readResults(folder);
}

const first = () => run("a", (place) => (place < 20 ? RIGHT : WRONG));
/** The pair `n` of a question of two pairs, whose answer is A. */
function pair(question: string, n: number): Sample {
  return {
    ...{ id: `${question}/${n}`, video: `${question}.mp4`, hasVideo: true, question: "Which?" },
    ...{ task: "choice", answer: "A", pairs: 2, row: { question_id: question } },
    options: ["A", "B"].map((letter) => ({ letter, text: letter })),
  };
}

/** Two become right, two wrong, and six wrong ones become other wrong ones. */
const again = (cached = false) =>
  run(
    "a-again",
    (place) => {
      if (place < 2) return WRONG;
      if (place < 22) return RIGHT;
      return place < 28 ? OTHER : WRONG;
    },
    16,
    { cached },
  );

test("a rerun is recognised by its settings, with its changed answers and flipped questions", async () => {
  const [a, a2, b] = [await first(), await again(), await run("b", () => RIGHT, 32)];
  const { noise, comparisons } = compareResults([a, a2, b]);
  expect(noise).toMatchObject({
    ...{ run: "a", rerun: "a-again", questions: 40, difference: 0 },
    ...{ same_settings: true, from_memory: 0 },
    answers_changed: { mean: 10 / 40 },
    flipped: { mean: 4 / 40 },
  });
  // t(0.975, 39) = 2.022691 times sqrt(4) / 40.
  expect(noise?.floor).toBeCloseTo((2.022691 * 2) / 40, 6);
  expect(comparisons.map(({ b: name, rerun, noise: of }) => [name, rerun, of?.exceeds])).toEqual([
    ["a-again", true, undefined],
    ["b", false, true],
  ]);
  // A rerun is not a hypothesis: the p-value of b is corrected only for itself.
  expect(comparisons[1]?.all.p_holm).toBe(comparisons[1]?.all.p);
  const text = renderComparison(compareResults([a, a2, b]), 0);
  expect(text).toContain("25.00 % of the answers changed");
  expect(text).toContain("10.00 % of the questions flipped between right and wrong");
  expect(text).toContain("Two runs of these settings differ by at most 10.11 points");
  expect(text).toContain("The difference of +50.00 points exceeds the noise floor of 10.11 points");
  const table = makeReport([a, a2, b]).parts[0]?.tables.find(
    ({ title }) => title === "Noise floor",
  );
  expect(table?.about).toContain("b exceeds the floor.");
  expect(table?.rows[0]?.at(-1)).toBe("10.11");
});

test("runs against servers at different addresses are told, in the comparison and the report", async () => {
  const told = "The two runs asked model servers at different addresses";
  const [a, a2] = [await first(), await again()];
  expect(renderComparison(compareResults([a, a2]), 0)).not.toContain(told);
  const header = a2.header;
  if (header === null) throw new Error("a run has a header");
  const settings = { ...header.settings, runtime: { base_url: "http://other:8000/v1" } };
  const elsewhere = { ...a2, header: { ...header, settings } };
  const found = compareResults([a, elsewhere]);
  expect(found.noise).toMatchObject({ other_server: true, same_settings: true });
  expect(renderComparison(found, 0)).toContain(told);
  const { tables = [] } = makeReport([a, elsewhere]).parts[0] ?? {};
  expect(tables.find(({ title }) => title === "Noise floor")?.about).toContain(told);
});

test("arms of an attribution with other gold stages are not reruns, and equal ones are", async () => {
  const [a, a2] = [await first(), await again()];
  const arm = (
    run: Results,
    over: string | null,
    stages: EvidenceStage[],
    gold_hash?: string,
  ): Results => {
    if (run.header === null) throw new Error("a run has a header");
    const gold = { samples: SAMPLES.map(({ id }) => id), over, oracle: null, stages, gold_hash };
    return { ...run, header: { ...run.header, gold } };
  };
  const isRerun = (one: Results, other: Results) =>
    compareResults([one, other]).comparisons[0]?.rerun;
  const searched = arm(a2, "1-recognised", ["search"]);
  expect(isRerun(arm(a, null, []), searched)).toBe(false);
  expect(compareResults([arm(a, null, []), searched]).noise).toBeNull();
  expect(isRerun(arm(a, "1-recognised", ["text"]), searched)).toBe(false);
  expect(isRerun(arm(a, "1-recognised", []), searched)).toBe(false);
  expect(isRerun(arm(a, "1-recognised", ["search"]), searched)).toBe(true);
  const [given, other] = [arm(a, "1-recognised", ["text"], "1a"), "2b"];
  expect(isRerun(given, arm(a2, "1-recognised", ["text"], "1a"))).toBe(true);
  expect(isRerun(given, arm(a2, "1-recognised", ["text"], other))).toBe(false);
  // The arm that recognises does what any run of these settings does.
  expect(isRerun(a, arm(a2, null, []))).toBe(true);
});

test("with --rerun the rerun is not compared; a small difference does not exceed the floor", async () => {
  const [a, a2] = [await first(), await again()];
  const b = await run("b", (place) => (place < 22 ? RIGHT : WRONG), 32);
  const found = compareResults([a, b], { rerun: a2 });
  expect(found.comparisons.map(({ b: name, noise }) => [name, noise?.exceeds])).toEqual([
    ["b", false],
  ]);
  expect(renderComparison(found, 0)).toContain("+5.00 points does not exceed the noise floor");
});

test("a copy from the memo and a rerun of other settings are reported as such", async () => {
  const a = await first();
  const copied = compareResults([a, await again(true)]);
  expect(copied.noise?.from_memory).toBe(1);
  expect(copied.noise).toMatchObject({ floor: null, no_floor: "stored-replies" });
  expect(copied.comparisons[0]).toMatchObject({ rerun: true, copy: "stored-replies" });
  const text = renderComparison(copied, 0);
  expect(text).toContain("No noise floor: all replies of one of a and a-again came from the cache");
  expect(text).toContain("(the same settings; all replies of the later run were stored)");
  expect(text).not.toContain("95 times in 100");
  const other = await run("other", () => RIGHT, 8);
  const found = compareResults([a, other], { rerun: other });
  expect(found.noise?.same_settings).toBe(false);
  expect(renderComparison(found, 0)).toContain("The settings, prompts or epochs of the two differ");
  expect(compareResults([a, other]).noise).toBeNull();
});

test("a rerun without a change gives an upper limit on changes, and no floor", async () => {
  const [a, same] = [await first(), await run("same", (place) => (place < 20 ? RIGHT : WRONG))];
  const b = await run("b", () => RIGHT, 32);
  const found = compareResults([a, same, b]);
  expect(found.noise).toMatchObject({ floor: null, no_floor: "no-change" });
  expect(found.comparisons[1]?.noise).toBeNull();
  const high = (100 * (found.noise?.answers_changed?.high ?? 0)).toFixed(2);
  expect(Number(high)).toBeGreaterThan(5);
  const text = renderComparison(found, 0);
  expect(text).toContain("No noise floor: the score of no video changed between the two runs");
  expect(text).toContain(`at most ${high} % of the answers change`);
  expect(text).not.toMatch(/95 times in 100|exceeds the noise floor/);
  const table = makeReport([a, same, b]).parts[0]?.tables.find(
    ({ title }) => title === "Noise floor",
  );
  expect(table?.about).toContain(`at most ${high} % of the answers change`);
  expect(table?.about).not.toContain("the floor.");
  expect(table?.rows[0]?.at(-1)).toBe("none");
});

test("a run is not its own rerun, as itself, as a copied folder, or with other ids", async () => {
  const right = (place: number) => (place < 20 ? RIGHT : WRONG);
  const made = { id: "one", started_at: "2026-11-20T09:00:00.000Z" };
  const a = await run("a", right, 16, made);
  const b = await run("b", () => RIGHT, 32);
  const copied = await run("copied", () => RIGHT, 16, made);
  const renamed = await run("renamed", () => RIGHT, 16, { ...made, id: "two" });
  for (const other of [a, copied, renamed]) {
    const found = compareResults([a, b], { rerun: other });
    expect(found.noise).toMatchObject({ floor: null, no_floor: "same-run" });
    expect(found.comparisons[0]?.noise).toBeNull();
    const text = renderComparison(compareResults([a, other]), 0);
    expect(text).toContain(`No noise floor: a and ${other.name} are the same run`);
    expect(text).toContain(`${other.name} compared with a (the same run)`);
  }
  // A real rerun is preferred to a copy that is given before it.
  expect(compareResults([a, copied, await again()]).noise?.rerun).toBe("a-again");
});

test("failed, stopped and missing results of a rerun are no changed answers, and the rerun's failures are named", async () => {
  const a = await first();
  // Two become wrong, two right; ten more fail, five were stopped by a budget, and five have no result.
  const again = await run("a-again", (place) => {
    if (place < 2) return WRONG;
    if (place < 10) return RIGHT;
    if (place < 20) return null;
    return place < 22 ? RIGHT : WRONG;
  });
  const said = again.said.flatMap((one, place) => {
    if (place >= 35) return [];
    if (place < 30 || one.line === null) return [one];
    const line = { ...one.line, status: "not-answered" as const, limits_met: ["cost"] };
    return [{ ...one, reply: null, line }];
  });
  const rerun = { ...again, said, missing: 5 };
  const b = await run("b", () => RIGHT, 32);
  const found = compareResults([a, b], { rerun });
  expect(found.noise).toMatchObject({
    ...{ questions: 20, results: 40, left_out: 20, difference: 0 },
    answers_changed: { mean: 4 / 20 },
    flipped: { mean: 4 / 20 },
  });
  // t(0.975, 19) = 2.093024 times sqrt(4) / 20.
  expect(found.noise?.floor).toBeCloseTo((2.093024 * 2) / 20, 6);
  expect(found.rerun).toMatchObject({ name: "a-again", failed: { count: 10 }, missing: 5 });
  const text = renderComparison(found, 0);
  expect(text).toContain("20 of 40 results are left out of the noise floor");
  expect(text).toContain(
    "a-again: 10 of 35 failed and count as wrong (model-unreachable 10); stopped by a budget, which counts as wrong: 5 of 35 (cost); 5 without a result, not counted.",
  );
  // Named among the runs, it has its own line already.
  const among = compareResults([a, rerun, b]);
  expect(among.rerun).toBeNull();
  expect(renderComparison(among, 0).split("10 of 35 failed")).toHaveLength(2);
  // The same when it is named twice, and so read twice.
  expect(compareResults([a, rerun, b], { rerun: { ...rerun } }).rerun).toBeNull();
  const table = makeReport([a, rerun, b]).parts[0]?.tables.find(
    ({ title }) => title === "Noise floor",
  );
  expect(table?.about).toContain("20 of 40 results are left out of the noise floor");
  expect(table?.rows[0]?.slice(2)).toEqual([
    ...["20", expect.stringMatching(/^20\.00 /), expect.stringMatching(/^20\.00 /)],
    ...["0.00", "20.93"],
  ]);
});

test("a rerun that failed entirely gives no noise floor, and says so", async () => {
  const a = await first();
  const b = await run("b", () => RIGHT, 32);
  const found = compareResults([a, b], { rerun: await run("dead", () => null) });
  expect(found.noise).toMatchObject({
    ...{ no_floor: "no-results", floor: null, questions: 0, left_out: 40 },
    ...{ answers_changed: null, flipped: null, difference: null },
  });
  expect(found.comparisons[0]?.noise).toBeNull();
  const text = renderComparison(found, 0);
  expect(text).toContain(
    "No noise floor: no question has the results that its score needs in both",
  );
  expect(text).toContain("dead: 40 of 40 failed and count as wrong (model-unreachable 40).");
});

test("a question of pairs is left out of the noise floor if one of its pairs failed", async () => {
  const pairs = Array.from({ length: 6 }, (_, place) => pair(`q${place >> 1}`, (place % 2) + 1));
  const made = async (name: string, replies: Record<string, string | null>, start: string) =>
    readResults(
      await makeRun(join(await tempFolder(), name), {
        benchmark: "videomathqa",
        settings: { strategy: "direct", model: "openai:m" },
        ...{ samples: pairs, replies, header: { run: name } },
        line: { started_at: start },
      }),
    );
  const right = Object.fromEntries(pairs.map(({ id }) => [id, "Answer: A"]));
  const a = await made("a", right, "2026-11-20T09:00:00.000Z");
  const some = { ...right, "q0/1": null, "q0/2": "Answer: B", "q1/2": "Answer: B" };
  const rerun = await made("again", some, "2026-11-20T10:00:00.000Z");
  expect(compareResults([a, rerun]).noise).toMatchObject({
    ...{ questions: 2, results: 3, left_out: 1, difference: -1 / 2 },
    ...{ answers_changed: { mean: 1 / 4 }, flipped: { mean: 1 / 2 } },
  });
});
