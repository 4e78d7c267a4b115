import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { benchmarkNamed } from "../../../evals/benchmarks/define-benchmark.ts";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import { vcrbench } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { startRun } from "../../../evals/run/run.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import type { RunProgress } from "../../../evals/run/run-progress.ts";
import { writeReply } from "../../../evals/run/write-reply.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { procedureModel, rightOrder, stepOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { choice } from "../benchmarks/fixtures.ts";
import { mathData, mmrData, settingsFor, vcrData } from "./run-fixtures.ts";

const PLACES = [2, 3, 1];
let server: ModelServer;
let root: string;
const data: Record<string, string> = {};

beforeAll(async () => {
  server = await startModelServer(() => "");
  root = await tempFolder();
  data.vcrbench = await vcrData([PLACES]);
  data["mmr-v"] = await mmrData(1, 1);
  data.videomathqa = await mathData(1);
});
afterAll(async () => {
  await server.close();
  await closeOcr();
});
beforeEach(() => server.reset());

let runs = 0;

/** The one line of a run over the one sample of a benchmark. */
async function lineOf(benchmark: string, script: Script, more: object): Promise<RunLine> {
  server.answer(script);
  const folder = join(root, `run-${++runs}`);
  const settings = settingsFor(server.url, join(root, `store-${runs}`), more);
  await startRun({ benchmark, data: data[benchmark], ...settings }, folder);
  return (await openRunLog(folder).read()).samples[0] as RunLine;
}

const small = { frames: 6, max_side: 64 };
const said = "Clip 1, Clip 2 and 3 are mixed up.\nCorrect order: **3, 1, 2**";

test.each([
  ["direct", { recognition: small }],
  ["blind", { recognition: {} }],
  ["key-frame", { recognition: { max_side: 64 } }],
])("the reply of %s is the model's, verbatim", async (strategy, more) => {
  const line = await lineOf("vcrbench", () => said, { strategy, ...more });
  expect(line).toMatchObject({ reply: said, reply_by: "model", status: "answered" });
  expect(line.answer).toEqual([3, 1, 2]);
  expect(server.chats()).toHaveLength(1);
});

test("unreadable, truncated and refused replies reach the extractors unchanged", async () => {
  const odd = await lineOf("mmr-v", () => "The lemons look fresh.", { recognition: small });
  expect(odd).toMatchObject({ status: "unparsed", reply: "The lemons look fresh." });
  const cut = await lineOf("vcrbench", () => ({ text: "Correct order: 3, 1", finish: "length" }), {
    recognition: small,
  });
  expect(cut).toMatchObject({ status: "truncated", reply: "Correct order: 3, 1", answer: null });
  expect(cut.scores.official).toMatchObject({ value: 0, answer: null });
  const refused = await lineOf("mmr-v", () => ({ refusal: "I cannot say." }), {
    recognition: small,
  });
  expect(refused).toMatchObject({ status: "refused", reply: "I cannot say.", reply_by: "model" });
  const thought = "<think>A or [[C]]?</think> [[A]]";
  const thinking = await lineOf("mmr-v", () => thought, { recognition: small });
  expect(thinking).toMatchObject({ reply: thought, answer: "A" });
  expect(thinking.scores).toMatchObject({ official: { answer: "C" }, sound: { answer: "A" } });
});

test("rrd that orders in one call stores that call's reply; for comparisons code writes the order", async () => {
  const good = procedureModel(PLACES);
  const recognition = { mode: "all-at-once", input: "whole-video", ...small };
  const script: Script = async (request) =>
    stepOf(request) === "order" ? `So be it. ${await good(request)}!` : good(request);
  const once = await lineOf("vcrbench", script, { strategy: "rrd", recognition });
  const order = rightOrder(PLACES).join(", ");
  expect(once).toMatchObject({ reply: `So be it. Correct order: ${order}!`, reply_by: "model" });
  const reasoning = { method: "merge-sort" };
  const merged = await lineOf("vcrbench", good, { strategy: "rrd", recognition, reasoning });
  expect(merged).toMatchObject({ reply: `Correct order: ${order}`, reply_by: "code" });
  expect(merged.scores).toMatchObject({ official: { value: 1 }, sound: { value: 1 } });
  expect(merged.evidence.map(({ kind }) => kind)).toEqual(["caption", "caption", "caption"]);
  const none = await lineOf(
    "vcrbench",
    (request) => (stepOf(request) === "compare" ? "who knows" : good(request)),
    { strategy: "rrd", recognition, reasoning },
  );
  expect(none).toMatchObject({ status: "unparsed", reply: "", reply_by: "code" });
});

test("rrd over a choice question stores the reply of the reasoning call", async () => {
  const script: Script = (request) =>
    request.images.length > 0 ? "Part 1: a grey field." : "It must be [[A]].";
  const line = await lineOf("mmr-v", script, { strategy: "rrd", recognition: small });
  expect(line).toMatchObject({ reply: "It must be [[A]].", reply_by: "model", answer: "A" });
});

test.each([
  ["vcrbench", /^Correct order: [123], [123], [123]$/],
  ["mmr-v", /^\[\[[ABC]\]\]$/],
  ["videomathqa", /^[A-E]$/],
])("a random answer for %s is written in the benchmark's form", async (benchmark, form) => {
  const more = { strategy: "random", model: null, recognition: {} };
  const line = await lineOf(benchmark, () => "", more);
  expect(line.reply).toMatch(form);
  expect(line).toMatchObject({ reply_by: "code", usage: { calls: 0 } });
  expect(line.scores.official?.answer).toEqual(line.answer);
  expect(line.scores.sound?.answer).toEqual(line.answer);
});

test("a question that `extractive` leaves open has an empty reply: unanswered, and no error", async () => {
  const more = { strategy: "extractive", model: null, recognition: {} };
  const line = await lineOf("videomathqa", () => "", more);
  expect(line).toMatchObject({ status: "not-answered", reply: "", reply_by: "code" });
  expect(line.scores).toMatchObject({ official: { value: 0, answer: null } });
});

test("both extractors of a benchmark read what code writes", () => {
  const permutation = fc.integer({ min: 2, max: 9 }).chain((n) =>
    fc.shuffledSubarray(
      Array.from({ length: n }, (_, i) => i + 1),
      { minLength: n },
    ),
  );
  fc.assert(
    fc.property(permutation, (order) => {
      const sample = { ...choice("AB"), task: "order" as const, options: [], answer: order };
      const reply = writeReply("order-line", order);
      for (const name of ["official", "sound"])
        expect(vcrbench.extractors[name]?.(reply, sample).answer).toEqual(order);
    }),
  );
  for (const benchmark of [mmrV, videoMathQa])
    for (const letter of "ABCDE")
      for (const name of ["official", "sound"])
        expect(
          benchmarkNamed(benchmark.name).extractors[name]?.(
            writeReply(benchmark.answers.written, letter),
            choice("ABCDE"),
          ).answer,
        ).toBe(letter);
  expect(writeReply("brackets", null)).toBe("");
});

test("the live figure of a run counts replies without its reasoning tags, as its score does", async () => {
  server.answer(() => "<notes>B or C?</notes>A");
  const folder = join(root, `run-${++runs}`);
  const settings = settingsFor(server.url, join(root, `store-${runs}`), { recognition: small });
  const seen: RunProgress[] = [];
  await startRun(
    {
      ...{ ...settings, benchmark: "videomathqa", data: data.videomathqa },
      ...{ extractor: "lmms-eval-0.7", reasoning_tags: ["notes"] },
    },
    folder,
    { onProgress: (progress) => seen.push(progress) },
  );
  const results = await readResults(folder);
  expect(scoreResults(results).all.right).toBe(1);
  expect(seen.at(-1)).toMatchObject({ right: 1, scored: 1 });
  expect(results.said[0]?.line?.scores["lmms-eval-0.7"]).toMatchObject({ answer: "A", value: 1 });
});
