import { describe, expect, test } from "vitest";
import type { Sample } from "../../../../evals/benchmarks/sample.ts";
import { scoreReply } from "../../../../evals/benchmarks/score-reply.ts";
import {
  denominators,
  type ScoredReply,
  unscored,
} from "../../../../evals/benchmarks/scored-reply.ts";
import { officialLetter, videoMathQa } from "../../../../evals/benchmarks/videomathqa/benchmark.ts";
import { choice, dataFolder, parquet } from "../fixtures.ts";

describe("the released extraction", () => {
  test.each([
    ["Best answer: C", "B"],
    ["Answer: C", "A"],
    ["The answer: C", "C"],
    ["Based on the video, C", "B"],
    ["c", null],
    // The first capital A to E anywhere.
    ["C", "C"],
    ["(D) because of A", "D"],
    ["Find E", "E"],
    ["F", null],
    ["I think F", null],
    ["\n B", "B"],
    ["DEC", "D"],
    ["", null],
    // Phrases go in their order, every time they occur; only the last has a letter of its own, so the others show by what they join.
    ["Best answer:Best option: C", "C"],
    ["Best answer:Best option:Best answer:Best option: D", "D"],
    ["Best answer:The best answer isBest option: C", "C"],
    ["Best answer:The correct answer isBest option: C", "C"],
    ["Best answer:The answer isBest option: D", "D"],
    ["Best answer:The answerBest option: D", "D"],
    ["Best answer:The best option isThe correct option isBest option: E", "E"],
    ["Best answer:The best option isBest option: E", "B"],
    ["Best answer:The correct option isBest option: E", "B"],
    ["Best answer:The answer The answer isisBest option: E", "B"],
    ["Best answer:the answer isBest option: E", "B"],
  ])("%j", (reply, answer) => {
    expect(officialLetter(reply).answer).toBe(answer);
  });

  test("no letter in more than 10 words is distinguished from none in fewer", () => {
    const words = (count: number) => Array.from({ length: count }, () => "no").join("\u3000");
    expect(officialLetter(words(10)).how).toBe("no capital A to E");
    expect(officialLetter(words(11)).how).toBe("no capital A to E in more than 10 words");
    expect(officialLetter(`The best answer is ${words(9)}`).how).toBe("no capital A to E");
    expect(officialLetter(`${words(20)} E`).answer).toBe("E");
    expect(officialLetter("").how).toBe("no capital A to E");
  });
});

const mcq = (fields: Record<string, unknown>) => ({
  question_id: "q1",
  question: "How long?",
  options: ["A. 1", "B. 2", "C. 3", "D. 4", "E. 5"],
  answer: "C",
  category: "Geometry Length",
  length: "short",
  videoID: "v1",
  steps: ["measure", "add"],
  ...fields,
});
const pair = (fields: Record<string, unknown>) =>
  mcq({ options: ["A. 1", "B. 3"], answer: "B", ...fields });

describe("loading", () => {
  const files = {
    "mcq/test-00000-of-00001.parquet": parquet([
      mcq({ question_id: 1 }),
      mcq({ question_id: 2, videoID: "v2", length: "long", answer: "E" }),
      mcq({ question_id: 3, videoID: "v3" }),
      mcq({ question_id: 4, videoID: "gone" }),
    ]),
    "multi_binary/test-00000-of-00001.parquet": parquet([
      pair({ question_id: 1 }),
      pair({ question_id: 1, options: ["A. 3", "B. 2"], answer: "A" }),
      pair({ question_id: 2, videoID: "v2" }),
    ]),
    "videos/v1.mp4": null,
    "videos/v2.MP4": null,
    "videos/v3.mkv": null,
    "subtitles/v2.srt": null,
  };

  test("reads both sets from Parquet, with three file extensions of videos, and subtitles", async () => {
    const folder = await dataFolder(files);
    const { samples, notes, files: read } = await videoMathQa.load(folder);
    expect(read).toEqual(["mcq/test-00000-of-00001.parquet"]);
    expect(
      samples.map(({ id, video, hasVideo, answer }) => ({ id, video, hasVideo, answer })),
    ).toEqual([
      { id: "1", video: "videos/v1.mp4", hasVideo: true, answer: "C" },
      { id: "2", video: "videos/v2.MP4", hasVideo: true, answer: "E" },
      { id: "3", video: "videos/v3.mkv", hasVideo: true, answer: "C" },
      { id: "4", video: "videos/gone.mp4", hasVideo: false, answer: "C" },
    ]);
    expect(samples.map((sample) => sample.subtitles)).toEqual([
      undefined,
      "subtitles/v2.srt",
      undefined,
      undefined,
    ]);
    expect(samples[0]?.steps).toEqual(["measure", "add"]);
    expect(samples[0]?.options[2]).toEqual({ letter: "C", text: "3" });
    expect(videoMathQa.groups(samples[1] as Sample)).toEqual({
      category: "Geometry Length",
      length: "long",
    });
    expect(notes).toEqual([{ what: "videos missing", count: 1, examples: ["gone"] }]);
    expect(samples[0]).not.toHaveProperty("pairs");
    const pairs = await videoMathQa.load(folder, { config: "multi_binary" });
    expect(pairs.samples.map(({ id, answer, pairs: of }) => [id, answer, of])).toEqual([
      ["1/1", "B", 2],
      ["1/2", "A", 2],
      ["2/1", "B", 1],
    ]);
  });

  test("an unreadable row counts as a pair of its question", async () => {
    const rows = [pair({}), pair({ answer: "" }), pair({ question_id: "q2" })];
    const folder = await dataFolder({ "multi_binary.json": rows });
    const { samples } = await videoMathQa.load(folder, { config: "multi_binary" });
    expect(samples.map(({ id, pairs }) => [id, pairs])).toEqual([
      ["q1/1", 2],
      ["q2/1", 1],
    ]);
  });

  test("groups by difficulty and reasoning type if the data has them", async () => {
    const folder = await dataFolder({
      "mcq.json": [mcq({ difficulty: "hard", reasoning_type: "Concept Transfer" })],
    });
    const { samples } = await videoMathQa.load(folder);
    expect(videoMathQa.groups(samples[0] as Sample)).toEqual({
      category: "Geometry Length",
      length: "short",
      difficulty: "hard",
      reasoning_type: "Concept Transfer",
    });
  });

  test("counts corrected and left out rows", async () => {
    const folder = await dataFolder({
      "mcq.json": [
        mcq({}),
        mcq({ question_id: "q2", answer: "(C)" }),
        mcq({ question_id: "q3", answer: "F" }),
        mcq({ question_id: "q4", answer: "" }),
        mcq({ question_id: "q5", options: ["A. 1", "C. 3", "D. 4"] }),
        mcq({ question: "Again?" }),
      ],
    });
    const { samples, notes } = await videoMathQa.load(folder);
    expect(samples.map(({ id, question }) => [id, question])).toEqual([
      ["q1", "Again?"],
      ["q2", "How long?"],
      ["q3", "How long?"],
      ["q5", "How long?"],
    ]);
    expect(Object.fromEntries(notes.map((note) => [note.what, note.count]))).toEqual({
      "videos missing": 1,
      "answer letters that were normalised": 1,
      "right letters that are not among the options": 1,
      "rows that could not be read": 1,
      "options that skip a letter": 1,
      "repeated question_id, the last counts": 1,
    });
  });

  test("names the missing set", async () => {
    const folder = await dataFolder({ "mcq.json": [mcq({})] });
    await expect(videoMathQa.load(folder, { config: "multi_binary" })).rejects.toMatchObject({
      kind: "data-malformed",
      message: expect.stringContaining("VideoMathQA (multi_binary)"),
    });
  });
});

describe("scores", () => {
  const sample = (letters: string, fields: Record<string, unknown>): Sample => ({
    ...choice(letters, "B"),
    id: String(fields.id),
    row: mcq(fields),
  });

  test("MCQ: percent over all questions, by length and category", () => {
    const scored = [
      scoreReply(videoMathQa, sample("ABCDE", { id: 1 }), "B", "official"),
      scoreReply(videoMathQa, sample("ABCDE", { id: 2, length: "long" }), "C", "official"),
      scoreReply(videoMathQa, sample("ABCDE", { id: 3, category: "Chart" }), "none", "official"),
      unscored(sample("ABCDE", { id: 4 }), "no reply", "official"),
    ];
    expect(videoMathQa.official(scored)).toEqual({
      videomathqa_perception_score: 25,
      MCQ: 25,
      length: { short: 100 / 3, long: 0 },
      category: { "Geometry Length": 100 / 3, Chart: 0 },
    });
    expect(videoMathQa.measures(scored)).toEqual({ accuracy: 1 / 3, answered: 2 / 3 });
  });

  test("MBin: a question counts only when all its pairs are right", () => {
    const said = (question_id: string, replies: string[]) =>
      replies.map((reply, index) =>
        scoreReply(
          videoMathQa,
          sample("AB", { id: `${question_id}/${index}`, question_id }),
          reply,
          "official",
        ),
      );
    const scored = [
      ...said("q1", ["B", "B", "B", "B"]),
      ...said("q2", ["B", "B", "A", "B"]),
      ...said("q3", ["B"]),
      unscored(sample("AB", { id: "q3/1", question_id: "q3" }), "no reply", "official"),
    ];
    const units = videoMathQa.questions(scored);
    expect(units.map(({ id, value, answered }) => [id, value, answered])).toEqual([
      ["q1", 1, true],
      ["q2", 0, true],
      ["q3", null, false],
    ]);
    expect(videoMathQa.official(scored)).toMatchObject({
      videomathqa_perception_score: 100 / 3,
      MBin: 100 / 3,
    });
    expect(videoMathQa.measures(scored)).toEqual({ pair_accuracy: 8 / 9, answered: 1 });
  });

  test("MBin: a question of which only some pairs are asked is neither right nor wrong", () => {
    const said = (id: string, reply: string) => {
      const asked = { ...sample("AB", { id, question_id: id.split("/")[0] }), pairs: 2 };
      return scoreReply(videoMathQa, asked, reply, "official");
    };
    const some = [said("q1/2", "B"), said("q2/1", "A")];
    expect(videoMathQa.questions(some)).toEqual([]);
    expect(videoMathQa.official(some)).toEqual({
      videomathqa_perception_score: null,
      MBin: null,
      length: {},
      category: {},
    });
    expect(videoMathQa.measures(some)).toEqual({ pair_accuracy: 0.5, answered: 1 });
    const whole = [...some, said("q2/2", "B"), said("q3/1", "B"), said("q3/2", "B")];
    expect(videoMathQa.questions(whole).map(({ id, value }) => [id, value])).toEqual([
      ["q2", 0],
      ["q3", 1],
    ]);
    expect(videoMathQa.official(whole)).toMatchObject({ MBin: 50 });
  });

  test("MBin: a question has the lowest score of its pairs, and only the full score is right", () => {
    const graded = (question_id: string, values: (number | null)[]): ScoredReply[] =>
      values.map((value, index) => ({
        sample: sample("AB", { id: `${question_id}/${index + 1}`, question_id }),
        extraction: { answer: "B", how: "graded" },
        score: { value, answer: "B", explanation: "graded", extractor: "official" },
      }));
    const scored = [
      ...graded("low", [0.01, 0.01]),
      ...graded("mixed", [1, 0.4]),
      ...graded("right", [1, 1]),
      ...graded("wrong", [null, 0, 1]),
      ...graded("open", [null, 0.5]),
    ];
    expect(videoMathQa.questions(scored).map(({ id, value }) => [id, value])).toEqual([
      ["low", 0.01],
      ["mixed", 0.4],
      ["right", 1],
      ["wrong", 0],
      ["open", null],
    ]);
    expect(denominators(videoMathQa.questions(scored)).right).toBe(1);
    expect(videoMathQa.official(scored)).toMatchObject({
      videomathqa_perception_score: 20,
      MBin: 20,
    });
  });
});
