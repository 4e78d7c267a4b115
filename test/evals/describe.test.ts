import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { dataset } from "../../evals/benchmarks/dataset/benchmark.ts";
import { dataCard } from "../../evals/describe/data-card.ts";
import { type DataDescription, describeData } from "../../evals/describe/describe-data.ts";
import { optionBalance } from "../../evals/describe/option-balance.ts";
import { spreadOf } from "../../evals/describe/spread.ts";
import { problemsOf } from "../../evals/describe/tables.ts";
import { atLeast } from "../../evals/statistics/poisson-binomial.ts";
import { openStore } from "../../src/storage/open.ts";
import { makeClip } from "../support/clips.ts";
import { tempFolder } from "../support/temp.ts";

let folder: string;
let told: DataDescription;
const opened: number[] = [];

const choice = (id: string, video: string, answer: string, more = {}) => ({
  ...{ id, video, question: "Which  one?", answer, level: "easy" },
  options: ["red", "green", "a very long answer", "blue"],
  ...more,
});
const order = { video: "a.mp4", goal: "tea", answer: [2, 1, 3], partial_order: [[2, 3]] };

beforeAll(async () => {
  folder = await tempFolder();
  const clip = await makeClip(folder, "a.mp4", { frames: 40, width: 64, height: 48, rate: 10 });
  await copyFile(clip, join(folder, "same.mp4"));
  await writeFile(join(folder, "broken.mp4"), "no video");
  const rows = [
    choice("1", "a.mp4", "C", { evidence_s: [[1, 9]] }),
    choice("2", "a.mp4", "C", { question: "which one", level: "hard|<b>" }),
    choice("3", "same.mp4", "C"),
    choice("4", "gone.mp4", "A", { options: ["yes", "no"] }),
    choice("5", "broken.mp4", "C", { question: "Where is it?" }),
    { id: "6", ...order, level: "hard|<b>" },
    { id: "7", video: "a.mp4", question: "Why?", answer: ["rain", "a storm"], level: "easy" },
  ];
  const file = join(folder, "set.jsonl");
  await writeFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
  const store = await openStore(join(folder, "store"));
  const progress = (done: number) => opened.push(done);
  told = await describeData(dataset, await dataset.load(file), {
    job: { store, run: "test", progress },
  });
  await store.close();
});

test("counts samples, tasks, groups, fields and lengths", () => {
  expect(told).toMatchObject({
    samples: 7,
    questions: 7,
    // Four choices of four options and one of two; three of the six orders of the clips have 2 before 3.
    tasks: [
      { task: "choice", samples: 5, chance: expect.closeTo((4 * 0.25 + 0.5) / 5) },
      { task: "order", samples: 1, chance: 0.5 },
      { task: "open", samples: 1, chance: null },
    ],
    clips: { min: 3, max: 3 },
    videos: { files: 4, missing: ["gone.mp4"], questions_per_video: { min: 1, median: 1, max: 4 } },
    fields: { subtitles: 0, evidence_s: 1, steps: 0, partial_order: 1, several_answers: 1 },
    groups: [
      { kind: "task" },
      {
        kind: "level",
        groups: [
          { group: "easy", samples: 5 },
          { group: "hard|<b>", samples: 2 },
        ],
      },
    ],
  });
  expect(told.lengths.option.characters).toEqual({ min: 2, median: 4, mean: 125 / 18, max: 18 });
});

test("names repeated samples and questions that several videos share", () => {
  expect(told.duplicates.samples).toEqual([["1", "2"]]);
  expect(told.duplicates.texts).toEqual([{ text: "Which  one?", samples: ["1", "2", "3", "4"] }]);
});

test("opens the videos: lengths, sizes, copies, unreadable files, evidence after the end", () => {
  expect(told.media).toMatchObject({
    opened: 2,
    unreadable: [{ video: "broken.mp4" }],
    total_s: expect.closeTo(8, 1),
    sizes: [{ size: "64x48", videos: 2 }],
    with_sound: 0,
    same_content: [["a.mp4", "same.mp4"]],
    evidence_outside: ["1"],
  });
  expect(opened.toSorted()).toEqual([1, 2, 3]);
});

test("the card has front matter, escapes the data and marks what a person fills in", () => {
  const card = dataCard(told, "My: set");
  const [, front = "", body = ""] = card.split(/^---$/m);
  expect(parseYaml(front)).toEqual({
    pretty_name: "My: set",
    task_categories: ["video-text-to-text", "multiple-choice", "question-answering"],
    size_categories: ["n<1K"],
    tags: ["video", "temporal-ordering", "evidence-spans"],
  });
  expect(body).toContain("| hard\\|&lt;b> | 2 |");
  expect(body.match(/To be filled in by a person/g)?.length).toBeGreaterThan(5);
  expect(problemsOf(told).map((one) => one.split(" (")[0])).toEqual([
    "missing videos",
    "repeated samples: same video, question and options",
    "The longest option is right more often than a guess",
    "videos that cannot be opened",
    "video files with the same content",
    "samples with evidence after the end of their video",
  ]);
});

const placed = (counts: readonly number[]) =>
  counts.flatMap((count, place) =>
    Array.from({ length: count }, (_, index) => {
      const options = counts.map((_count, at) => ({
        letter: "ABCDEFG".charAt(at),
        text: "x".repeat(at + 1),
      }));
      const base = { video: "v", hasVideo: true, question: "", task: "choice" as const, row: {} };
      return { ...base, id: `${place}-${index}`, options, answer: "ABCDEFG".charAt(place) };
    }),
  );

test("the balance of the right options is Pearson's test, simulated for few samples", () => {
  // R: chisq.test(c(10, 20, 30, 40))
  expect(optionBalance(placed([10, 20, 30, 40]))?.balance).toEqual({
    chi_square: 20,
    degrees: 3,
    p_by: "distribution",
    p: expect.closeTo(0.0001697, 6),
  });
  // Of the 27 ways to place three answers, three have all at one position.
  const few = optionBalance(placed([3, 0, 0]))?.balance;
  expect(few).toMatchObject({ chi_square: 6, p_by: "simulation" });
  expect(few?.p).toBeCloseTo(3 / 27, 1);
});

test("the longest option is compared with guesses, by counting all outcomes", () => {
  expect(optionBalance(placed([0, 0, 2]))?.longest_option).toEqual({
    samples: 2,
    right: 2,
    expected: expect.closeTo(2 / 3),
    p: expect.closeTo(1 / 9),
  });
  const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 7 });
  fc.assert(
    fc.property(chances, fc.nat({ max: 7 }), (of, count) => {
      let probability = 0;
      for (let outcome = 0; outcome < 2 ** of.length; outcome++) {
        const hits = of.map((_, place) => (outcome >> place) & 1);
        if (hits.reduce((sum, hit) => sum + hit, 0) >= count)
          probability += hits.reduce(
            (product, hit, place) => product * (hit ? (of[place] ?? 0) : 1 - (of[place] ?? 0)),
            1,
          );
      }
      expect(atLeast(count, of)).toBeCloseTo(probability, 9);
    }),
  );
});

test("the median is the middle, or the mean of the two in the middle", () => {
  expect(spreadOf([5, 1, 2])).toEqual({ min: 1, median: 2, mean: 8 / 3, max: 5 });
  expect(spreadOf([4, 1])).toMatchObject({ median: 2.5 });
  expect(spreadOf([])).toBeNull();
});
