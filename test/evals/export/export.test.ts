import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Benchmark } from "../../../evals/benchmarks/define-benchmark.ts";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import { toLeaderboard as mmrLeaderboard } from "../../../evals/benchmarks/mmr-v/response-file.ts";
import { placesOf, type Sample } from "../../../evals/benchmarks/sample.ts";
import { scoreReply } from "../../../evals/benchmarks/score-reply.ts";
import { unscored } from "../../../evals/benchmarks/scored-reply.ts";
import { vcrbench } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import { toLeaderboard as vcrLeaderboard } from "../../../evals/benchmarks/vcrbench/response-file.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { dataPlaces } from "../../../evals/export/data-places.ts";
import {
  type Result,
  releasedReplies,
  toCsv,
  toJson,
  toLmmsEval,
} from "../../../evals/export/export.ts";
import { exportResults } from "../../../evals/export/export-run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { readResponses } from "../../../evals/score/responses.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { tempFolder } from "../../support/temp.ts";
import { dataFolder } from "../benchmarks/fixtures.ts";
import { GOOD, makeRun, PROCEDURES } from "../run/made-runs.ts";

const toVcrbench = (all: readonly Result[]) => vcrLeaderboard(releasedReplies(all));
const toMmrV = (all: readonly Result[], model: string) =>
  mmrLeaderboard(releasedReplies(all), model);

async function vcr(): Promise<Sample[]> {
  const rows = [
    { qid: "1", goal: 'Tea, "hot"', video_file: "video_1.mp4", ground_truth: [1, 0, 2] },
    { qid: "2", goal: "Toast", video_file: "video_2.mp4", ground_truth: [0, 1, 2] },
  ];
  return (await vcrbench.load(await dataFolder({ "data.json": rows }))).samples;
}

async function mmr(): Promise<Sample[]> {
  const rows = ["a.mp4", "b.mp4"].map((video, question_idx) => ({
    video,
    videoType: "Life",
    question: "What?",
    options: ["(A) x", "(B) y"],
    correctAnswer: "(B)",
    question_idx,
  }));
  return (await mmrV.load(await dataFolder({ "MMR-V.json": rows }))).samples;
}

async function math(): Promise<Sample[]> {
  const rows = ["A", "B"].map((answer) => ({
    question_id: "q1",
    question: "How long?",
    options: answer === "A" ? ["A. 3", "B. 1"] : ["A. 2", "B. 3"],
    answer,
    videoID: "v",
    category: "Chart",
    length: "short",
  }));
  const folder = await dataFolder({ "mbin.json": rows });
  return (await videoMathQa.load(folder, { config: "multi_binary" })).samples;
}

function results(benchmark: Benchmark, samples: Sample[], replies: readonly string[]): Result[] {
  return samples.map((sample, index) => ({
    ...scoreReply(benchmark, sample, replies[index] ?? "", "official"),
    reply: replies[index] ?? "",
    epoch: 1,
  }));
}

const reply = fc
  .oneof(fc.string({ minLength: 1 }), fc.constantFrom("[[B]]", "2, 1, 3", "B"))
  .filter((text) => text.trim() !== "");

describe("an exported file can be read again", () => {
  test.each([
    ["VCRBench's leaderboard format", vcrbench, vcr, (all: Result[]) => toVcrbench(all)],
    ["MMR-V's result format", mmrV, mmr, (all: Result[]) => toMmrV(all, "m-1")],
    [
      "an lmms-eval log of VCRBench",
      vcrbench,
      vcr,
      (all: Result[], samples: Sample[]) => toLmmsEval(all, placesOf({ samples })),
    ],
    [
      "an lmms-eval log of MMR-V",
      mmrV,
      mmr,
      (all: Result[], samples: Sample[]) => toLmmsEval(all, placesOf({ samples })),
    ],
    [
      "an lmms-eval log of pairs",
      videoMathQa,
      math,
      (all: Result[], samples: Sample[]) => toLmmsEval(all, placesOf({ samples })),
    ],
  ] as const)("%s", async (_, benchmark, load, write) => {
    const samples = await load();
    fc.assert(
      fc.property(fc.tuple(reply, reply), (replies) => {
        const read = readResponses(
          write(results(benchmark, samples, replies), samples),
          benchmark,
          samples,
        );
        expect(read.replies).toEqual(
          samples.map(({ id }, index) => ({ sample: id, reply: replies[index] })),
        );
        expect(read.notes).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

test("VCRBench's file has the released fields, and only the first epoch", async () => {
  const samples = await vcr();
  const [first, second] = results(vcrbench, samples, ["2, 1, 3", "x"]) as [Result, Result];
  const text = toVcrbench([
    { ...first, reply: "later", epoch: 2 },
    first,
    { ...second, reply: null },
  ]);
  expect(JSON.parse(text)).toEqual([
    { qid: "1", answer: [2, 1, 3], video_file: "video_1.mp4", pred: "2, 1, 3" },
    { qid: "2", answer: [1, 2, 3], video_file: "video_2.mp4", pred: "" },
  ]);
});

test("MMR-V's file keeps the row, without a letter if the released script finds none", async () => {
  const samples = await mmr();
  const rows: unknown = JSON.parse(toMmrV(results(mmrV, samples, ["[[B]]", "Angst"]), "gpt-4o"));
  expect(rows).toEqual([
    {
      ...samples[0]?.row,
      "gpt-4o_raw_response": "[[B]]",
      "gpt-4o_response": { final_answer: "B" },
    },
    { ...samples[1]?.row, "gpt-4o_raw_response": "Angst" },
  ]);
});

test("MMR-V's file has an empty reply for a sample without one, since the released scorer reads text", async () => {
  const samples = await mmr();
  const [first] = results(mmrV, samples, ["[[B]]"]) as [Result];
  expect(JSON.parse(toMmrV([{ ...first, reply: null }], "gpt-4o"))).toEqual([
    { ...samples[0]?.row, "gpt-4o_raw_response": "" },
  ]);
});

test("an lmms-eval line has every epoch of its question", async () => {
  const samples = await math();
  const [first] = results(videoMathQa, samples, ["A", "B"]) as [Result];
  const text = toLmmsEval([first, { ...first, reply: "B", epoch: 2 }], placesOf({ samples }));
  expect(JSON.parse(text)).toEqual({
    doc_id: 0,
    doc: samples[0]?.row,
    target: "A",
    resps: [["A", "B"]],
    filtered_resps: ["A"],
  });
});

test("CSV and JSON have one entry per result; a formula in a reply is neutralised", async () => {
  const samples = await vcr();
  const all: Result[] = [
    ...results(vcrbench, samples, ["2, 1, 3", '=HYPERLINK("http://evil")']),
    {
      ...unscored(samples[0] as Sample, "the video is missing", "official"),
      reply: null,
      epoch: 2,
    },
  ];
  const rows = parse(toCsv([{ results: all, benchmark: vcrbench }]), { columns: true }) as Record<
    string,
    string
  >[];
  expect(rows).toHaveLength(3);
  expect(rows[0]).toEqual({
    sample: "1",
    epoch: "1",
    option_shift: "0",
    video: "videos/video_1.mp4",
    question: 'Put the clips in the order that completes this task: Tea, "hot"',
    right: "2, 1, 3",
    answer: "2, 1, 3",
    value: "1",
    extractor: "official",
    epochs_right: "1",
    majority: "2, 1, 3",
    majority_right: "1",
    steps_right: "3",
    steps: "3",
    explanation: "2, 1, 3 (sentence 1); right is 2, 1, 3",
    ...{ status: "", cited_by: "", support: "", calls: "" },
    ...{ reasoning_tokens: "", cached_input_tokens: "" },
    ...{ input_tokens: "", output_tokens: "", estimated_calls: "", stopped_by: "", seconds: "" },
    ...{ model_seconds: "", own_seconds: "", waited_seconds: "", calls_without_duration: "" },
    ...{ identity_order: "0", runaway_list: "0" },
    "group:goal": 'Tea, "hot"',
    "group:steps": "3",
    reply: "2, 1, 3",
  });
  expect(rows[1]?.reply).toBe('\'=HYPERLINK("http://evil")');
  expect(rows[2]).toMatchObject({
    value: "",
    answer: "",
    reply: "",
    explanation: "the video is missing",
  });
  expect(JSON.parse(toJson([{ results: all, benchmark: vcrbench }]))).toMatchObject([
    { sample: "1", value: 1, groups: { goal: 'Tea, "hot"', steps: "3" }, reply: "2, 1, 3" },
    { sample: "2", value: 0, reply: '=HYPERLINK("http://evil")' },
    { sample: "1", epoch: 2, value: null, reply: null },
  ]);
});

test("an exported answer to a choice has no steps, also if the benchmark has orders", async () => {
  const [order] = (await vcr()) as [Sample];
  const choice: Sample = { ...order, id: "c", task: "choice", answer: "A" };
  const all = results(vcrbench, [order], ["2, 1, 3"]);
  const mixed = [...all, { ...(all[0] as Result), sample: choice }];
  const rows = JSON.parse(toJson([{ results: mixed, benchmark: vcrbench }]));
  expect(rows[0]).toMatchObject({ steps_right: 3, steps: 3 });
  expect(rows[1]).not.toHaveProperty("steps");
  expect(rows[1]).not.toHaveProperty("steps_right");
});

test("a run is exported in the order of its samples, with usage and citations", async () => {
  const folder = await makeRun(join(await tempFolder(), "run"), {
    settings: { strategy: "blind", model: "openai:scripted" },
    samples: [...PROCEDURES].reverse(),
    replies: { ...GOOD, "2": "1, 2, 3", "3": "1, 2, 3, 4, 5" },
    line: { cited_by: "model", diagnostics: { support: "supported" } },
  });
  const results = await readResults(folder);
  const rows = parse(exportResults(results, "csv"), { columns: true }) as Record<string, string>[];
  expect(rows.map(({ sample }) => sample)).toEqual(["4", "3", "2", "1"]);
  expect(rows.map((row) => [row.identity_order, row.runaway_list])).toEqual([
    ["1", "0"],
    ["0", "1"],
    ["1", "0"],
    ["0", "0"],
  ]);
  expect(rows[0]).toMatchObject({
    ...{ status: "answered", cited_by: "model", support: "supported" },
    ...{ calls: "2", input_tokens: "1000", output_tokens: "20", seconds: "1.5" },
  });
  const released: { qid: string }[] = JSON.parse(exportResults(results, "vcrbench"));
  expect(released.map(({ qid }) => qid)).toEqual(["4", "3", "2", "1"]);
  const { reply_signs } = scoreResults(results);
  expect(reply_signs).toMatchObject([
    { name: "identity_order", count: 2, of: 4, rate: { mean: 0.5 } },
    { name: "runaway_list", count: 1, of: 4, rate: { mean: 0.25 } },
  ]);
});

describe("doc_id of lmms-eval", () => {
  const row = (question_idx: number | string) => ({
    ...{ video: "a.mp4", videoType: "Life", question: `What ${question_idx}?` },
    ...{ options: ["(A) x", "(B) y"], correctAnswer: "(B)", question_idx },
  });
  /** Of five rows, of which the second cannot be read, the run asks two. */
  async function limited() {
    const rows = [row(0), { ...row(1), options: 7 }, row(2), row(3), row(4)];
    const path = await dataFolder({ "MMR-V.json": rows });
    const { samples, hash } = await mmrV.load(path);
    const asked = samples.slice(2);
    const folder = await makeRun(join(await tempFolder(), "run"), {
      benchmark: "mmr-v",
      settings: { strategy: "blind", model: "openai:scripted" },
      samples: asked,
      replies: Object.fromEntries(asked.map(({ id }) => [id, "[[B]]"])),
      header: {
        data: { folder: path, path, files: [], hash, subset: "mcq", samples: 4, notes: [] },
      },
    });
    return { path, results: await readResults(folder) };
  }
  const ids = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).doc_id);

  test("is the place in the data, of which the run asked only some", async () => {
    const { results } = await limited();
    const places = await dataPlaces(results);
    expect(ids(exportResults(results, "lmms-eval", { places }))).toEqual([3, 4]);
  });

  test("is null, with a note, if the data have changed or are gone", async () => {
    const { path, results } = await limited();
    const notes: string[] = [];
    const note = (text: string) => void notes.push(text);
    await writeFile(join(path, "MMR-V.json"), JSON.stringify([row(9), row(4), row(3)]));
    const places = await dataPlaces(results, note);
    expect(ids(exportResults(results, "lmms-eval", { places }))).toEqual([null, null]);
    await rm(path, { recursive: true });
    expect(await dataPlaces(results, note)).toBeNull();
    expect(notes).toEqual([
      `doc_id of run is null: MMR-V.json in ${path} has changed since the run started. Match its lines with the questions by their doc instead.`,
      expect.stringMatching(/^doc_id of run is null: its data cannot be read \(.*\) Match its/),
    ]);
  });

  test("of a response file is that of the data that it was read with", async () => {
    const { path, results } = await limited();
    const file = join(await tempFolder(), "replies.jsonl");
    await writeFile(file, exportResults(results, "lmms-eval"));
    const asked = { benchmark: "mmr-v" };
    const read = await readResults(file, { ...asked, data: path });
    const text = exportResults(read, "lmms-eval", { places: await dataPlaces(read) });
    expect(ids(text)).toEqual([3, 4]);
    const notes: string[] = [];
    expect(await dataPlaces(await readResults(file, asked), (text) => notes.push(text))).toBeNull();
    expect(notes[0]).toContain("add --data.");
  });
});
