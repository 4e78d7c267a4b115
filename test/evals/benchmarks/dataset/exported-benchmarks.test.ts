import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cgBench } from "../../../../evals/benchmarks/cg-bench/benchmark.ts";
import { dataset } from "../../../../evals/benchmarks/dataset/benchmark.ts";
import { type Benchmark, benchmarks } from "../../../../evals/benchmarks/define-benchmark.ts";
import { longVideoBench } from "../../../../evals/benchmarks/longvideobench/benchmark.ts";
import { lvBench } from "../../../../evals/benchmarks/lvbench/benchmark.ts";
import { mmrV } from "../../../../evals/benchmarks/mmr-v/benchmark.ts";
import type { Sample } from "../../../../evals/benchmarks/sample.ts";
import { scoreReply } from "../../../../evals/benchmarks/score-reply.ts";
import { vcrbench } from "../../../../evals/benchmarks/vcrbench/benchmark.ts";
import { videoMme } from "../../../../evals/benchmarks/video-mme/benchmark.ts";
import { videoMmeV2 } from "../../../../evals/benchmarks/video-mme-v2/benchmark.ts";
import { videoMathQa } from "../../../../evals/benchmarks/videomathqa/benchmark.ts";
import { toDataset } from "../../../../evals/export/data-rows.ts";
import { unitOf } from "../../../../evals/run/selection.ts";
import { tempFolder } from "../../../support/temp.ts";
import { dataFolder } from "../fixtures.ts";

/* The questions of every built-in benchmark, exported with `--format dataset` and read again, are the same. */

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((value) => value.trim())
  .filter((value) => /^[^\n\r\0]+$/.test(value) && value.isWellFormed());
const span = fc
  .tuple(fc.nat(90), fc.nat(9))
  .map(([start, length]): [number, number] => [start, start + length]);
const question = fc.record({
  question: text,
  options: fc.uniqueArray(text, { minLength: 2, maxLength: 4 }),
  right: fc.nat(),
  group: fc.constantFrom("one", "two"),
  from_s: fc.constantFrom(undefined, 0, 12.5),
  spans: fc.option(fc.array(span, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  steps: fc.option(fc.array(text, { minLength: 3, maxLength: 3 }), { nil: undefined }),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  swaps: fc.boolean(),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

const letter = ({ right, options }: Question) => "ABCD".charAt(right % options.length);
const lettered = ({ options }: Question) =>
  options.map((option, place) => `${"ABCD".charAt(place)}. ${option}`);

interface Layout {
  benchmark: Benchmark;
  config?: string;
  rowsOf(question: Question, place: number): object[];
}

const LAYOUTS: Layout[] = [
  {
    benchmark: vcrbench,
    rowsOf: ({ question: goal, order, steps, swaps }, place) => {
      const partial_order = swaps ? [order.slice(0, 2)] : undefined;
      return [{ qid: place, goal, video_file: "v.mp4", ground_truth: order, steps, partial_order }];
    },
  },
  {
    benchmark: mmrV,
    rowsOf: (one, question_idx) => [
      {
        ...{ video: "v.mp4", videoType: one.group, question: one.question, question_idx },
        options: one.options.map((option, place) => `(${"ABCD".charAt(place)}) ${option}`),
        correctAnswer: `(${letter(one)})`,
      },
    ],
  },
  ...["mcq", "multi_binary"].map(
    (config): Layout => ({
      benchmark: videoMathQa,
      config,
      rowsOf: (one, question_id) => {
        const row = { question_id, question: one.question, videoID: "v", category: one.group };
        const more = { ...row, steps: one.steps, evidence_s: one.spans };
        if (config === "mcq")
          return [{ ...more, options: [...lettered(one), "E. none"], answer: letter(one) }];
        // As many pairs as there are wrong options.
        return one.options.slice(1).map((wrong, place) => ({
          ...more,
          options: place === 0 ? [`A. ${one.options[0]}`, `B. ${wrong}`] : ["A. -", "B. +"],
          answer: "AB".charAt(place % 2),
        }));
      },
    }),
  ),
  {
    benchmark: longVideoBench,
    rowsOf: (one, place) => [
      {
        ...{ id: `v_${place}`, question: one.question, candidates: one.options },
        ...{ correct_choice: one.right % one.options.length, video_path: "v.mp4" },
        ...{ question_category: one.group, duration_group: 60, subtitle_path: "v.json" },
        starting_timestamp_for_subtitles: one.from_s,
      },
    ],
  },
  {
    benchmark: lvBench,
    rowsOf: (one, uid) => {
      const listed = one.options.map((option, place) => `(${"ABCD".charAt(place)}) ${option}`);
      const asked = [one.question, ...listed].join("\n");
      const time_reference = one.spans === undefined ? "all" : "00:15-01:02";
      const qa = { uid, question: asked, answer: letter(one), time_reference };
      return [
        { key: "v", type: one.group, video_info: {}, qa: [{ ...qa, question_type: [one.group] }] },
      ];
    },
  },
  {
    benchmark: cgBench,
    rowsOf: (one, qid) => [
      {
        ...{ qid, video_uid: "v", question: one.question, choices: one.options },
        ...{ right_answer: letter(one), clue_intervals: one.spans ?? [], domain: one.group },
        ...{ sub_category: "x", duration: 60, answer: "" },
      },
    ],
  },
  {
    benchmark: videoMme,
    rowsOf: (one, place) => [
      {
        ...{ question_id: `1-${place}`, videoID: "v", question: one.question },
        ...{ options: lettered(one), answer: letter(one), task_type: one.group },
      },
    ],
  },
  {
    benchmark: videoMmeV2,
    rowsOf: (one, place) => [
      {
        ...{ video_id: "v", question_id: `v-${place}`, question: one.question, level: one.group },
        ...{ options: lettered(one), answer: letter(one), group_type: "relevance" },
        ...{ group_structure: "None", second_head: "x", third_head: "y" },
      },
    ],
  },
];

test("every built-in benchmark is here", () => {
  const names = benchmarks.all().map(({ name }) => name);
  expect(new Set([...LAYOUTS.map(({ benchmark }) => benchmark.name), dataset.name])).toEqual(
    new Set(names),
  );
});

const MEDIA = ["v.mp4", "videos/v.mp4", "cg_videos_720p/v.mp4", "subtitles/v.srt", "v.srt"];

test.each(
  LAYOUTS.map(
    (layout) => [`${layout.benchmark.name} ${layout.config ?? ""}`.trim(), layout] as const,
  ),
)("%s", async (_name, { benchmark, config, rowsOf }) => {
  const folder = await dataFolder({
    ...Object.fromEntries(MEDIA.map((path) => [path, null])),
    "subtitles/v.json": [],
  });
  const file = join(await tempFolder(), "exported.jsonl");
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 4 }), async (questions) => {
      await writeFile(join(folder, "data.json"), JSON.stringify(questions.flatMap(rowsOf)));
      const { samples } = await benchmark.load(folder, { config });
      await writeFile(
        file,
        toDataset([], samples, (sample) => benchmark.groups(sample)),
      );
      const again = await dataset.load(file, { settings: { videos: folder } });
      const given = samples.map((sample) => ({ ...sample, groups: benchmark.groups(sample) }));
      expect(again.samples.map(withoutRow)).toEqual(given.map(withoutRow));
      expect(again.samples.map(unitOf)).toEqual(samples.map(unitOf));
      expect(valuesOf(dataset, again.samples)).toEqual(valuesOf(benchmark, samples));
      read += samples.length;
    }),
    { numRuns: 40 },
  );
  expect(read).toBeGreaterThan(40);
});

const withoutRow = ({ row: _row, ...sample }: Sample) => sample;

/** How the questions count if the reply to every sample is the first option or the order of the clips. */
function valuesOf(benchmark: Benchmark, samples: readonly Sample[]) {
  const replies = samples.map((sample) =>
    scoreReply(
      benchmark,
      sample,
      sample.task === "order" ? "Correct order: 1, 2, 3" : "Answer: A",
      "sound",
    ),
  );
  return benchmark.questions(replies).map(({ id, value }) => [id, value]);
}

test("the start of subtitles and the number of pairs are read from texts, and named if they cannot be used", async () => {
  const folder = await dataFolder({
    "v.mp4": null,
    "v.srt": null,
    "data.csv": [
      "id,video,question,options,answer,subtitles,subtitles_from_s,pairs",
      "q/1,v.mp4,Which?,x|y,A,v.srt,12.5,2",
      "q/2,v.mp4,Which?,x|z,A,v.srt,late,2",
      "r/1,v.mp4,Which?,x|y|z,A,v.srt,,2",
      "s,v.mp4,Which?,x|y,A,v.srt,0,2",
    ].join("\n"),
  });
  const { samples, notes } = await dataset.load(join(folder, "data.csv"));
  expect(samples.map((one) => [one.id, one.subtitles_from_s, one.pairs])).toEqual([
    ["q/1", 12.5, 2],
    ["q/2", undefined, 2],
    ["r/1", undefined, undefined],
    ["s", undefined, undefined],
  ]);
  expect(notes.map(({ what, count }) => [what.split(":")[0], count])).toEqual([
    ["values of subtitles_from_s left out", 1],
    ["values of pairs left out", 2],
  ]);
});
