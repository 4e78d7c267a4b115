import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { compareResults } from "../../../evals/compare/compare.ts";
import { exportResults } from "../../../evals/export/export-run.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { planRun } from "../../../evals/run/plan-run.ts";
import { startRun } from "../../../evals/run/run.ts";
import { withExtractor } from "../../../evals/score/extractor-choice.ts";
import { withLetters } from "../../../evals/score/name-letters.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { renderScore } from "../../../src/app/cli/render/score.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { hasty, isRepair, mathSample, mmrSample, wordsOf } from "../judges/judged-runs.ts";
import { makeRun } from "../run/made-runs.ts";
import { mathData } from "../run/run-fixtures.ts";

/* The extractor `model-letter`: its requests, and every score that uses its letters. */

let server: ModelServer;
let store: Store;

beforeAll(async () => {
  server = await startModelServer(() => "C");
  store = await openStore(join(await tempFolder(), "store"));
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

async function runOf(
  samples: Sample[],
  replies: Record<string, string | null>,
  {
    benchmark = "videomathqa",
    name = "run",
  }: { benchmark?: "videomathqa" | "mmr-v"; name?: string } = {},
): Promise<string> {
  const settings = {
    strategy: "direct",
    model: "openai:answerer",
    reasoning: { cot: true },
  } as const;
  return makeRun(join(await tempFolder(), name), { benchmark, settings, samples, replies });
}

const asked = (more: object = {}) => ({
  extractor: "model-letter",
  extractor_model: "openai:namer",
  ...more,
});

async function named(folder: string, more: object = {}): Promise<Results> {
  const results = withExtractor(await readResults(folder), asked(more));
  return withLetters(results, folder, {
    ask: true,
    store,
    createModels: hasty,
    settings: { runtime: { base_url: server.url } },
  });
}

/** The quoted reply in a request for its letter. */
const solution = (words: string) => /<<<data\n(\w+):/.exec(words)?.[1] ?? "?";

test("one call names the letter of each reply, as published; a reply without one is wrong and counted", async () => {
  const ids = ["right", "wrong", "none", "talks", "lost", "silent"];
  const replies = Object.fromEntries(
    ids.map((id) => [id, id === "silent" ? null : `${id}: so it is.`]),
  );
  const folder = await runOf(
    ids.map((id) => mathSample(id)),
    replies,
  );
  server.answer((request) => {
    const id = solution(wordsOf(request));
    if (id === "lost") return { status: 400, text: "no" };
    return { right: "C", wrong: " a\n", none: "None", talks: "I think it is C." }[id] ?? "?";
  });
  const results = await named(folder);
  expect(server.chats()).toHaveLength(5);
  for (const request of server.chats()) {
    expect(request).toMatchObject({ images: [], body: { temperature: 0.7, max_tokens: 16 } });
    expect(isRepair(request)).toBe(false);
    expect(wordsOf(request)).toContain("(C) 3");
    expect(wordsOf(request)).not.toMatch(/right answer|How long is the side/i);
  }
  const score = scoreResults(results);
  expect(score).toMatchObject({
    extractor: "model-letter",
    extraction: { by: "asked", model: "openai:namer", temperature: 0.7, max_tokens: 16 },
    all: { right: 1, all: 6, answered: 2, unscored: 2 },
    letters: { asked: 5, without_letter: 2, empty: 0, failed: 1, usage: { calls: 4 } },
  });
  expect(score.groups).toMatchObject([{ kind: "category", group: "Geometry Length", right: 1 }]);
  // The same call repeats failed requests, not stored ones.
  server.reset();
  server.answer(() => "C");
  const again = scoreResults(await named(folder));
  expect(server.chats()).toHaveLength(1);
  expect(again).toMatchObject({ all: { right: 2, unscored: 1 }, letters: { failed: 0 } });
  // Another temperature is another draw.
  await named(folder, { extractor_temperature: 0, extractor_max_tokens: 64 });
  expect(server.chats()).toHaveLength(6);
  expect(server.chats().at(-1)).toMatchObject({ body: { temperature: 0, max_tokens: 64 } });
});

test.each([
  ["an empty reply", { empty: true }],
  ["a reply that the server gave up", { text: "", finish: "abort" }],
  ["half a reply", { text: "The", finish: "error" }],
])("%s of the model is not judged, and the same call asks again", async (_name, broken) => {
  const folder = await runOf([mathSample("e")], { e: `${_name}: so.` });
  server.answer(() => broken);
  const results = await named(folder);
  const score = scoreResults(results);
  expect(score).toMatchObject({
    all: { right: 0, all: 1, unscored: 1 },
    letters: { asked: 1, without_letter: 0, refused: 0, empty: 0, failed: 1 },
  });
  expect(renderScore(score)).toContain("1 reply is not judged because the call failed");
  const lines = results.judgings?.flatMap((judging) => judging.lines) ?? [];
  expect(lines).toMatchObject([{ parts: [], error: { kind: "model-unusable" } }]);
  server.answer(() => "C");
  expect(scoreResults(await named(folder))).toMatchObject({
    all: { right: 1, unscored: 0 },
    letters: { failed: 0 },
  });
});

test("a refusal of the model is a judgement without a letter, and is told as a refusal", async () => {
  const folder = await runOf([mathSample("f")], { f: "f: so." });
  server.answer(() => ({ text: "C", finish: "content_filter" }));
  const score = scoreResults(await named(folder));
  expect(score).toMatchObject({
    all: { right: 0, all: 1, unscored: 0 },
    letters: { asked: 1, without_letter: 0, refused: 1, empty: 0, failed: 0 },
  });
  expect(renderScore(score)).toContain("1 refused by the model (counted as wrong)");
  server.reset();
  await named(folder);
  expect(server.chats()).toHaveLength(0);
});

test("equal replies share a call, and the note has what was paid", async () => {
  const prices = join(await tempFolder(), "prices.yaml");
  await writeFile(prices, '"openai:namer": { input: 100, output: 0 }\n');
  server.answer(() => ({ text: "C", usage: { input: 100, output: 1 } }));
  const ids = ["e1", "e2"];
  const folder = await runOf(
    ids.map((id) => mathSample(id)),
    Object.fromEntries(ids.map((id) => [id, "equal: so."])),
  );
  const results = withExtractor(await readResults(folder), asked());
  const settings = { runtime: { base_url: server.url, prices } };
  const letters = { ask: true, store, createModels: hasty, settings };
  const score = scoreResults(await withLetters(results, folder, letters));
  expect(server.chats()).toHaveLength(1);
  expect(score.letters?.usage).toMatchObject({ calls: 2, cost: 0.02, paid: 0.01 });
  expect(renderScore(score)).toContain("2 calls, $0.0200 ($0.0100 paid)");
});

test("killed naming resumes from the memo: letters of a lost folder cost no second call", async () => {
  const ids = ["m1", "m2"];
  const replies = Object.fromEntries(ids.map((id) => [id, `${id}: so.`]));
  const [one, two] = await Promise.all(
    ["a", "b"].map((name) =>
      runOf(
        ids.map((id) => mathSample(id)),
        replies,
        { name },
      ),
    ),
  );
  server.answer(() => "C");
  await named(one ?? "");
  const twin = scoreResults(await named(two ?? ""));
  expect(server.chats()).toHaveLength(2);
  expect(twin).toMatchObject({ all: { right: 2 }, letters: { usage: { calls: 2, paid: 0 } } });
});

test("a question counts if all its pairs are right, and MMR-V's letters are the offered ones", async () => {
  const pair = (number: number) =>
    mathSample(`q/${number}`, {
      options: ["A", "B"].map((letter) => ({ letter, text: letter })),
      answer: "A",
      row: { question_id: "q" },
    });
  const pairs = await runOf([pair(1), pair(2)], { "q/1": "one: so.", "q/2": "two: so." });
  // Not offered to a pair: as released this is no letter.
  server.answer((request) => (solution(wordsOf(request)) === "two" ? "C" : "A"));
  expect(scoreResults(await named(pairs))).toMatchObject({
    all: { right: 0, all: 1 },
    letters: { without_letter: 1 },
  });
  const mmr = await runOf(
    [mmrSample("m1")],
    { m1: "m1: it is the father." },
    { benchmark: "mmr-v" },
  );
  server.answer(() => "b");
  expect(scoreResults(await named(mmr))).toMatchObject({ all: { right: 1, all: 1 } });
});

test("compare, report and export read the same letters, and report the agreement with the rules", async () => {
  const ids = ["p1", "p2", "p3", "p4"];
  const samples = ids.map((id) => mathSample(id));
  const base = await runOf(
    samples,
    Object.fromEntries(ids.map((id) => [id, `${id}: so.\nAnswer: C`])),
    { name: "base" },
  );
  const other = await runOf(
    samples,
    Object.fromEntries(ids.map((id) => [id, `${id}: hm.\nAnswer: ${id === "p1" ? "B" : "C"}`])),
    { name: "other" },
  );
  server.answer((request) => (/hm\.\nAnswer: B/.test(wordsOf(request)) ? "B" : "C"));
  const runs = [await named(base), await named(other)];
  expect(compareResults(runs)).toMatchObject({
    extractor: "model-letter",
    comparisons: [{ all: { difference: -0.25 } }],
  });
  const [first] = runs as [Results, Results];
  const { agreement } = scoreResults(first);
  expect(agreement).toMatchObject([
    // The A of `Answer`, four times.
    { b: "official", replies: 4, same: 0, share: 0, only_a_right: 4, only_b_right: 0 },
    { b: "lmms-eval-0.7", same: 0 },
    { b: "sound", same: 4, share: 1, kappa: null },
  ]);
  expect(scoreResults(runs[1] as Results).agreement[2]).toMatchObject({ b: "sound", kappa: 1 });
  const [part] = makeReport(runs).parts;
  expect(
    part?.tables.find(({ title }) => title === "Conclusions under each extractor"),
  ).toMatchObject({
    head: ["Conclusion", "model-letter", "official", "lmms-eval-0.7", "sound", "Holds"],
    rows: [
      ["base", "100.00 (1)", "0.00 (1)", "0.00 (1)", "100.00 (1)", "yes"],
      ["other", "75.00 (2)", "0.00 (1)", "0.00 (1)", "75.00 (2)", "no"],
      ["other minus base", "-25.00", "0.00", "0.00", "-25.00", "no"],
    ],
  });
  expect(exportResults(first, "csv")).toContain("model-letter");
  // Without asking, what stands is read; and where nothing stands, the sentence says what to add.
  const kept = withExtractor(await readResults(base), { extractor: "model-letter" });
  const stored = await withLetters(kept, base, { ask: false });
  expect(scoreResults(stored)).toMatchObject({
    all: { right: 4 },
    letters: { model: "openai:namer" },
  });
  expect(() => scoreResults(kept)).toThrow(
    "No letters have been named for base yet: add --extractor-model PROVIDER:MODEL",
  );
});

test("a run stores the given extractor, and its letters are named over the run's connection", async () => {
  const data = await mathData(2);
  const input = {
    ...{ benchmark: "videomathqa", data, strategy: "blind", model: "openai:scripted" },
    reasoning: { cot: true },
    runtime: { base_url: server.url, data: join(await tempFolder(), "store") },
  } as const;
  const folder = join(await tempFolder(), "kept");
  const refused = startRun({ ...input, extractor: "model-letter" }, folder, { store });
  await expect(refused).rejects.toThrow("Missing --extractor-model for --extractor model-letter");
  server.answer((request) => (request.model === "namer" ? "A" : "A is 3 and B is 4.\nAnswer: B"));
  const run = await startRun({ ...input, extractor_model: "openai:namer" }, folder, { store });
  expect(run.header.extractor).toEqual({
    ...{ name: "model-letter", by: "asked", model: "openai:namer" },
    ...{ temperature: 0.7, max_tokens: 16, reasoning_tags: null },
  });
  // While it runs, right answers are counted by what fits the prompts: B, which the second question has.
  expect(run.progress).toMatchObject({ done: 2, right: 1 });
  const { runtime } = run.header.settings;
  const options = { ask: true, settings: { runtime }, store, createModels: hasty };
  const results = await withLetters(await readResults(folder), folder, options);
  expect(scoreResults(results)).toMatchObject({
    extractor: "model-letter",
    all: { right: 1, all: 2 },
    letters: { asked: 2, without_letter: 0 },
  });
});

test("a plan names the reader of the replies, and a published rule that cannot read them", async () => {
  const input = {
    ...{ benchmark: "videomathqa", data: await mathData(1), strategy: "blind" },
    ...{ model: "openai:scripted", reasoning: { cot: true } },
    runtime: { base_url: server.url, data: join(await tempFolder(), "store") },
  } as const;
  expect((await planRun(input)).extractor).toMatchObject({ name: "sound", warning: null });
  const official = await planRun({ ...input, protocol: "official" });
  expect(official.extractor).toMatchObject({
    name: "sound",
    warning: expect.stringContaining("The extractor official cannot read these replies"),
  });
  const named = await planRun({ ...input, protocol: "official", extractor_model: "openai:namer" });
  expect(named.extractor).toMatchObject({ name: "model-letter", warning: null });
  expect(server.chats()).toHaveLength(0);
});
