import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import type { ErrorSummary } from "../../../evals/judges/errors/summary.ts";
import { judgeResults } from "../../../evals/judges/judge-run.ts";
import type { JudgeInput } from "../../../evals/judges/judge-settings.ts";
import { readJudgings } from "../../../evals/judges/judging.ts";
import type { StepSummary } from "../../../evals/judges/steps/summary.ts";
import { summarise } from "../../../evals/judges/summary.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { makeRun } from "../run/made-runs.ts";
import { hasty, idOf, isRepair, mathSample, mmrSample, scoreCard, wordsOf } from "./judged-runs.ts";

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
  benchmark: "mmr-v" | "videomathqa",
  samples: Sample[],
  replies: Record<string, string | null>,
): Promise<string> {
  const settings = { strategy: "direct", model: "openai:answerer" } as const;
  return makeRun(join(await tempFolder(), "run"), { benchmark, settings, samples, replies });
}

async function judge<K extends "steps" | "errors">(
  folder: string,
  kind: K,
  more: Partial<JudgeInput> = {},
): Promise<{ steps: StepSummary; errors: ErrorSummary }[K]> {
  const results = await readResults(folder);
  const settings = { runtime: { base_url: server.url } };
  const judging = await judgeResults(
    results,
    { kind, judge_model: "openai:scripted", settings, ...more },
    { folder, store, createModels: hasty },
  );
  const { extractor = "official" } = more;
  return summarise(results, judging, { extractor }) as {
    steps: StepSummary;
    errors: ErrorSummary;
  }[K];
}

test("the errors of a solution are judged with the critique of its steps, which are graded first and once", async () => {
  const ids = ["good", "bad", "odd", "ungraded"];
  const folder = await runOf(
    "videomathqa",
    ids.map((id) => mathSample(id)),
    Object.fromEntries(ids.map((id) => [id, `In ${id} I find 4.`])),
  );
  server.answer((request) => {
    const id = idOf(request);
    if (wordsOf(request).includes("SCORE_CARD"))
      return id === "ungraded" ? "no card" : scoreCard(5, { critique: `${id} forgets the root.` });
    if (id === "good") return "none";
    if (id === "bad") return "TYPE4, TYPE7";
    return isRepair(request) ? "a blunder" : "TYPE9";
  });
  const summary = await judge(folder, "errors");
  const asked = server.chats().filter((request) => !wordsOf(request).includes("SCORE_CARD"));
  expect(asked.map(idOf).sort()).toEqual(["bad", "good", "odd", "odd"]);
  for (const request of asked)
    expect(wordsOf(request)).toContain(`<<<data\n${idOf(request)} forgets the root.\ndata>>>`);
  expect(summary).toMatchObject({ replies: 4, judged: 2, not_judged: 2, failed: 0 });
  const counts = Object.fromEntries(summary.types.map(({ type, count }) => [type, count]));
  expect(counts).toEqual({
    ...{ TYPE1: 0, TYPE2: 0, TYPE3: 0, TYPE4: 1, TYPE5: 0, TYPE6: 0, TYPE7: 1 },
    ...{ none: 1, uncategorized: 0 },
  });
  expect(summary.types.find(({ type }) => type === "TYPE7")).toEqual({
    ...{ type: "TYPE7", about: "miscalculated", count: 1, of_judged: 0.5, of_all: 0.25 },
  });
  expect(summary.why_not).toEqual([
    {
      what: "not judged",
      count: 2,
      examples: expect.arrayContaining([
        expect.stringMatching(/^ungraded: the steps of this reply/),
      ]),
    },
  ]);
  // The steps graded on the way are the first run of `--kind steps`.
  server.reset();
  const steps = await judge(folder, "steps", { judge_runs: 1 });
  expect(server.chats()).toHaveLength(0);
  expect(steps).toMatchObject({ judged: 3, not_judged: 1, sound: { mean: 5 } });
  expect((await readJudgings(folder)).map(({ header }) => header.kind)).toEqual([
    "errors",
    "steps",
  ]);
});

test("if grading fails, the errors fail too, and the same command judges both again", async () => {
  const folder = await runOf("videomathqa", [mathSample("f1")], { f1: "In f1 I find 4." });
  server.answer(() => ({ status: 400, text: "no" }));
  expect(await judge(folder, "errors")).toMatchObject({ judged: 0, not_judged: 0, failed: 1 });
  server.answer((request) => (wordsOf(request).includes("SCORE_CARD") ? scoreCard(5) : "TYPE1"));
  expect(await judge(folder, "errors")).toMatchObject({ judged: 1, not_judged: 0, failed: 0 });
});

test("wrong answers of MMR-V have one cause; right ones are not judged", async () => {
  const ids = ["m1", "m2", "m3", "m4"];
  const folder = await runOf(
    "mmr-v",
    ids.map((id) => mmrSample(id)),
    {
      m1: "It protects, so [[B]]",
      m2: "It rains, so [[A]]",
      m3: "Nobody knows.",
      m4: "Fear. [[C]]",
    },
  );
  server.answer((request) => {
    const id = idOf(request);
    if (id === "m4") return '{"error_type": "Implicit Misinterpretation"}';
    const error_type = id === "m2" ? "Lack of Visual Reasoning" : "Output Formatting Issue";
    return JSON.stringify({ reason: "So it seems.", error_type });
  });
  const summary = await judge(folder, "errors");
  expect(server.chats().map(idOf).sort()).toEqual(["m2", "m3", "m4", "m4"]);
  for (const request of server.chats()) {
    expect(request.temperature).toBe(0);
    expect(request.images).toEqual([]);
    expect(wordsOf(request)).toContain("Right answer: (B) a father");
  }
  expect(summary).toMatchObject({ replies: 3, judged: 2, not_judged: 1, without_frames: 3 });
  expect(summary.left_out).toEqual([
    { what: "right answers (by the extractor official)", count: 1, examples: ["m1"] },
  ]);
  const [visual] = summary.types;
  expect(visual).toMatchObject({ count: 1, of_judged: 0.5, of_all: 1 / 3 });
  expect(summary.types.reduce((sum, { count }) => sum + count, 0)).toBe(2);
});
