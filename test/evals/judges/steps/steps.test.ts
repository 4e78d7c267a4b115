import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Sample } from "../../../../evals/benchmarks/sample.ts";
import { judgeResults } from "../../../../evals/judges/judge-run.ts";
import type { JudgeInput } from "../../../../evals/judges/judge-settings.ts";
import { readJudgings } from "../../../../evals/judges/judging.ts";
import type { StepSummary } from "../../../../evals/judges/steps/summary.ts";
import { summarise } from "../../../../evals/judges/summary.ts";
import { readResults } from "../../../../evals/score/read-results.ts";
import type { Store } from "../../../../src/core/contracts.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { type ModelServer, type Reply, startModelServer } from "../../../support/model-server.ts";
import { tempFolder } from "../../../support/temp.ts";
import { makeRun } from "../../run/made-runs.ts";
import { refusal } from "../../run/run-fixtures.ts";
import { hasty, idOf, isRepair, mathSample, scoreCard, wordsOf } from "../judged-runs.ts";

let server: ModelServer;
let store: Store;

beforeAll(async () => {
  server = await startModelServer(() => scoreCard(5));
  store = await openStore(join(await tempFolder(), "store"));
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => {
  server.reset();
  server.answer(() => scoreCard(5));
});

async function mathRun(
  replies: Record<string, string | null>,
  samples: Sample[] = Object.keys(replies).map((id) => mathSample(id)),
): Promise<string> {
  const settings = { strategy: "direct", model: "openai:answerer" } as const;
  return makeRun(join(await tempFolder(), "run"), {
    benchmark: "videomathqa",
    settings,
    samples,
    replies,
  });
}

async function judge(folder: string, more: Partial<JudgeInput> = {}) {
  const results = await readResults(folder);
  const judging = await judgeResults(
    results,
    {
      kind: "steps",
      judge_model: "openai:scripted",
      settings: { runtime: { base_url: server.url } },
      ...more,
    },
    { folder, store, createModels: hasty },
  );
  const summary = summarise(results, judging, { extractor: "official" });
  return { judging, summary };
}

async function graded(folder: string, more: Partial<JudgeInput> = {}) {
  const { judging, summary } = await judge(folder, more);
  return { judging, summary: summary as StepSummary };
}

test("three runs of a judge: means by question, by run, and as released", async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `q${index}`);
  const folder = await mathRun(
    Object.fromEntries(ids.map((id) => [id, `The side of ${id} is 3.`])),
  );
  // Draws of a reply differ from run to run: the first asked is the first run's.
  const asked = new Map<string, number>();
  server.answer((request) => {
    const id = idOf(request);
    const run = (asked.get(id) ?? 0) + 1;
    asked.set(id, run);
    return scoreCard(id === "q9" ? 10 : id === "q0" ? 2 * run : 4);
  });
  const { summary, judging } = await graded(folder);
  expect(server.chats()).toHaveLength(30);
  for (const request of server.chats()) {
    expect(request.temperature).toBe(0.6);
    expect(wordsOf(request)).toContain("2. square them\n3. add");
    expect(wordsOf(request)).toContain("Right answer: (C) 3");
    expect(wordsOf(request)).toContain(`<<<data\nThe side of ${idOf(request)} is 3.\ndata>>>`);
  }
  expect(judging.header).toMatchObject({ status: "finished", judge: "openai:scripted" });
  // Eight of the ten are scored by the released code: q0 with 2, 4 and 6 in any order of the runs, and seven 4s.
  expect(summary.official).toMatchObject({ scored: 8, of: 10, unread: 0 });
  expect(summary.official.mean).toBeCloseTo((4 + 7 * 4) / 8, 12);
  expect(summary.sound?.mean).toBeCloseTo((4 + 8 * 4 + 10) / 10, 12);
  expect(summary.sound).toMatchObject({ n: 10, clusters: 10, method: "wilson" });
  expect(summary.all?.mean).toBeCloseTo(summary.sound?.mean ?? 0, 12);
  expect(summary.per_run.map((mean) => mean?.toFixed(2)).sort()).toEqual(["4.40", "4.60", "4.80"]);
  expect(summary).toMatchObject({
    ...{ replies: 10, runs: 3, judged: 30, not_judged: 0, failed: 0, missing: 0, contradicting: 0 },
    usage: { calls: 30 },
  });
});

/** Both real clients. */
const JUDGES = ["openai:scripted", "google-genai:scripted"] as const;
process.env.GOOGLE_API_KEY = "AIza-test-google-0123456789";

const malformed: [string, Reply | string][] = [
  ["empty", { empty: true }],
  ["prose", "Eight of ten, I would say."],
  ["wrong JSON", '{"points": 8}'],
  ["two JSONs", `${scoreCard(8)}\n${scoreCard(2)}`],
  ["score out of range", scoreCard(80)],
  ["strings for numbers", scoreCard(8, { score: "8" })],
  ["truncated", { text: scoreCard(8).slice(0, 40), finish: "length" }],
];
const cases = JUDGES.flatMap((judge_model) =>
  malformed.map(([name, bad]) => [name, judge_model, bad] as const),
);

test.each(cases)(
  "%s from %s: repeated once with the problem, and judged by the second reply",
  async (name, judge_model, bad) => {
    const folder = await mathRun({ q1: `I find 3 (${name}).` });
    server.answer((request) => (isRepair(request) ? scoreCard(6) : bad));
    const { summary, judging } = await graded(folder, { judge_runs: 1, judge_model });
    // An empty reply is retried once before it counts as a reply.
    const repairs = server.chats().filter(isRepair);
    expect(repairs).toHaveLength(1);
    expect(server.chats().filter((request) => !isRepair(request))).toHaveLength(
      name === "empty" ? 6 : 1,
    );
    const words = wordsOf(repairs[0] as (typeof repairs)[number]);
    expect(words).toContain("could not be used: ");
    const said = typeof bad === "string" ? bad : (bad.text ?? "");
    expect(words).toContain(`<<<data\n${said}\ndata>>>`);
    if (name === "truncated") expect(words).toContain("was cut off at the limit of tokens");
    expect(summary).toMatchObject({ judged: 1, repaired: 1, not_judged: 0 });
    expect(summary.sound?.mean).toBe(6);
    expect(judging.lines[0]?.parts[0]?.replies).toEqual([said, scoreCard(6)]);
  },
);

test.each(cases)(
  "%s twice from %s: not judged, counted, and 0 only in the two means that define it so",
  async (name, judge_model, bad) => {
    const folder = await mathRun({ good: "It is 3.", bad: `I find 4 (${name} twice).` });
    server.answer((request) => (idOf(request) === "bad" ? bad : scoreCard(8)));
    const { summary } = await graded(folder, { judge_runs: 1, judge_model });
    expect(server.chats().filter(isRepair)).toHaveLength(name === "empty" ? 6 : 1);
    expect(summary).toMatchObject({ replies: 2, judged: 1, not_judged: 1, repaired: 0, failed: 0 });
    expect(summary.why_not).toEqual([
      { what: "not judged", count: 1, examples: [expect.stringMatching(/^bad: (it |`\w+` has)/)] },
    ]);
    expect(summary.sound).toMatchObject({ mean: 8, n: 1 });
    expect(summary.all).toMatchObject({ mean: 4, n: 2 });
  },
);

test("fenced JSON is read without a second call; a refusal is not repeated", async () => {
  const folder = await mathRun({ fenced: "It is 3.", refused: "It is 4." });
  server.answer((request) =>
    idOf(request) === "refused"
      ? { refusal: "I will not grade this." }
      : `\`\`\`json\n${scoreCard(7).slice("SCORE_CARD: ".length)}\n\`\`\``,
  );
  const { summary } = await graded(folder, { judge_runs: 1 });
  expect(server.chats()).toHaveLength(2);
  expect(summary).toMatchObject({ judged: 1, not_judged: 1, sound: { mean: 7 } });
  expect(summary.why_not[0]?.examples).toEqual(["refused: the judge refused"]);
});

test("the released number uses first replies as the released code does: unreadable is 0, with any repair", async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `r${index}`);
  const folder = await mathRun(
    Object.fromEntries(ids.map((id) => [id, `The side of ${id} is 3.`])),
  );
  server.answer((request) =>
    isRepair(request) || idOf(request) !== "r0" ? scoreCard(8) : "No card.",
  );
  const { summary } = await graded(folder, { judge_runs: 1 });
  expect(summary.official).toEqual({ mean: 7, per_run: [7], scored: 8, of: 8, unread: 1 });
  expect(summary.sound?.mean).toBe(8);
});

test("fewer than eight samples have no released number; empty replies count 0 in it without a call", async () => {
  const few = await graded(await mathRun({ f1: "It is 3." }), { judge_runs: 1 });
  expect(few.summary.official).toEqual({
    mean: null,
    per_run: [null],
    scored: 0,
    of: 1,
    unread: 0,
  });
  server.reset();
  const replies = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `s${index}`,
      index === 0 ? null : `Side s${index}: 3.`,
    ]),
  );
  const { summary } = await graded(await mathRun(replies), { judge_runs: 1 });
  expect(server.chats()).toHaveLength(7);
  expect(summary.official).toMatchObject({ mean: (7 * 5) / 8, scored: 8, of: 8 });
  expect(summary.left_out).toEqual([
    { what: "samples without a reply", count: 1, examples: ["s0"] },
  ]);
  expect(summary.sound).toMatchObject({ mean: 5, n: 7 });
});

test("a failing server gives an error, which the same command judges again; existing judgements are not billed twice", async () => {
  const folder = await mathRun({ e1: "It is 3.", e2: "It is 4." });
  server.answer((request) =>
    idOf(request) === "e2" ? { status: 500, text: "down" } : scoreCard(9),
  );
  const first = await graded(folder, { judge_runs: 1 });
  expect(first.summary).toMatchObject({ judged: 1, failed: 1, not_judged: 0 });
  expect(first.summary.sound).toMatchObject({ mean: 9, n: 1 });
  expect(first.summary.all).toMatchObject({ mean: 4.5, n: 2 });
  expect(first.summary.why_not[0]?.what).toBe("failed (model-overloaded)");
  expect(server.chats().filter((request) => idOf(request) === "e2")).toHaveLength(8);

  server.reset();
  server.answer(() => scoreCard(3));
  const again = await graded(folder, { judge_runs: 1 });
  expect(server.chats().map(idOf)).toEqual(["e2"]);
  expect(again.summary).toMatchObject({ judged: 2, failed: 0, sound: { mean: 6 } });
  expect(again.judging.lines.find((line) => line.of.sample === "e2")?.attempt).toBe(1);

  server.reset();
  expect((await graded(folder, { judge_runs: 1 })).summary).toEqual(again.summary);
  expect(server.chats()).toHaveLength(0);
  // Another run of the judge requests only that run.
  await graded(folder, { judge_runs: 2 });
  expect(server.chats()).toHaveLength(2);
});

test("judgements are append-only lines next to the run; a half-written one is read from the memo again", async () => {
  const folder = await mathRun({ h1: "It is 3.", h2: "It is 4." });
  const { judging, summary } = await graded(folder, { judge_runs: 1 });
  const file = join(judging.folder, "samples.jsonl");
  const whole = await readFile(file, "utf8");
  expect(whole.split("\n").filter(Boolean)).toHaveLength(2);
  const last = whole.trimEnd().lastIndexOf("\n");
  await writeFile(file, whole.slice(0, last + 1));
  await appendFile(file, whole.slice(last + 1, last + 60));
  server.reset();
  const again = await graded(folder, { judge_runs: 1 });
  expect(server.chats()).toHaveLength(0);
  expect(again.summary).toEqual({
    ...summary,
    usage: { ...summary.usage, ...again.summary.usage },
  });
  expect((await readFile(file, "utf8")).startsWith(whole.slice(0, last + 1))).toBe(true);
  expect(await readJudgings(folder)).toHaveLength(1);
});

test("another judge, prompt or temperature is a separate judging", async () => {
  const folder = await mathRun({ o1: "It is 3." });
  await graded(folder, { judge_runs: 1 });
  await graded(folder, { judge_runs: 1, judge_model: "openai:other" });
  const settings = { reasoning: { temperature: 0 }, runtime: { base_url: server.url } };
  await graded(folder, { judge_runs: 1, settings });
  expect(server.chats().map(({ model, temperature }) => [model, temperature])).toEqual([
    ["scripted", 0.6],
    ["other", 0.6],
    ["scripted", 0],
  ]);
  const judgings = await readJudgings(folder);
  expect(judgings.map(({ header }) => header.judge).sort()).toEqual([
    ...["openai:other", "openai:scripted", "openai:scripted"],
  ]);
});

test("a spent budget leaves a reply unjudged", async () => {
  const folder = await mathRun({ b1: "It is 3." });
  server.answer(() => "no card");
  const settings = { budget: { calls: 1 }, runtime: { base_url: server.url } };
  const { summary } = await graded(folder, { judge_runs: 1, settings });
  expect(server.chats()).toHaveLength(1);
  expect(summary.why_not[0]?.examples).toEqual(["b1: the limit of calls was met"]);
  expect(summary).toMatchObject({ judged: 0, not_judged: 1, sound: null, all: { mean: 0 } });
});

test("a response file of another tool is judged by the steps in it, in a separate folder", async () => {
  const lines = [0, 1].map((n) => {
    const { row: _, ...sample } = mathSample(`q${n}`);
    const options = sample.options.map(({ letter, text }) => `${letter}. ${text}`);
    const { question, answer, steps } = sample;
    const doc = { question_id: `q${n}`, question, options, answer, steps, videoID: `v${n}` };
    return JSON.stringify({ doc_id: n, doc, target: "C", resps: [[`So q${n} is 3.`]] });
  });
  const file = join(await tempFolder(), "log.jsonl");
  await writeFile(file, lines.join("\n"));
  const results = await readResults(file);
  const folder = join(await tempFolder(), "beside");
  const judging = await judgeResults(
    results,
    {
      kind: "steps",
      judge_model: "openai:scripted",
      judge_runs: 1,
      settings: { runtime: { base_url: server.url } },
    },
    { folder, store, createModels: hasty },
  );
  expect(server.chats().every((request) => wordsOf(request).includes("4. take the root"))).toBe(
    true,
  );
  const summary = summarise(results, judging, { extractor: "official" });
  expect(summary).toMatchObject({ judged: 2, sound: { mean: 5, n: 2 } });
  expect(await readJudgings(folder)).toHaveLength(1);
});

test("impossible judging is refused in one sentence before any call", async () => {
  const folder = await mathRun({ w1: "It is 3." });
  const pairs = [mathSample("w2", { options: mathSample("w2").options.slice(0, 2) })];
  const inPairs = await mathRun({ w2: "A" }, pairs);
  const cases: [string, Partial<JudgeInput>, string][] = [
    [folder, { kind: "cot" }, "Invalid --kind cot for VideoMathQA: use steps or errors or grade."],
    [folder, { kind: "dance" }, 'Invalid --kind "dance": use steps, errors, cot, grade.'],
    [folder, { kind: "errors", judge_runs: 3 }, "Invalid --judge-runs for --kind errors"],
    [folder, { judge_runs: 0 }, "Invalid --judge-runs 0: use a whole number from 1 to 25."],
    [folder, { judge_model: "gpt" }, 'Unknown model "gpt": use provider:model'],
    [folder, { settings: { recogniton: {} } }, "Unknown setting `recogniton`"],
    [inPairs, {}, "Invalid --kind steps: the answers are to pairs of options"],
  ];
  for (const [path, more, words] of cases)
    expect((await refusal(judge(path, more))).message).toContain(words);
  expect(server.chats()).toHaveLength(0);
});
