import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { vcrbench } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { guessResponses, readResponses } from "../../../evals/score/responses.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { dataFolder } from "../benchmarks/fixtures.ts";

const lines = (records: unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const counts = (notes: { what: string; count: number }[]) =>
  Object.fromEntries(notes.map((note) => [note.what, note.count]));

async function vcr(): Promise<Sample[]> {
  const rows = ["1", "2", "3"].map((qid) => ({
    qid,
    goal: "Tea",
    video_file: `video_${qid}.mp4`,
    ground_truth: [1, 0, 2],
  }));
  return (await vcrbench.load(await dataFolder({ "data.json": rows }))).samples;
}

async function mmr(): Promise<Sample[]> {
  const rows = [
    { video: "a.mp4", question: "What?", question_idx: 10 },
    { video: "b.mp4", question: "What?", question_idx: 11 },
    { video: "a.mp4", question: "What?", question_idx: 12 },
  ].map((row) => ({ ...row, options: ["(A) x", "(B) y"], correctAnswer: "(B)" }));
  return (await mmrV.load(await dataFolder({ "MMR-V.json": rows }))).samples;
}

const mathDoc = (question_id: string, options: string[], answer: string) => ({
  question_id,
  question: "How long?",
  options,
  answer,
  videoID: "v",
  category: "Chart",
  length: "short",
});
const FIVE = ["A. 1", "B. 2", "C. 3", "D. 4", "E. 5"];

describe("VCRBench responses", () => {
  const record = (qid: unknown, pred: unknown) => ({
    qid,
    answer: [2, 1, 3],
    video_file: `video_${qid}.mp4`,
    pred,
  });

  test.each([
    ["a list", JSON.stringify([record("1", "2, 1, 3"), record("2", ["3, 2, 1", "other"])])],
    ["JSON lines", lines([record("1", "2, 1, 3"), record("2", ["3, 2, 1"])])],
    ["records by qid", JSON.stringify({ "1": { pred: "2, 1, 3" }, "2": { pred: ["3, 2, 1"] } })],
    ["replies by qid", JSON.stringify({ "1": "2, 1, 3", "2": "3, 2, 1" })],
    [
      "a list in an object",
      JSON.stringify({ model: "m", results: [record("1", "2, 1, 3"), record("2", "3, 2, 1")] }),
    ],
    ["a byte order mark", `\uFEFF${JSON.stringify([record(1, "2, 1, 3"), record(2, "3, 2, 1")])}`],
    [
      "records known by their video",
      lines([
        { video_file: "video_1.mp4", pred: "2, 1, 3" },
        { video_file: "video_2.mp4", pred: "3, 2, 1" },
      ]),
    ],
  ])("%s", async (_, text) => {
    const { format, replies, notes } = readResponses(text, vcrbench, await vcr());
    expect(format).toBe("vcrbench");
    expect(replies).toEqual([
      { sample: "1", reply: "2, 1, 3" },
      { sample: "2", reply: "3, 2, 1" },
    ]);
    expect(notes).toEqual([{ what: "questions without a reply", count: 1, examples: ["3"] }]);
  });

  test("counts what does not fit, and continues", async () => {
    const text = `${lines([
      record("1", "first"),
      record("1", "second"),
      record("2", null),
      record("3", { order: 7 }),
      record("99", "stranger"),
      { ...record("2", "kept"), answer: [1, 2, 3] },
      { note: "not a response" },
    ])}\n{"qid": "3", "pre`;
    const { replies, notes } = readResponses(text, vcrbench, await vcr());
    expect(replies).toEqual([
      { sample: "1", reply: "second" },
      { sample: "2", reply: "kept" },
      { sample: "3", reply: "" },
    ]);
    expect(counts(notes)).toEqual({
      "half-written last line": 1,
      "questions answered more than once, the last counts": 2,
      "empty replies": 1,
      "replies that are not text": 1,
      "records that name no question of the data": 1,
      "right answers that differ from the data's, which count": 1,
      "records of another form": 1,
    });
  });

  test("numbers and lists of numbers are replies, as the text that says the same", async () => {
    const text = lines([record("1", [2, 1, 3]), record("2", 7), record("3", [["2"], 1])]);
    const { replies, notes } = readResponses(text, vcrbench, await vcr());
    expect(replies.map(({ reply }) => reply)).toEqual(["2, 1, 3", "7", ""]);
    expect(counts(notes)).toEqual({ "replies that are not text": 1 });
  });

  test("a damaged line in the middle and a half-written last one are counted separately", async () => {
    const text = `${lines([record("1", "x")])}\n{"qid":\n${lines([record("2", "y")])}\n`;
    const { replies, notes } = readResponses(text, vcrbench, await vcr());
    expect(replies).toHaveLength(2);
    expect(counts(notes)["damaged lines"]).toBe(1);
  });
});

describe("numbers that are not JSON", () => {
  const first =
    '{"qid": "1", "pred": "NaN, \\"Infinity\\"", "score": NaN, "of": [Infinity, -Infinity]}';
  const second = '{"qid": "2", "pred": "x", "score": 1}';

  test.each([
    ["JSON lines", `${first}\r\n${second}`],
    ["a list", `[${first},\n${second}]`],
  ])("are null in %s, and stay in replies", async (_, text) => {
    const { replies, notes } = readResponses(text, vcrbench, await vcr());
    expect(replies).toEqual([
      { sample: "1", reply: 'NaN, "Infinity"' },
      { sample: "2", reply: "x" },
    ]);
    expect(counts(notes)).toEqual({ "questions without a reply": 1 });
  });

  test("a damaged line does not hide those of the next", async () => {
    const text = `{"qid": "3", "pred": "half\n${first}\n${second}`;
    const { replies, notes } = readResponses(text, vcrbench, await vcr());
    expect(replies.map(({ sample }) => sample)).toEqual(["1", "2"]);
    expect(counts(notes)["damaged lines"]).toBe(1);
  });
});

describe("MMR-V result files", () => {
  const results = (rows: object[]) => JSON.stringify(rows);

  test("rows with a model's raw responses are read; equal questions are distinguished by video and position", async () => {
    const samples = await mmr();
    const text = results([
      {
        video: "a.mp4",
        question: "What?",
        question_idx: 12,
        "gpt-4o_raw_response": "third",
        "gpt-4o_response": { final_answer: "B" },
      },
      { video: "b.mp4", question: "What?", question_idx: 11, "gpt-4o_raw_response": "second" },
      { video: "a.mp4", question: "What?", question_idx: 10, "gpt-4o_raw_response": "first" },
    ]);
    const { replies, notes } = readResponses(text, mmrV, samples);
    expect(new Map(replies.map(({ sample, reply }) => [sample, reply]))).toEqual(
      new Map([
        [samples[0]?.id, "first"],
        [samples[1]?.id, "second"],
        [samples[2]?.id, "third"],
      ]),
    );
    expect(notes).toEqual([]);
  });

  test("lines of question_idx and raw_response", async () => {
    const samples = await mmr();
    const text = lines([
      { question_idx: 11, raw_response: "[[B]]", official_extracted: "B" },
      { question_idx: 99, raw_response: "[[A]]" },
    ]);
    const { replies, notes } = readResponses(text, mmrV, samples);
    expect(replies).toEqual([{ sample: samples[1]?.id, reply: "[[B]]" }]);
    expect(counts(notes)).toEqual({
      "records that name no question of the data": 1,
      "questions without a reply": 2,
    });
  });

  test("a letter without a raw response becomes a reply with that letter", async () => {
    const text = results([
      { video: "b.mp4", question: "What?", m_response: { final_answer: "A" } },
    ]);
    const { replies, notes } = readResponses(text, mmrV, await mmr());
    expect(replies[0]?.reply).toBe("[[A]]");
    expect(counts(notes)["replies known by their letter only"]).toBe(1);
  });

  test("one of several models must be named", async () => {
    const text = results([
      { video: "b.mp4", question: "What?", "m-1_raw_response": "one", "m-2_raw_response": "two" },
    ]);
    const samples = await mmr();
    expect(() => readResponses(text, mmrV, samples)).toThrow(
      "Missing --model for the file: use one of m-1, m-2.",
    );
    expect(() => readResponses(text, mmrV, samples, { model: "m-3" })).toThrow(
      'Unknown --model "m-3"',
    );
    expect(readResponses(text, mmrV, samples, { model: "m-2" }).replies[0]?.reply).toBe("two");
  });
});

describe("lmms-eval sample logs", () => {
  test("use the filtered reply, else the raw one, and find pairs by their options", async () => {
    const one = mathDoc("q1", ["A. 1", "B. 3"], "B");
    const two = mathDoc("q1", ["A. 3", "B. 2"], "A");
    const folder = await dataFolder({ "mbin.json": [one, two] });
    const { samples } = await videoMathQa.load(folder, { config: "multi_binary" });
    const text = lines([
      { doc_id: 1, doc: two, target: "A", resps: [["raw"]], filtered_resps: ["A"] },
      { doc_id: 0, doc: one, target: "B", resps: [["B"]] },
    ]);
    expect(readResponses(text, videoMathQa, samples)).toMatchObject({
      format: "lmms-eval",
      match: { by: { "question and video": 2 }, verified: true },
      replies: [
        { sample: "q1/2", reply: "A" },
        { sample: "q1/1", reply: "B" },
      ],
      notes: [],
    });
    expect(guessResponses(text)).toEqual({
      format: "lmms-eval",
      benchmark: "videomathqa",
      subset: "multi_binary",
    });
  });

  test("without `doc` a record belongs to the question at its position; another target is counted", async () => {
    const folder = await dataFolder({
      "mcq.json": [mathDoc("q1", FIVE, "C"), mathDoc("q2", FIVE, "D")],
    });
    const { samples } = await videoMathQa.load(folder);
    const text = lines([
      { doc_id: 1, target: "D", filtered_resps: "D" },
      { doc_id: 0, target: "E", resps: [["C"]] },
      { doc_id: 7, target: "E", resps: [["C"]] },
    ]);
    const { replies, notes } = readResponses(text, videoMathQa, samples);
    expect(replies).toEqual([
      { sample: "q2", reply: "D" },
      { sample: "q1", reply: "C" },
    ]);
    expect(counts(notes)).toEqual({
      "right answers that differ from the data's, which count": 1,
      "records that name no question of the data": 1,
    });
  });

  test("with several replies to a question say that only the first is read", async () => {
    const folder = await dataFolder({
      "mcq.json": ["q1", "q2", "q3", "q4"].map((id) => mathDoc(id, FIVE, "C")),
    });
    const { samples } = await videoMathQa.load(folder);
    const docs = samples.map(({ row }) => row);
    const text = lines([
      { doc: docs[0], resps: [["A", "C"]], filtered_resps: ["A"] },
      { doc: docs[1], resps: [["B"]], filtered_resps: [["C", "Z"]] },
      { doc: docs[2], resps: [["B"], ["C"], ["D"]] },
      { doc: docs[3], resps: [["D"]], filtered_resps: ["D"] },
    ]);
    const { replies, notes } = readResponses(text, videoMathQa, samples);
    expect(replies.map(({ reply }) => reply)).toEqual(["A", "C", "B", "D"]);
    expect(notes).toEqual([
      {
        what: "questions with 2 replies, of which only the first is read",
        count: 2,
        examples: ["q1", "q2"],
      },
      {
        what: "questions with 3 replies, of which only the first is read",
        count: 1,
        examples: ["q3"],
      },
    ]);
  });

  test("with letters that VideoMathQA's cot_postprocess.py named have these in `resps`", async () => {
    const docs = ["q1", "q2", "q3"].map((id) => mathDoc(id, FIVE, "C"));
    const { samples } = await videoMathQa.load(await dataFolder({ "rows.json": docs }));
    const cot = "First, A is too short.\nAnswer: C";
    const text = lines([
      { doc: docs[0], resps: [["C"]], filtered_resps: [cot] },
      { doc: docs[1], resps: ["D"], filtered_resps: [cot] },
      { doc: docs[2], resps: [[`<think>A</think>${cot}`]], filtered_resps: [cot] },
    ]);
    const { replies, notes } = readResponses(text, videoMathQa, samples);
    expect(replies.map(({ reply }) => reply)).toEqual(["C", "D", cot]);
    expect(notes).toEqual([
      {
        what: "replies known by the letter that a model named for them, in `resps`",
        count: 2,
        examples: ["q1", "q2"],
      },
    ]);
  });

  test("of VCRBench and MMR-V as well", async () => {
    const samples = await vcr();
    const doc = samples[1]?.row;
    const text = lines([
      { doc_id: 1, doc, target: "2, 1, 3", resps: [["2, 1, 3"]], filtered_resps: ["2, 1, 3"] },
    ]);
    const { replies, notes } = readResponses(text, vcrbench, samples);
    expect(replies).toEqual([{ sample: "2", reply: "2, 1, 3" }]);
    expect(counts(notes)).toEqual({ "questions without a reply": 2 });
    const rows = await mmr();
    const line = lines([{ doc: rows[2]?.row, resps: [["[[B]]"]] }]);
    expect(readResponses(line, mmrV, rows).replies).toEqual([
      { sample: rows[2]?.id, reply: "[[B]]" },
    ]);
  });
});

describe("files that are something else", () => {
  test.each([
    [
      JSON.stringify([{ question_idx: 1, raw_response: "[[A]]" }]),
      "Cannot read the file as responses to VCRBench: it contains responses to MMR-V. Expected are the fields qid and pred.",
    ],
    [
      lines([{ doc: mathDoc("q", FIVE, "A"), resps: [["A"]] }]),
      "it contains responses to VideoMathQA",
    ],
    [JSON.stringify([{ a: 1, b: 2 }]), "it contains records with the fields a, b"],
    ["[]", "it contains records with the fields none"],
    ['[{"qid": "1", "pred": "x"}, {"qid"', "is incomplete or damaged"],
    ["just words\nand more", "no line is a record"],
    ["", "no line is a record"],
    [JSON.stringify([{ qid: "77", pred: "1, 2, 3" }]), "none of its 1 records names a question"],
  ])("%s", async (text, message) => {
    const samples = await vcr();
    let thrown: unknown;
    try {
      readResponses(text, vcrbench, samples);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      kind: "data-malformed",
      message: expect.stringContaining(message),
    });
  });

  test("detection names the benchmark, or reports what it found", () => {
    expect(guessResponses('[{"qid": "1", "pred": "2, 1"}]')).toEqual({
      format: "vcrbench",
      benchmark: "vcrbench",
    });
    expect(guessResponses('{"question_idx": 1, "raw_response": "x"}')).toEqual({
      format: "mmr-v",
      benchmark: "mmr-v",
    });
    expect(guessResponses('{"doc_id": 1, "resps": [["x"]]}')).toEqual({
      format: "lmms-eval",
      benchmark: null,
    });
    expect(() => guessResponses('{"a": 1}', "x.json")).toThrow(
      "Cannot read x.json: its records, with the fields a, are not responses of VCRBench (qid and pred), MMR-V (question_idx and NAME_raw_response), Own data (id and reply) or lmms-eval (doc_id and filtered_resps).",
    );
  });

  test("any text gives responses or a Failure", async () => {
    const samples = await vcr();
    const field = fc.constantFrom(
      "qid",
      "pred",
      "doc",
      "doc_id",
      "resps",
      "filtered_resps",
      "raw_response",
      "m_response",
      "question_idx",
      "answer",
      "target",
    );
    const record = fc.dictionary(field, fc.jsonValue());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(record).map(lines),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        (text) => {
          try {
            readResponses(text, vcrbench, samples);
          } catch (error) {
            expect(error).toHaveProperty("kind");
          }
        },
      ),
    );
  });
});

describeShared("released files", () => {
  test("the 100 questions match themselves", async () => {
    const { samples } = await mmrV.load(sharedFile("mmr-v"));
    const text = await readFile(sharedFile("mmr-v/questions_with_gpt-4o_responses.json"), "utf8");
    const { replies, notes } = readResponses(text, mmrV, samples);
    expect(replies.map(({ sample }) => sample)).toEqual(samples.map(({ id }) => id));
    expect(notes).toEqual([]);
  });

  test("lines find the available questions by their position", async () => {
    const { samples } = await mmrV.load(sharedFile("mmr-v"));
    const text = await readFile(sharedFile("mmr-v/raw_responses_gemma-3-27b-it_cot.jsonl"), "utf8");
    const { replies, notes } = readResponses(text, mmrV, samples);
    expect(replies).toHaveLength(100);
    expect(counts(notes)).toEqual({ "records that name no question of the data": 400 });
  });
});
