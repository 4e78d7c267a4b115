import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { judgeAgreement, peopleTypes } from "../../../evals/judges/agreement.ts";
import { MMR_ERRORS } from "../../../evals/judges/errors/mmr-v.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { tempFolder } from "../../support/temp.ts";
import { plainVideo, refusal } from "../run/run-fixtures.ts";
import { hasty, wordsOf } from "./judged-runs.ts";

let server: ModelServer;
let store: Store;

beforeAll(async () => {
  server = await startModelServer(() => "");
  store = await openStore(join(await tempFolder(), "store"));
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const named = (error_type: string) => JSON.stringify({ reason: "So it seems.", error_type });

/** Row `n` of video `v`, with the label of a person, if any. */
function row(n: number, label: string | null, video = `v${n}.mp4`) {
  return {
    video,
    question: `What is meant by ${n}?`,
    options: ["(A) one", "(B) two"],
    correctAnswer: "(A)",
    question_idx: n,
    "gpt-4o_raw_response": `It is [[B]] in ${n}.`,
    "gpt-4o_response": { final_answer: "B" },
    error_info: label === null ? null : { human_annotation_error_type: label },
  };
}

async function file(rows: unknown): Promise<string> {
  const path = join(await tempFolder(), "labelled.json");
  await writeFile(path, JSON.stringify(rows));
  return path;
}

const agree = async (path: string) =>
  judgeAgreement(
    { file: path, judge_model: "openai:scripted", settings: { runtime: { base_url: server.url } } },
    { folder: await tempFolder(), store, createModels: hasty },
  );

test("kappa, confusion and counts match a calculation by hand, with and without unjudged replies", async () => {
  const visual = "Lack of Visual Reasoning";
  const reason = "Reasoning Error";
  const path = await file([
    ...[0, 1, 2, 3].map((n) => row(n, visual)),
    ...[4, 5, 6].map((n) => row(n, reason)),
    row(7, "Output formatting Issue"),
    row(8, "An odd label"),
    row(9, null),
  ]);
  server.answer((request) => {
    const n = Number(/meant by (\d)/.exec(wordsOf(request))?.[1]);
    if (n === 6) return "I cannot tell.";
    return named(n <= 2 || n === 4 ? visual : n === 7 ? "Output Formatting Issue" : reason);
  });
  const found = await agree(path);
  // Judged: 4 visual (3 so called), 2 reasoning (1), 1 formatting (1).
  expect(found).toMatchObject({ n: 8, n_judged: 7 });
  expect(server.chats()).toHaveLength(9);
  expect(found.agreement).toEqual({ of_judged: 5 / 7, of_all: 5 / 8 });
  const chance = (4 * 4 + 2 * 2 + 1 * 1) / 49;
  expect(found.of_judged?.kappa).toBeCloseTo((5 / 7 - chance) / (1 - chance), 12);
  const chanceAll = (4 * 4 + 3 * 2 + 1 * 1) / 64;
  expect(found.of_all.kappa).toBeCloseTo((5 / 8 - chanceAll) / (1 - chanceAll), 12);
  const { types, counts } = found.confusion;
  const cell = (a: string, b: string) =>
    counts[types.indexOf(a as "Hallucination")]?.[types.indexOf(b as "Hallucination")];
  expect([cell(visual, visual), cell(visual, reason), cell(reason, visual)]).toEqual([3, 1, 1]);
  expect(counts.map((line) => line[MMR_ERRORS.length])).toEqual([0, 0, 0, 1, 0, 0]);
  expect(counts.flat().reduce((sum, count) => sum + count, 0)).toBe(8);
  expect(found.types.find(({ type }) => type === reason)).toEqual({
    ...{ type: reason, people: 3, judge: 2, both: 1, precision: 1 / 2, recall: 1 / 3 },
  });
  expect(found.notes).toEqual([
    { what: "labels that are not known", count: 1, examples: ["An odd label"] },
  ]);
  const { low, high, draws } = found.of_all.bootstrap;
  expect(draws).toBe(10_000);
  expect(low).toBeLessThan(found.of_all.kappa ?? 0);
  expect(high).toBeGreaterThan(found.of_all.kappa ?? 0);
});

test("with the videos the judge sees frames that the file does not contain", async () => {
  const videos = await tempFolder();
  await mkdir(join(videos, "videos"));
  await plainVideo(join(videos, "videos", "v0.mp4"), 1);
  server.answer(() => named("Hallucination"));
  const path = await file([row(0, "Hallucination"), row(1, "Reasoning Error")]);
  const found = await judgeAgreement(
    {
      file: path,
      judge_model: "openai:seeing",
      settings: { runtime: { base_url: server.url }, recognition: { frames: 3, max_side: 64 } },
    },
    { folder: await tempFolder(), data: videos, store, createModels: hasty },
  );
  const seen = server
    .chats()
    .map((request) => [wordsOf(request).includes("by 0?"), request.images.length]);
  expect(seen).toContainEqual([true, 3]);
  expect(seen).toContainEqual([false, 0]);
  expect(found).toMatchObject({ n: 2, n_judged: 2, judged: { without_frames: 1 } });
});

test("a file without labels is refused with what is missing", async () => {
  const { kind, message } = await refusal(agree(await file([row(0, null)])));
  expect(kind).toBe("data-malformed");
  expect(message).toContain("No labels by people in");
  expect(server.chats()).toHaveLength(0);
});

describeShared("people's 48 error types of GPT-4o's answers", () => {
  const path = () => sharedFile("mmr-v/questions_with_gpt-4o_responses.json");

  /** The row's own label, by the words of its answer. */
  async function people() {
    const results = await readResults(path(), { benchmark: "mmr-v" });
    const { types } = peopleTypes(results);
    const told = results.said.flatMap(({ sample, reply }) => {
      const type = types.get(sample.id);
      return type === undefined ? [] : [{ reply: (reply ?? "").slice(0, 200), type }];
    });
    return (request: SeenRequest) => {
      const words = wordsOf(request);
      return told.find(({ reply }) => words.includes(reply))?.type ?? "Hallucination";
    };
  }

  test("are all read, and a judge that repeats the labels agrees fully", async () => {
    const label = await people();
    server.answer((request) => named(label(request)));
    const found = await agree(path());
    expect(server.chats()).toHaveLength(48);
    expect(found).toMatchObject({ n: 48, n_judged: 48, agreement: { of_judged: 1, of_all: 1 } });
    expect(found.of_judged).toMatchObject({
      kappa: 1,
      se: expect.closeTo(0, 6),
      bootstrap: { low: 1, high: 1 },
    });
    const counts = Object.fromEntries(found.types.map(({ type, people: count }) => [type, count]));
    expect(counts).toEqual({
      "Lack of Visual Reasoning": 21,
      "Implicit Misinterpretation": 13,
      "Knowledge Insufficiency": 8,
      "Reasoning Error": 5,
      Hallucination: 0,
      "Output Formatting Issue": 1,
    });
  });

  test("a judge that always names the commonest type agrees only by chance", async () => {
    server.answer(() => named("Lack of Visual Reasoning"));
    const found = await judgeAgreement(
      { file: path(), judge_model: "openai:lazy", settings: { runtime: { base_url: server.url } } },
      { folder: await tempFolder(), store, createModels: hasty },
    );
    expect(found.agreement.of_all).toBe(21 / 48);
    expect(found.of_judged?.kappa).toBeCloseTo(0, 12);
    expect(found.types[0]).toMatchObject({ precision: 21 / 48, recall: 1 });
  });
});
