import { z } from "zod";
import { defineChoiceBenchmark, shareRight, sharesBy } from "../choice-benchmark.ts";
import type { Row } from "../data-files.ts";
import { firstCapital } from "../first-capital.ts";
import { letterAt } from "../options.ts";
import type { ScoredReply } from "../scored-reply.ts";

/*
 * LongVideoBench (arXiv 2407.15754): questions that refer to a moment of a video with subtitles. Columns and folders:
 * longvideobench/LongVideoBench `longvideobench_dataset.py`; scoring: lmms-eval `tasks/longvideobench/utils.py`.
 */

/** `lvb_val.json` has `candidates`, the Parquet files have `option0` to `option4`, filled up with `N/A`. */
const LvbRow = z
  .looseObject({
    id: z.string().min(1),
    question: z.string(),
    candidates: z.array(z.string()).min(2).nullish(),
    correct_choice: z.int().min(0),
    video_path: z.string().min(1),
    subtitle_path: z.string().nullish(),
    starting_timestamp_for_subtitles: z.number().nullish(),
  })
  .transform((row, context) => {
    const options = row.candidates ?? columnsOf(row);
    if (options.length < 2 || row.correct_choice >= options.length) {
      context.addIssue({ code: "custom", message: "has no such option" });
      return z.NEVER;
    }
    return {
      id: row.id,
      question: row.question,
      options,
      answer: letterAt(row.correct_choice),
      video: [row.video_path] as [string, ...string[]],
      ...(row.subtitle_path
        ? {
            subtitles: {
              name: row.subtitle_path,
              from_s: row.starting_timestamp_for_subtitles ?? 0,
            },
          }
        : {}),
    };
  });

export const longVideoBench = defineChoiceBenchmark({
  name: "longvideobench",
  title: "LongVideoBench",
  columns: ["id", "question", "correct_choice", "video_path", "question_category"],
  // The test set is published without its answers.
  accept: ({ correct_choice }) => Number(correct_choice) >= 0,
  row: LvbRow,
  lettered: false,
  groups: {
    duration: "duration_group",
    question_category: "question_category",
    level: "level",
    topic: "topic_category",
  },
  extractor: firstCapital(
    [
      "The best answer is",
      "The correct answer is",
      "The answer is",
      "The answer",
      "The best option is",
      "The correct option is",
      "Best answer:",
      "Best option:",
    ],
    "E",
  ),
  misreads: "it takes the first capital A to E, which is the A of `Answer`",
  source: "the repository longvideobench/LongVideoBench and its task in lmms-eval",
  cautions: [
    "The released code of LongVideoBench draws a random letter for a reply without one; here it counts as wrong. It also puts subtitles between the frames, where --subtitles aligned lists them in front of the question.",
  ],
  official,
  responses: {
    clues: { video: "video_path", ids: ["id"], numbered: "id" },
    matchesRow: (row) => "correct_choice" in row && "question_category" in row,
  },
});

function columnsOf(row: Row): string[] {
  const options = [0, 1, 2, 3, 4].map((place) => row[`option${place}`]);
  return options.filter((option) => typeof option === "string" && option !== "N/A") as string[];
}

/** `lvb_acc` and its break-downs, as shares. */
function official(scored: readonly ScoredReply[]): Record<string, unknown> {
  return {
    lvb_acc: shareRight(scored),
    duration_group: sharesBy(scored, "duration_group"),
    question_category: sharesBy(scored, "question_category"),
  };
}
