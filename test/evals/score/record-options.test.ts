import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { exportResults } from "../../../evals/export/export-run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { compareOptions } from "../../../evals/score/record-options.ts";
import { readResponses } from "../../../evals/score/responses.ts";
import { scoreReplies } from "../../../evals/score/score-replies.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { tempFolder } from "../../support/temp.ts";
import { dataFolder } from "../benchmarks/fixtures.ts";

/* Files of other tools that have shuffled the options: the same letter names another option than in the data. */

const LETTERS = [..."ABCDEFGH"];
const TEXTS = ["a cat", "a dog", "a bird", "a fish", "a horse"];

const lettered = (texts: readonly string[]) =>
  texts.map((text, place) => `(${LETTERS[place]}) ${text}`);

/** A question about each video, with the right option at another place. */
const ROWS = [0, 1, 2, 3].map((place) => ({
  video: `v${place}.mp4`,
  question: "Which animal?",
  options: lettered(TEXTS),
  correctAnswer: `(${LETTERS[place]})`,
  question_idx: place,
}));

/** The same question as another tool asked it: options in another order, the right reply in its letters. */
function asked(row: (typeof ROWS)[number], order: readonly number[]) {
  const right = order.indexOf(LETTERS.indexOf(row.correctAnswer[1] ?? ""));
  const letter = LETTERS[right];
  return {
    ...row,
    options: lettered(order.map((place) => TEXTS[place] ?? "")),
    correctAnswer: `(${letter})`,
    m_raw_response: `[[${letter}]]`,
  };
}

async function mmr(rows: object[] = ROWS): Promise<Sample[]> {
  return (await mmrV.load(await dataFolder({ "MMR-V.json": rows }))).samples;
}

async function resultsOf(records: object[]) {
  const file = join(await tempFolder(), "m.json");
  await writeFile(file, JSON.stringify(records));
  return readResults(file, {
    benchmark: "mmr-v",
    data: await dataFolder({ "MMR-V.json": ROWS }),
  });
}

describe("options in another order", () => {
  const orders = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });

  test("are read with the letters of the record, by every extractor", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(orders, { minLength: 4, maxLength: 4 }), async (all) => {
        const records = ROWS.map((row, index) => asked(row, all[index] ?? []));
        const results = await resultsOf(records);
        for (const name of Object.keys(mmrV.extractors))
          expect(scoreReplies(results, name).map(({ score }) => score.value)).toEqual([1, 1, 1, 1]);
        expect(results.match).toMatchObject({ verified: true, other_answers: 0 });
      }),
      { numRuns: 10 },
    );
  });

  test("are counted in the score, with the letters of the data and the positions that the model saw", async () => {
    const order = [4, 3, 2, 1, 0];
    const results = await resultsOf(ROWS.map((row) => asked(row, order)));
    const score = scoreResults(results);
    expect(score.all.right).toBe(4);
    expect(score.match).toMatchObject({ reordered: 4, verified: true });
    expect(score.match?.told).toContain(
      "4 records have the options in another order; the letters of their replies were converted by the texts of the options.",
    );
    const [first] = scoreReplies(results);
    expect(first?.extraction).toMatchObject({
      answer: "A",
      how: expect.stringContaining("options in the order of the record"),
    });
    expect(score.option_positions.map(({ results: at }) => at)).toEqual([0, 1, 1, 1, 1]);
    expect(score.option_positions.map(({ named }) => named)).toEqual([0, 1, 1, 1, 1]);
    // A leaderboard knows the options in the order of the data only.
    for (const format of ["mmr-v", "lmms-eval"])
      expect(() => exportResults(results, format)).toThrow(
        `Cannot write m.json as ${format}: 4 of its replies name letters of another order`,
      );
    expect(JSON.parse(exportResults(results, "json"))[0]).toMatchObject({ answer: "A", value: 1 });
  });

  test("of lmms-eval's logs are those of `doc`", async () => {
    const doc = (options: string[], answer: string) => ({
      ...{ question_id: "q", question: "How long?", videoID: "v", category: "Chart" },
      ...{ options, answer, length: "short" },
    });
    const data = await dataFolder({ "mcq.json": [doc(["A. 1", "B. 2", "C. 3"], "C")] });
    const { samples } = await videoMathQa.load(data);
    const line = { doc: doc(["A. 3", "B. 1", "C. 2"], "A"), target: "A", resps: [["A"]] };
    const { replies, match, notes } = readResponses(JSON.stringify(line), videoMathQa, samples);
    expect(replies[0]?.option_order?.map(({ place }) => place)).toEqual([2, 0, 1]);
    expect(match).toMatchObject({ reordered: 1, verified: true });
    expect(notes).toEqual([]);
  });

  test("distinguish questions with the same text and video", async () => {
    const [row] = ROWS;
    const other = { ...row, options: lettered(["a", "b", "c"]), correctAnswer: "(C)" };
    const samples = await mmr([row, other] as object[]);
    const record = { ...other, options: lettered(["c", "b", "a"]), correctAnswer: "(A)" };
    const text = JSON.stringify([{ ...record, question_idx: 77, m_raw_response: "[[A]]" }]);
    const { replies, match } = readResponses(text, mmrV, samples);
    expect(replies[0]?.sample).toBe(samples[1]?.id);
    expect(match).toMatchObject({ verified: true, ambiguous: 0, reordered: 1 });
  });
});

describe("records that contradict the data", () => {
  test("by other options are unverified", async () => {
    const [row] = ROWS;
    const options = lettered(["a cat", "a dog", "a bird", "a fish", "a cow"]);
    const text = JSON.stringify([{ ...row, options, m_raw_response: "[[A]]" }]);
    const { match, notes } = readResponses(text, mmrV, await mmr());
    expect(match).toMatchObject({ verified: false, other_options: 1, other_answers: 0 });
    expect(match.told).toContain(
      "The match of 1 records cannot be verified, because their options differ from the data's: their letters may name other options.",
    );
    expect(notes[0]).toMatchObject({ what: "records whose options differ from the data's" });
  });

  test.each([
    ["(B)", true],
    ["b", true],
    ["(B) a dog", true],
    ["(A)", false],
  ])("by the right answer %s for the first option: %s", async (correctAnswer, differs) => {
    const [row] = ROWS;
    const text = JSON.stringify([{ ...row, correctAnswer, m_raw_response: "[[A]]" }]);
    const { match, notes } = readResponses(text, mmrV, await mmr());
    expect(match).toMatchObject({ verified: !differs, other_answers: Number(differs) });
    expect(match.told.includes("their right answer differs from the data's.")).toBe(differs);
    expect(
      notes.some(({ what }) => what === "right answers that differ from the data's, which count"),
    ).toBe(differs);
  });

  test("by the right answer of the old order, if only the list of options was sorted", async () => {
    const [row] = ROWS;
    const record = { ...asked(row as never, [2, 1, 0, 3, 4]), correctAnswer: row?.correctAnswer };
    const { match } = readResponses(JSON.stringify([record]), mmrV, await mmr());
    expect(match).toMatchObject({ verified: false, reordered: 1, other_answers: 1 });
  });
});

describe("the comparison of options", () => {
  const sample = (options: [string, string][]): Sample => ({
    ...{ id: "1", video: "v.mp4", hasVideo: true, question: "Which?", task: "choice", row: {} },
    options: options.map(([letter, text]) => ({ letter, text })),
    answer: "A",
  });
  const data = sample([
    ["A", "Yes."],
    ["B", "No"],
    ["C", "Maybe"],
  ]);

  test.each([
    ["none", undefined, "same"],
    ["no list of texts", [1, 2, 3], "same"],
    ["without letters, with other marks and spaces", ["yes", " No ", "maybe."], "same"],
    [
      "listed in another order under their own letters",
      ["(C) Maybe", "(A) Yes.", "(B) No"],
      "same",
    ],
    ["one fewer", ["(A) Yes.", "(B) No"], "different"],
    ["a repeated letter", ["(A) Yes.", "(A) No", "(C) Maybe"], "different"],
    ["a repeated text", ["(A) Yes.", "(B) No", "(C) No"], "different"],
    ["another text", ["(A) Yes.", "(B) No", "(C) Never"], "different"],
    ["shuffled", ["(A) No", "(B) Yes.", "(C) Maybe"], "reordered"],
  ])("%s", (_, options, kind) => {
    expect(compareOptions({ options }, data).kind).toBe(kind);
  });

  test("finds options under letters that the data skip, and keeps equal texts at their letters", () => {
    const skipping = sample([
      ["A", "x"],
      ["C", "y"],
      ["D", "y"],
    ]);
    expect(compareOptions({ options: ["(A) y", "(B) x", "(C) y"] }, skipping)).toEqual({
      kind: "reordered",
      order: [
        { letter: "A", place: 2 },
        { letter: "B", place: 0 },
        { letter: "C", place: 1 },
      ],
    });
  });
});

describe("own data", () => {
  const texts = ["red", "blue", "green"];
  const reply = { id: "1", reply: "Answer: A" };
  const [data, shuffled] = [texts, ["green", "red", "blue"]];
  const named = (options: readonly string[]) =>
    Object.fromEntries(options.map((text, place) => [LETTERS[place] ?? "", text]));

  async function scored(name: string, content: string | Uint8Array) {
    const folder = await dataFolder({
      "data.json": [{ id: "1", video: "v.mp4", question: "?", options: data, answer: "C" }],
    });
    const file = join(folder, name);
    await writeFile(file, content);
    const read = { benchmark: "dataset", data: join(folder, "data.json") };
    const results = await readResults(file, read);
    return { results, value: scoreReplies(results)[0]?.score.value };
  }

  test.each<[string, string, string | Uint8Array]>([
    ["an object", "r.jsonl", JSON.stringify({ ...reply, options: named(shuffled) })],
    ["columns", "r.jsonl", JSON.stringify({ ...reply, ...named(shuffled) })],
    ["lines", "r.jsonl", JSON.stringify({ ...reply, options: "A. green\nB. red\nC. blue" })],
    ["CSV", "r.csv", "id;reply;A;B;C\r\n1;Answer: A;green;red;blue\r\n"],
    [
      "UTF-16",
      "r.jsonl",
      Buffer.from(`\ufeff${JSON.stringify({ ...reply, candidates: shuffled })}`, "utf16le"),
    ],
  ])("has its options in another order as %s", async (_name, file, content) => {
    const { results, value } = await scored(file, content);
    expect(value).toBe(1);
    expect(results.match).toMatchObject({ reordered: 1, other_options: 0 });
  });

  test("is exported with the options and letters that the model saw, and scored the same again", async () => {
    const { results } = await scored("r.jsonl", JSON.stringify({ ...reply, options: shuffled }));
    const text = exportResults(results, "dataset", { replies: true });
    expect(JSON.parse(text)).toMatchObject({
      ...{ options: named(shuffled), answer: "A" },
      ...{ reply: "Answer: A", reply_answer: "A", score: 1 },
    });
    expect((await scored("again.jsonl", text)).value).toBe(1);
  });
});
