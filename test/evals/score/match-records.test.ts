import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cgBench } from "../../../evals/benchmarks/cg-bench/benchmark.ts";
import { dataset } from "../../../evals/benchmarks/dataset/benchmark.ts";
import type { Benchmark } from "../../../evals/benchmarks/define-benchmark.ts";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { vcrbench } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { matchRecords } from "../../../evals/score/match-records.ts";
import { readResponses } from "../../../evals/score/responses.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { choice, dataFolder } from "../benchmarks/fixtures.ts";

/* Files of other tools in another order than the data: each reply has to be matched with its question. */

const lines = (records: unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");

/** Questions with the same text but other options and videos. */
const MATH = Array.from({ length: 12 }, (_, index) => ({
  question_id: `id${(index * 7) % 12}`,
  question: `How long is side ${index % 4} of\nthe figure?`,
  options: ["A. 1", "B. 2", "C. 3", "D. 4", `E. ${index}`],
  answer: "ABCDE"[index % 5] ?? "A",
  videoID: `v${index % 6}`,
  category: "Counting",
  length: "short",
}));
const PAIRS = MATH.slice(0, 4).flatMap((row) =>
  [1, 2, 3].map((other) => ({
    ...row,
    options: [`A. ${other}`, `B. ${other + 10}`],
    answer: other === 2 ? "B" : "A",
  })),
);

async function math(rows: object[], config: "mcq" | "multi_binary" = "mcq"): Promise<Sample[]> {
  return (await videoMathQa.load(await dataFolder({ "rows.json": rows }), { config })).samples;
}

/** A sample log as lmms-eval writes it: the row is left out, the prompt and what was scored are kept. */
const logged = (row: (typeof MATH)[number], place: number, reply: string) => ({
  doc_id: place,
  target: row.answer,
  filtered_resps: reply,
  doc_hash: "h",
  input: `Select the best answer.\n${row.question}\n${row.options.join("\n")}\nThe best answer is:`,
  videomathqa_perception_score: {
    question_id: row.question_id,
    pred_answer: "A",
    answer: row.answer,
  },
});

function repliesBy(text: string, benchmark: Benchmark, samples: Sample[]) {
  const { replies, match, notes } = readResponses(text, benchmark, samples);
  return { of: Object.fromEntries(replies.map((one) => [one.sample, one.reply])), match, notes };
}

test.each([
  ["MCQ", MATH, "mcq"],
  ["pairs", PAIRS, "multi_binary"],
] as const)("lmms-eval's logs of %s find their questions in any order", async (_, rows, config) => {
  const samples = await math([...rows], config);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(
        rows.map((_row, index) => index),
        { minLength: 1 },
      ),
      fc.boolean(),
      async (order, scored) => {
        const records = order.map((index, place) => {
          const { videomathqa_perception_score, ...rest } = logged(
            rows[index] as never,
            place,
            `reply ${index}`,
          );
          return scored ? { ...rest, videomathqa_perception_score } : rest;
        });
        const { of, match } = repliesBy(lines(records), videoMathQa, samples);
        expect(of).toEqual(
          Object.fromEntries(order.map((index) => [samples[index]?.id, `reply ${index}`])),
        );
        expect(match).toMatchObject({ verified: true, by: { question: order.length } });
      },
    ),
    { numRuns: 30 },
  );
});

test("a position without other clues is accepted as unverified, with the doubts", async () => {
  const samples = await math(MATH);
  // Sorted otherwise: the reply of each place is that of the next question.
  const records = MATH.map((row, index) => ({
    doc_id: (index + 1) % MATH.length,
    target: row.answer,
    filtered_resps: index === 3 ? "The answer is F" : row.answer,
  }));
  const { match, of } = repliesBy(lines(records), videoMathQa, samples);
  expect(Object.keys(of)).toHaveLength(12);
  expect(match).toMatchObject({
    ...{ by: { index: 12 }, verified: false, foreign_answers: 1 },
    right_answers: { given: 12, equal: 0 },
  });
  expect(match.told).toBe(
    "Matched replies to questions: 12 by index. The match by id or index cannot be verified, because the file does not contain these questions or videos. Replies with a letter that their question lacks: 1 of 12; records with the right answer of the data: 0 of 12.",
  );
});

const MMR = ["a", "b", "a", "c"].map((video, index) => ({
  video: `${video}.mp4`,
  question: index === 2 ? "Who?" : "What?",
  options: ["(A) x", "(B) y", `(C) ${index}`],
  correctAnswer: "(B)",
  question_idx: index,
}));

test("lmms-eval's logs of CG-Bench are matched by the prompt or the id if several questions are about a video", async () => {
  const rows = [0, 1, 2, 3].map((qid) => ({
    ...{ qid, video_uid: "v", question: `What is at ${qid}?`, choices: ["x", "y", "z", "w"] },
    ...{ right_answer: "ABCD"[qid], domain: "d", sub_category: "s", clue_intervals: [[1, 2]] },
  }));
  const { samples } = await cgBench.load(await dataFolder({ "cgbench.json": rows }));
  const records = rows.toReversed().map(({ qid, question, right_answer }, place) => ({
    ...{ doc_id: place, target: right_answer, filtered_resps: String(right_answer) },
    input: `Select the best answer.\n${question}\nA. x\nB. y\nC. z\nD. w`,
    cgbench_accuracy: { question_id: qid, video_uid: "v", answer: right_answer },
  }));
  for (const [by, given] of [
    ["question and video", records],
    ["video", records.map(({ input: _, ...record }) => record)],
  ] as const) {
    const { of, match } = repliesBy(lines(given), cgBench, samples);
    expect(of).toEqual({ "0": "A", "1": "B", "2": "C", "3": "D" });
    expect(match).toMatchObject({ by: { [by]: 4 }, verified: true, other_answers: 0 });
  }
});

test("the target of a log may be the number of an option, which is not compared with a letter", async () => {
  const samples = await math(MATH);
  const numbered = (target: string) =>
    repliesBy(
      lines([{ ...logged(MATH[1] as (typeof MATH)[number], 1, "B"), target }]),
      videoMathQa,
      samples,
    );
  expect(numbered("1").match).toMatchObject({ verified: true, other_answers: 0 });
  expect(numbered("C").match).toMatchObject({ verified: false, other_answers: 1 });
});

test("MMR-V's rows are matched by question and video, not by their number", async () => {
  const { samples } = await mmrV.load(await dataFolder({ "MMR-V.json": MMR }));
  const rows = MMR.map((row, index) => ({
    ...row,
    question_idx: 3 - index,
    m_raw_response: `reply ${index}`,
  })).reverse();
  const { of, match } = repliesBy(JSON.stringify(rows), mmrV, samples);
  expect(of).toEqual(Object.fromEntries(samples.map(({ id }, index) => [id, `reply ${index}`])));
  expect(match).toMatchObject({ verified: true, by: { "question and video": 4 } });
  // Without the video, text and options still distinguish them.
  const bare = rows.map(({ video: _video, question_idx: _idx, ...row }) => row);
  expect(repliesBy(JSON.stringify(bare), mmrV, samples).of).toEqual(of);
  // A question that is not in the data is not matched with the one of its number.
  const strange = [{ ...rows[0], question: "Where?", question_idx: 99 }, rows[1]];
  expect(Object.keys(repliesBy(JSON.stringify(strange), mmrV, samples).of)).toHaveLength(1);
});

test("ids of 64 bits are matched exactly", async () => {
  const ids = ["9007199254740992", "9007199254740993"];
  const same = MATH.slice(0, 1).flatMap((row) => ids.map((id) => ({ ...row, question_id: id })));
  const samples = await math(same);
  const records = same.map((row, place) => logged(row, place, "BA"[place] ?? ""));
  const text = lines(records.reverse()).replace(/"question_id":"(\d+)"/g, '"question_id":$1');
  expect(repliesBy(text, videoMathQa, samples).of).toEqual({
    "9007199254740992": "B",
    "9007199254740993": "A",
  });
});

test("VCRBench's dictionaries are keyed by id or by video; a video overrides a number that names another", async () => {
  const rows = ["1", "2", "3"].map((qid) => ({
    ...{ qid, goal: "Tea", video_file: `video_${4 - Number(qid)}.mp4` },
    ground_truth: [1, 0, 2],
  }));
  const { samples } = await vcrbench.load(await dataFolder({ "data.json": rows }));
  const byVideo = JSON.stringify({ video_3: "first", "video_1.mp4": { pred: "third" } });
  expect(repliesBy(byVideo, vcrbench, samples)).toMatchObject({
    of: { "1": "first", "3": "third" },
    match: { by: { video: 2 }, verified: true },
  });
  const byId = repliesBy(JSON.stringify({ "1": "2, 1, 3", "3": "2, 1, 3, 4" }), vcrbench, samples);
  expect(byId).toMatchObject({
    of: { "1": "2, 1, 3", "3": "2, 1, 3, 4" },
    match: { by: { id: 2 }, verified: false, foreign_answers: 1 },
  });
  expect(byId.match.told).toContain(
    "Replies with a different number of clips than their question: 1 of 2",
  );
  const both = JSON.stringify([{ qid: "1", video_file: "video_1.mp4", pred: "x" }]);
  expect(repliesBy(both, vcrbench, samples).of).toEqual({ "3": "x" });
});

test("records that fit several questions are unverified, with the doubts", async () => {
  const { samples } = await mmrV.load(await dataFolder({ "MMR-V.json": MMR }));
  const records = [
    // Two questions on video a, one on video b; no record says which question it answers.
    { video: "a.mp4", m_raw_response: "[[B]]" },
    { video: "a.mp4", m_raw_response: "[[K]]" },
    { video: "b.mp4", m_raw_response: "[[A]]" },
  ];
  const { match, notes } = repliesBy(JSON.stringify(records), mmrV, samples);
  expect(match).toMatchObject({
    ...{ by: { video: 3 }, verified: false, ambiguous: 2, foreign_answers: 1 },
    right_answers: { given: 0, equal: 0 },
  });
  expect(match.told).toBe(
    "Matched replies to questions: 3 by video. The match of 2 records cannot be verified, because each fits several questions (chosen: 2 by the order of the file). Replies with a letter that their question lacks: 1 of 2.",
  );
  expect(notes[0]).toMatchObject({
    what: "records that fit several questions, taken in order",
    count: 2,
  });
  // A number that counts places differs between releases, so it does not verify a choice.
  const numbered = records.map((record, index) => ({ ...record, question_idx: index }));
  expect(repliesBy(JSON.stringify(numbered), mmrV, samples).match).toMatchObject({
    verified: false,
    ambiguous: 2,
    told: expect.stringContaining("(chosen: 1 by number, 1 by the order of the file)"),
  });
});

test("the same text on several videos, and pairs without options, are unverified", async () => {
  const { samples } = await mmrV.load(await dataFolder({ "MMR-V.json": MMR }));
  const texts = MMR.map(({ question }) => ({ question, m_raw_response: "[[A]]" }));
  expect(repliesBy(JSON.stringify(texts), mmrV, samples).match).toMatchObject({
    ...{ by: { question: 4 }, verified: false, ambiguous: 3 },
  });
  const pairs = await math(PAIRS, "multi_binary");
  const records = PAIRS.map(({ question, videoID }) => ({ question, videoID, resps: [["A"]] }));
  expect(repliesBy(lines(records), videoMathQa, pairs).match).toMatchObject({
    ...{ by: { "question and video": 12 }, verified: false, ambiguous: 12 },
  });
  const whole = PAIRS.map((doc) => ({ doc, target: doc.answer, resps: [["A"]] }));
  expect(repliesBy(lines(whole), videoMathQa, pairs).match).toMatchObject({
    ...{ verified: true, ambiguous: 0 },
  });
});

test("it does not matter which of several equal questions a record is matched with", async () => {
  const twice = [MMR[0], { ...MMR[0], question_idx: 9 }];
  const { samples } = await mmrV.load(await dataFolder({ "MMR-V.json": twice }));
  const rows = twice.map((row, index) => ({ ...row, m_raw_response: `reply ${index}` }));
  const { of, match } = repliesBy(JSON.stringify([...rows].reverse()), mmrV, samples);
  expect(of).toEqual({ [samples[0]?.id ?? ""]: "reply 0", [samples[1]?.id ?? ""]: "reply 1" });
  expect(match).toMatchObject({ verified: true, ambiguous: 0 });
});

/** What the prompt of each record is matched with, by a search for each question: its sample, or null. */
function searchEach(prompts: readonly string[], samples: readonly Sample[]): (string | null)[] {
  const folded = (text: string) => text.replace(/\s+/g, " ").trim();
  const textOf = ({ question }: Sample) => folded(question);
  const taken = new Set<Sample>();
  return prompts.map((prompt) => {
    const lines = prompt.split("\n").map(folded);
    const onLines = lines.flatMap((line) => samples.filter((sample) => textOf(sample) === line));
    const text = folded(prompt);
    const found =
      onLines.length > 0 ? onLines : samples.filter((sample) => text.includes(textOf(sample)));
    const longest = Math.max(0, ...found.map((sample) => textOf(sample).length));
    const whole = [...new Set(found.filter((sample) => textOf(sample).length === longest))];
    const withOptions = whole.filter(({ row }) =>
      text.includes(folded((row.options as string[]).join("\n"))),
    );
    const left = withOptions.length > 0 ? withOptions : whole;
    const chosen = left.find((sample) => !taken.has(sample)) ?? left[0];
    if (chosen !== undefined) taken.add(chosen);
    return chosen?.id ?? null;
  });
}

test("records with only a prompt are matched as by a search for each question", () => {
  const word = fc.constantFrom("How", "long", "is", "side", "1", "2", "of the figure");
  const question = fc
    .array(word, { minLength: 1, maxLength: 7 })
    .map((words) => `${words.join(" ")}?`);
  const options = fc.constantFrom(["A. 1", "B. 2"], ["A. 2", "B. 1"], ["A. 3", "B. 4"]);
  const row = fc.record({ question, options });
  const file = fc.array(row, { minLength: 1, maxLength: 20 }).chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      prompts: fc.array(
        fc.oneof(
          fc
            .record({
              row: fc.constantFrom(...rows),
              before: fc.constantFrom("Question: ", "Answer.\n", "x"),
              between: fc.constantFrom("\n", "  "),
            })
            .map(({ row: { question: asked, options: shown }, before, between }) =>
              [`${before}${asked}`, ...shown, "The best answer is:"].join(between),
            ),
          question,
        ),
        { minLength: 1, maxLength: 10 },
      ),
    }),
  );
  fc.assert(
    fc.property(file, ({ rows, prompts }) => {
      const samples = rows.map(
        (of, index): Sample => ({
          ...choice("AB"),
          ...{ id: `q${index}`, question: of.question },
          row: { ...of, question_id: `q${index}`, videoID: `v${index % 3}` },
        }),
      );
      const records = prompts.map((input) => ({ input, resps: [["A"]] }));
      const matched = matchRecords(records, videoMathQa, samples);
      expect(matched.map((match) => match?.sample.id ?? null)).toEqual(
        searchEach(prompts, samples),
      );
    }),
    { numRuns: 500 },
  );
});

describeShared("released files", () => {
  test("of MMR-V keep their matches in any order", async () => {
    const { samples } = await mmrV.load(sharedFile("mmr-v"));
    const rows: object[] = JSON.parse(
      await readFile(sharedFile("mmr-v/questions_with_gpt-4o_responses.json"), "utf8"),
    );
    const sorted = repliesBy(JSON.stringify(rows), mmrV, samples);
    const reversed = repliesBy(JSON.stringify([...rows].reverse()), mmrV, samples);
    expect(reversed.of).toEqual(sorted.of);
    expect(sorted.match).toMatchObject({ verified: true, by: { "question and video": 100 } });
  });

  test.each(["gemma-3-12b-it", "gemma-3-27b-it_cot"])(
    "raw responses of %s are matched by number, with a note",
    async (model) => {
      const { samples } = await mmrV.load(sharedFile("mmr-v"));
      const text = await readFile(sharedFile(`mmr-v/raw_responses_${model}.jsonl`), "utf8");
      const { match, of } = repliesBy(text, mmrV, samples);
      expect(match).toMatchObject({ verified: false, by: { index: Object.keys(of).length } });
      expect(match.told).toContain("cannot be verified");
    },
  );
});

/** Own data: `[id, video, question]`, all with the right answer A. */
async function own(...rows: [id: string, video: string, question: string][]): Promise<Sample[]> {
  const options = ["red", "green", "blue"];
  const data = rows.map(([id, video, question]) => ({ id, video, question, options, answer: "A" }));
  const folder = await dataFolder({ "data.json": data });
  return (await dataset.load(join(folder, "data.json"), {})).samples;
}

const STRANGER = "records that name no question of the data";

test.each([
  [
    "the same question about a video that is not in the data",
    { id: "q1", video: "v1.mp4", question: "Which colour?" },
    { id: "q2", video: "v2.mp4", question: "Which colour?" },
  ],
  ["the video with another id", { id: "q1" }, { id: "q2", video: "v1.mp4" }],
  [
    "the id and the video with another question",
    { id: "q1", video: "v1.mp4", question: "Which colour?" },
    { id: "q1", video: "v1.mp4", question: "Which size?" },
  ],
])("the record of %s does not replace that of the question", async (_what, right, stranger) => {
  const samples = await own(["q1", "v1.mp4", "Which colour?"]);
  const records = [
    { ...right, reply: "A" },
    { ...stranger, reply: "B" },
  ];
  for (const text of [lines(records), lines(records.toReversed())]) {
    const { of, notes } = repliesBy(text, dataset, samples);
    expect(of).toEqual({ q1: "A" });
    expect(notes).toEqual([expect.objectContaining({ what: STRANGER, count: 1 })]);
  }
});

test("a record that names another id and another video, or the id of another question, is in doubt", async () => {
  const one = await own(["q1", "v1.mp4", "Which colour?"]);
  const stranger = { id: "q2", video: "v2.mp4", question: "Which colour?", reply: "A" };
  const { match } = repliesBy(lines([stranger]), dataset, one);
  expect(match).toMatchObject({ by: { question: 1 }, verified: false, other_names: 1 });
  expect(match.told).toContain("they name the id of another question, or another id and video.");
  const two = await own(["q1", "v1.mp4", "Which colour?"], ["q2", "v2.mp4", "Which size?"]);
  const exchanged = [
    { id: "q2", video: "v1.mp4", question: "Which colour?", reply: "A" },
    { id: "q1", video: "v2.mp4", question: "Which size?", reply: "B" },
  ];
  expect(repliesBy(lines(exchanged), dataset, two)).toMatchObject({
    of: { q1: "A", q2: "B" },
    match: { by: { "question and video": 2 }, verified: false, other_names: 2 },
  });
});

test("videos with numbers as names, and of one name in two folders, are told apart by their paths", async () => {
  const named = await own(["a", "1.mp4", "What?"], ["b", "2.mp4", "What?"]);
  const foldered = await own(["a", "x/clip.mp4", "What?"], ["b", "y/clip.mp4", "What?"]);
  const of = (first: string, second: string) =>
    lines([
      { id: "0", video: first, question: "What?", reply: "B" },
      { id: "1", video: second, question: "What?", reply: "A" },
    ]);
  for (const [samples, text] of [
    [named, of("2.mp4", "1.mp4")],
    [named, of("/films/2.mp4", "/films/1.mp4")],
    [foldered, of("y/clip.mp4", "x/clip.mp4")],
    [foldered, of("/data/y/clip.mp4", "/data/x/clip.mp4")],
  ] as const)
    expect(repliesBy(text, dataset, samples)).toMatchObject({
      of: { a: "A", b: "B" },
      match: { by: { "question and video": 2 }, verified: true },
    });
});

test("a right answer in a record of own data that differs is told", async () => {
  const samples = await own(["q1", "v1.mp4", "Which colour?"]);
  const record = { id: "q1", question: "Which colour?", reply: "A" };
  const told = (answer: string) =>
    repliesBy(lines([{ ...record, answer }]), dataset, samples).match;
  expect(told("C")).toMatchObject({ verified: false, other_answers: 1 });
  expect(told("A")).toMatchObject({ verified: true, other_answers: 0 });
});
