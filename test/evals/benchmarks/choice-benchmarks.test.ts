import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cgBench } from "../../../evals/benchmarks/cg-bench/benchmark.ts";
import { officialLetter } from "../../../evals/benchmarks/cg-bench/read-letter.ts";
import type { Benchmark } from "../../../evals/benchmarks/define-benchmark.ts";
import { longVideoBench } from "../../../evals/benchmarks/longvideobench/benchmark.ts";
import { lvBench, polishAnswer } from "../../../evals/benchmarks/lvbench/benchmark.ts";
import { readTimeReference } from "../../../evals/benchmarks/lvbench/time-reference.ts";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { scoreReply } from "../../../evals/benchmarks/score-reply.ts";
import { unscored } from "../../../evals/benchmarks/scored-reply.ts";
import { videoMme } from "../../../evals/benchmarks/video-mme/benchmark.ts";
import { videoMmeV2 } from "../../../evals/benchmarks/video-mme-v2/benchmark.ts";
import { startRun } from "../../../evals/run/run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { plainVideo, settingsFor } from "../run/run-fixtures.ts";
import { choice, dataFolder, parquet } from "./fixtures.ts";

/* Benchmarks known from published loaders: rows in their layouts, written for these tests, and what their scorers do. */

const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const lvRow = (key: string, ...qa: object[]) => ({
  key,
  type: "sport",
  video_info: { duration_minutes: 61, fps: 30, resolution: { width: 4, height: 3 } },
  qa,
});
const lvQuestion = (uid: string, answer: string, more: object = {}) => ({
  uid,
  question:
    "Who scores first?\n(A) the guests\n(B) the hosts (in white)\n(C) nobody\n(D) a referee",
  answer,
  question_type: ["entity recognition"],
  time_reference: "00:15-01:02:03",
  ...more,
});

describe("LVBench", () => {
  const folder = () =>
    dataFolder({
      "data/video_info.meta.jsonl": lines(
        lvRow(
          "abc",
          lvQuestion("1", "B"),
          lvQuestion("2", "A", {
            question_type: ["reasoning", "summarization"],
            time_reference: "all",
          }),
          lvQuestion("3", "A", { question: "No options here" }),
        ),
        lvRow("gone", lvQuestion("4", "C")),
      ),
      "all_videos/abc.mp4": null,
    });

  test("every question of a video is one sample, with the options of its text", async () => {
    const { samples, notes } = await lvBench.load(await folder());
    expect(samples).toMatchObject([
      {
        id: "1",
        video: "all_videos/abc.mp4",
        question: "Who scores first?",
        answer: "B",
        evidence_s: [[15, 3723]],
        options: [
          { letter: "A", text: "the guests" },
          { letter: "B", text: "the hosts (in white)" },
          { letter: "C", text: "nobody" },
          { letter: "D", text: "a referee" },
        ],
      },
      { id: "2", answer: "A" },
      { id: "4", video: "videos/gone.mp4", hasVideo: false },
    ]);
    expect(samples[1]?.evidence_s).toBeUndefined();
    expect(lvBench.groups(samples[1] as Sample)).toEqual({
      question_type: "reasoning, summarization",
      video_type: "sport",
    });
    expect(notes).toMatchObject([
      { what: "time references that could not be read", examples: ["2"] },
      { what: "rows that could not be read", examples: ["row 2"] },
      { what: "videos missing", examples: ["gone.mp4"] },
    ]);
  });

  test.each([
    ["B", "B"],
    ["(B)", "B"],
    ["(B) the hosts", "B"],
    ["The answer is (C) nobody", "C"],
    ["The answer (I think) is B", "I"],
    ["B) the hosts", "B"],
    ["Answer: D", "A"],
    ["  b ", "b"],
    ["", null],
    ["()", null],
  ])("the released reading of %j", (reply, answer) => {
    expect(polishAnswer(reply).answer).toBe(answer);
  });

  test("a question counts for each of its types", async () => {
    const { samples } = await lvBench.load(await folder());
    const [one, two, four] = samples as [Sample, Sample, Sample];
    const scored = [
      scoreReply(lvBench, one, "B", "official"),
      scoreReply(lvBench, two, "C", "official"),
      unscored(four, "no reply", "official"),
    ];
    expect(lvBench.official(scored)).toEqual({
      "entity recognition": 1,
      reasoning: 0,
      summarization: 0,
      acc: 0.5,
    });
  });

  test.each([
    ["00:15-00:19", [[15, 19]]],
    ["1:00:05 - 1:00:06.5", [[3605, 3606.5]]],
    ["75:10", [[4510, 4510]]],
    [
      "00:01-00:02; 00:05-00:09",
      [
        [1, 2],
        [5, 9],
      ],
    ],
    ["00:19-00:15", null],
    ["the end", null],
    ["00:01-00:02-00:03", null],
    ["15", null],
  ])("the time reference %j", (text, spans) => {
    expect(readTimeReference(text)).toEqual(spans);
  });
});

const cgRow = (qid: number, more: object = {}) => ({
  qid,
  video_uid: "BV1",
  question: "Which colour is the car?",
  answer: "A. dark red",
  choices: ["white", "A. dark red", "blue"],
  right_answer: "B",
  clue_intervals: [
    [20.25, 22.125],
    [60, 61],
  ],
  domain: "Driving",
  sub_category: "Entity Perception",
  duration: 1740,
  ...more,
});

describe("CG-Bench", () => {
  test("clue intervals are the evidence, and texts of options stay complete", async () => {
    const { samples, notes } = await cgBench.load(
      await dataFolder({
        "cgbench.json": [
          cgRow(1),
          cgRow(2, { clue_intervals: "?" }),
          cgRow(3, { right_answer: "" }),
        ],
        "cgbench_mini.json": [cgRow(1)],
        "cg_videos_720p/BV1.mp4": null,
        "cg_subtitles/BV1.srt": null,
      }),
    );
    expect(samples).toMatchObject([
      {
        id: "1",
        video: "cg_videos_720p/BV1.mp4",
        subtitles: "cg_subtitles/BV1.srt",
        evidence_s: [
          [20.25, 22.125],
          [60, 61],
        ],
        options: [
          { letter: "A", text: "white" },
          { letter: "B", text: "A. dark red" },
          { letter: "C", text: "blue" },
        ],
      },
      { id: "2" },
    ]);
    expect(notes.map(({ what, count }) => [what, count])).toEqual([
      ["further data files of the same kind, not used", 1],
      ["clue intervals that could not be read", 1],
      ["rows that could not be read", 1],
    ]);
  });

  test.each([
    ['```json\n{"result": "C"}\n```', "C"],
    ['```json\n{"result": C}\n``` or B', "C"],
    ['I see.\n```json\n{"result": "E", "why": null}\n```', "E"],
    // A block that cannot be read, or has no result, leaves the letters of the whole reply, of which the right one counts.
    ["```json\n{result: B}\n```", "B"],
    ['```json\n["B"]\n```', "B"],
    ["A, then B", "B"],
    ["A, then C", "A"],
    ["[B]", "B"],
    ["B_1 or H", "H"],
    ["I", null],
    ["", null],
  ])("the released reading of %j if B is right", (reply, answer) => {
    expect(officialLetter(reply, choice("ABCDEFGH", "B")).answer).toBe(answer);
  });

  test("the released accuracy leaves out replies that nothing was read from", () => {
    const sample = { ...choice("AB", "B"), row: cgRow(1) };
    const scored = ["B", "A", "?"].map((reply) => scoreReply(cgBench, sample, reply, "official"));
    expect(cgBench.official(scored)).toMatchObject({
      long_acc: 0.5,
      total: 2,
      domain: { Driving: 0.5 },
    });
  });
});

const lvbRow = (id: string, more: object = {}) => ({
  video_id: "talk",
  id,
  question: "What is said?",
  candidates: ["I. see", "nothing", "enough"],
  correct_choice: 2,
  topic_category: "NP-News-Programs",
  question_category: "TOS",
  level: "L2-Relation",
  video_path: "talk.mp4",
  subtitle_path: "talk_en.json",
  duration_group: 600,
  starting_timestamp_for_subtitles: 90.5,
  duration: 190.16,
  ...more,
});

describe("LongVideoBench", () => {
  test("the validation set is read, with the subtitles' own start; the test set has no answers", async () => {
    const { samples, files } = await longVideoBench.load(
      await dataFolder({
        "lvb_val.json": [lvbRow("talk_0"), lvbRow("talk_1", { correct_choice: 3 })],
        "lvb_test_wo_gt.json": [lvbRow("t_0"), lvbRow("t_1"), lvbRow("t_2")].map(
          ({ correct_choice: _, ...row }) => row,
        ),
        "videos/talk.mp4": null,
        "subtitles/talk_en.json": "[]",
      }),
    );
    expect(files).toEqual(["lvb_val.json"]);
    expect(samples).toMatchObject([
      {
        id: "talk_0",
        video: "videos/talk.mp4",
        answer: "C",
        options: [{ text: "I. see" }, { text: "nothing" }, { text: "enough" }],
        subtitles: "subtitles/talk_en.json",
        subtitles_from_s: 90.5,
      },
    ]);
    expect(longVideoBench.groups(samples[0] as Sample)).toEqual({
      duration: "600",
      question_category: "TOS",
      level: "L2-Relation",
      topic: "NP-News-Programs",
    });
  });

  test("the options of the Parquet files are columns, padded with N/A", async () => {
    const { candidates: _, ...row } = lvbRow("talk_0");
    const options = { option0: "a", option1: "b", option2: "c", option3: "N/A", option4: "N/A" };
    const test = { ...row, ...options, id: "t_0", correct_choice: -1 };
    const { samples, files } = await longVideoBench.load(
      await dataFolder({
        "validation-00000-of-00001.parquet": parquet([{ ...row, ...options }]),
        "test-00000-of-00001.parquet": parquet([test, { ...test, id: "t_1" }]),
      }),
    );
    expect(files).toEqual(["validation-00000-of-00001.parquet"]);
    expect(samples).toMatchObject([
      { answer: "C", options: [{ text: "a" }, { text: "b" }, { text: "c" }] },
    ]);
  });

  test.each([
    ["D. A book", "D"],
    ["The best option is: B", "B"],
    ["Best answer: C", "C"],
    ["Answer: C", "A"],
    ["none", null],
  ])("the released reading of %j", (reply, answer) => {
    const { official } = longVideoBench.extractors;
    expect(official(reply, choice("ABCDE")).answer).toBe(answer);
  });
});

const mmeRow = (question_id: string, more: object = {}) => ({
  video_id: "001",
  duration: "short",
  domain: "Knowledge",
  sub_category: "Humanity & History",
  url: "https://example.org",
  videoID: "fFj",
  question_id,
  task_type: "Counting Problem",
  question: "How many?",
  options: ["A. One.", "B. Two.", "C. Three.", "D. Four."],
  answer: "C",
  ...more,
});

describe("Video-MME", () => {
  test("reads Parquet, with videos in data and subtitles in subtitle", async () => {
    const { samples } = await videoMme.load(
      await dataFolder({
        "videomme/test-00000-of-00001.parquet": parquet([
          mmeRow("001-1"),
          mmeRow("001-2", { videoID: "xyz", duration: "long" }),
        ]),
        "data/fFj.mp4": null,
        "data/xyz.mkv": null,
        "subtitle/fFj.srt": null,
      }),
    );
    expect(samples).toMatchObject([
      { id: "001-1", video: "data/fFj.mp4", subtitles: "subtitle/fFj.srt", answer: "C" },
      { id: "001-2", video: "data/xyz.mkv" },
    ]);
    expect(samples[0]?.options[2]).toEqual({ letter: "C", text: "Three." });
    expect(videoMme.groups(samples[1] as Sample)).toEqual({
      duration: "long",
      domain: "Knowledge",
      sub_category: "Humanity & History",
      task_type: "Counting Problem",
    });
  });

  test.each([
    ["C. Three.", "C"],
    ["Answer: C. Three.", "C"],
    ["The best option is C", "C"],
    // Without the commas that the list lacks, these two phrases stay.
    ["Best answer: D", "B"],
    ["Best option: A", "B"],
    ["The correct answer: B", "B"],
    ["E", null],
    ["three", null],
  ])("the released reading of %j", (reply, answer) => {
    expect(videoMme.extractors.official(reply, choice("ABCD")).answer).toBe(answer);
  });

  test("the released percentages are over replies with a letter", () => {
    const sample = { ...choice("ABCD", "C"), row: mmeRow("001-1") };
    const scored = ["C", "A", "none"].map((reply) =>
      scoreReply(videoMme, sample, reply, "official"),
    );
    expect(videoMme.official(scored)).toMatchObject({ overall: 50, duration: { short: 50 } });
  });
});

const v2Row = (place: number, more: object = {}) => ({
  video_id: "001",
  url: "https://example.org",
  group_type: "relevance",
  group_structure: "None",
  question_id: `001-${place}`,
  question: `Question ${place}?`,
  options: "A. one\nB. two\nC. three\nD. four\nE. five\nF. six\nG. seven\nH. eight",
  answer: "H",
  level: place === 4 ? "2" : "1",
  second_head: "Order",
  third_head: "Action",
  ...more,
});

describe("Video-MME-v2", () => {
  test("the options are the lines of one text, and subtitle words are not data files", async () => {
    const { samples, files } = await videoMmeV2.load(
      await dataFolder({
        "test.parquet": parquet([v2Row(1), v2Row(2, { video_id: "2" })]),
        "video/001.mp4": null,
        "video/002.mp4": null,
        "subtitle/001.jsonl": lines({ text: "Hi", start_time: 0.5, end_time: 0.8 }),
      }),
    );
    expect(files).toEqual(["test.parquet"]);
    expect(samples).toMatchObject([
      { id: "001-1", video: "video/001.mp4", subtitles: "subtitle/001.jsonl", answer: "H" },
      { id: "001-2", video: "video/002.mp4" },
    ]);
    expect(samples[0]?.options.at(-1)).toEqual({ letter: "H", text: "eight" });
  });

  const rated = (
    rows: object,
    right: readonly (0 | 1 | null)[],
    benchmark: Benchmark = videoMmeV2,
  ) => {
    const scored = right.map((one, index) => {
      const sample = { ...choice("ABCDEFGH", "H"), id: `${index}`, row: v2Row(index + 1, rows) };
      return scoreReply(benchmark, sample, one === null ? "?" : one === 1 ? "H" : "A", "official");
    });
    return { ...benchmark.official(scored), sound: benchmark.measures(scored).group_score };
  };
  const chain = (group_structure: string) => ({ group_type: "logic", group_structure });

  test.each([
    [{}, [0, 0, 0, 0], 0],
    [{}, [0, 1, 0, 0], 6.25],
    [{}, [1, 0, 1, 0], 25],
    [{}, [1, 1, 0, 1], 56.25],
    [{}, [1, 1, 1, 1], 100],
    [chain("[1, 2, 3, 4]"), [1, 1, 0, 1], 25],
    [chain("[1, 2, 3, 4]"), [0, 1, 1, 1], 0],
    [chain("[1, 2, 3, 4]"), [1, 1, 1, 0], 56.25],
    // The second and third may swap.
    [chain("[1, [2, 3], 4]"), [1, 0, 1, 1], 100 / 3],
    [chain("[1, [2, 3], 4]"), [1, 0, 0, 1], 100 / 12],
    [chain("[1, [2, 3], 4]"), [1, 1, 1, 0], 700 / 12],
    [chain("[[1, 2], 3, 4]"), [0, 1, 1, 1], 10],
    [chain("[[1, 2], 3, 4]"), [0, 0, 1, 1], 0],
    [chain("[[1, 2], 3, 4]"), [1, 1, 1, 0], 50],
  ] as const)("a group of %j answered %j", (rows, right, percent) => {
    const { total, sound, groups } = rated(rows, right) as Record<string, number>;
    expect(groups).toBe(1);
    expect(total).toBeCloseTo(percent, 10);
    expect(sound).toBeCloseTo(percent / 100, 10);
  });

  test("the released code takes an unread reply for -1, which a chain counts as right", () => {
    expect(rated(chain("[1, 2, 3, 4]"), [null, 1, 1, 1])).toMatchObject({
      logic_score: 100,
      relevance_score: 0,
      level_2: 100,
      level_1: 0,
      sound: 0,
    });
    expect(rated({}, [null, 1, 1, 1])).toMatchObject({
      relevance_score: 25,
      relevance_linear_score: 50,
      sound: 0.5625,
    });
  });

  test("an incomplete group, or one of an unknown structure, is left out", () => {
    expect(rated({}, [1, 1, 1])).toMatchObject({ groups: 0, total: 0, sound: null });
    expect(rated(chain("[4, 3]"), [1, 1, 1, 1])).toMatchObject({ groups: 0, sound: null });
  });

  test("a group with all questions right scores 1 with any structure", () => {
    const structures = ["[1, 2, 3, 4]", "[1, [2, 3], 4]", "[[1, 2], 3, 4]"];
    fc.assert(
      fc.property(
        fc.constantFrom(...structures),
        fc.array(fc.constantFrom(0, 1), { minLength: 4, maxLength: 4 }),
        (structure, right) => {
          const { total } = rated(chain(structure), right as (0 | 1)[]) as Record<string, number>;
          expect(total === 100).toBe(right.every((one) => one === 1));
        },
      ),
    );
  });
});

describe("asked and scored", () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer((request) =>
      /zebra/.test(request.texts.join(" ")) ? "A" : "B",
    );
  });
  afterAll(() => server.close());

  const two = { question: "Which?\n(A) x\n(B) y", answer: "B" };
  const SETS: [Benchmark, Record<string, unknown>, string, string][] = [
    [
      lvBench,
      {
        "video_info.meta.jsonl": lines(
          lvRow(
            "v",
            lvQuestion("1", "B", two),
            lvQuestion("2", "B", { ...two, question: "Which zebra?\n(A) x\n(B) y" }),
          ),
        ),
      },
      "videos/v.mp4",
      "acc",
    ],
    [
      cgBench,
      {
        "cgbench.json": [
          cgRow(1, { clue_intervals: [[0.25, 0.5]] }),
          cgRow(2, { question: "Which zebra?" }),
        ],
      },
      "cg_videos_720p/BV1.mp4",
      "long_acc",
    ],
    [
      longVideoBench,
      {
        "lvb_val.json": [
          lvbRow("a", { correct_choice: 1 }),
          lvbRow("b", { correct_choice: 1, question: "What is zebra?" }),
        ],
        "subtitles/talk_en.json": [
          { start: "00:01:30.600", end: "00:01:31.400", line: "words of the talk" },
        ],
      },
      "videos/talk.mp4",
      "lvb_acc",
    ],
    [
      videoMme,
      {
        "test.parquet": parquet([
          mmeRow("1", { answer: "B" }),
          mmeRow("2", { answer: "B", question: "How many zebra?" }),
        ]),
        "subtitle/fFj.srt": "1\n00:00:00,000 --> 00:00:01,000\nwords of the talk\n",
      },
      "data/fFj.mp4",
      "overall",
    ],
    [
      videoMmeV2,
      {
        "test.parquet": parquet(
          [1, 2, 3, 4].map((place) =>
            v2Row(place, { answer: "B", ...(place > 2 ? { question: "Which zebra?" } : {}) }),
          ),
        ),
        "subtitle/001.jsonl": lines(
          ...["words", "of", "the", "talk"].map((text, place) => ({
            text,
            start_time: place / 4,
            end_time: place / 4 + 0.2,
          })),
        ),
      },
      "video/001.mp4",
      "total",
    ],
  ];

  test.each(SETS.map((set) => [set[0].name, set] as const))(
    "%s",
    async (_name, [benchmark, files, video, metric]) => {
      server.reset();
      const data = await dataFolder({ ...files, [video]: null });
      await plainVideo(join(data, video), 3);
      const root = await tempFolder();
      const settings = settingsFor(server.url, join(root, "store"), {
        recognition: { frames: 2, max_side: 64, subtitles: "full" },
      });
      await startRun({ benchmark: benchmark.name, data, ...settings }, join(root, "run"));
      const score = scoreResults(await readResults(join(root, "run")));
      expect(score).toMatchObject({ extractor: "sound", all: { accuracy: 0.5 }, failures: [] });
      const whole = benchmark === videoMmeV2 ? 25 : benchmark === videoMme ? 50 : 0.5;
      expect(score.official[metric]).toBe(whole);
      const hasSubtitles = Object.keys(files).some((path) => path.startsWith("subtitle"));
      for (const request of server.chats()) {
        expect(request.texts.join("\n").includes("words of the talk")).toBe(hasSubtitles);
        expect(request.images).toHaveLength(2);
      }
      expect(score.retrieval_funnel === null).toBe(benchmark !== cgBench && benchmark !== lvBench);
    },
  );
});
