import { z } from "zod";
import { defineChoiceBenchmark, shareRight } from "../choice-benchmark.ts";
import { firstCapital } from "../first-capital.ts";
import type { ScoredReply } from "../scored-reply.ts";
import { finalRating, groupScore } from "./group-rating.ts";

/*
 * Video-MME-v2 (arXiv 2604.05015): four questions of eight options on each video, scored as a group. Columns, folders
 * and scoring: MME-Benchmarks/Video-MME-v2 `evaluation/test_video_mme_v2.py`, and VLMEvalKit `vlmeval/dataset/videommev2.py`.
 */

const Id = z.union([z.string().min(1), z.number()]).transform(String);

const GroupedRow = z
  .object({
    video_id: Id,
    question_id: Id,
    question: z.string(),
    // One text, an option on each line.
    options: z.union([
      z.array(z.string()).min(2),
      z
        .string()
        .transform((text) => text.trim().split(/\n\s*(?=[A-Z]\.)/))
        .pipe(z.array(z.string()).min(2)),
    ]),
    answer: z.string().regex(/^\s*[A-Z]\s*$/),
  })
  .transform(({ video_id, question_id, question, options, answer }) => {
    // Tables without quotes lose the zeros in front of 001.
    const padded = video_id.padStart(3, "0");
    return {
      id: question_id,
      question,
      options,
      answer: answer.trim(),
      video: [`${padded}.mp4`, `${video_id}.mp4`] as [string, ...string[]],
      subtitles: { name: `${padded}.jsonl` },
    };
  });

export const videoMmeV2 = defineChoiceBenchmark({
  name: "video-mme-v2",
  title: "Video-MME-v2",
  columns: ["video_id", "question_id", "question", "options", "answer", "group_type"],
  row: GroupedRow,
  lettered: true,
  folders: { videos: ["video", "videos"], subtitles: ["subtitle", "subtitles"] },
  groups: {
    group_type: "group_type",
    level: "level",
    second_head: "second_head",
    third_head: "third_head",
  },
  extractor: firstCapital(
    [
      "Final Answer:",
      "The best answer is",
      "The correct answer is",
      "The answer is",
      "The answer",
      "The best option is",
      "The correct option is",
      "Best answer:",
      "Best option:",
      "Answer:",
      "Option:",
    ],
    "H",
  ),
  misreads:
    "it takes the first capital A to H anywhere, also in the reasoning in front of the answer",
  source: "the repository MME-Benchmarks/Video-MME-v2",
  cautions: [
    "The released scorer of Video-MME-v2 counts a reply without a letter as -1, which its logic groups take for right; `group_score` counts it as wrong.",
  ],
  official: (scored) => finalRating(scored),
  measures,
  responses: {
    clues: { video: "video_id", ids: ["question_id"], numbered: "id", answer: "answer" },
    matchesRow: (row) => "group_type" in row && "video_id" in row,
  },
});

/** The mean score of the groups, 0 to 1, with every unread reply as wrong, in addition to the accuracy. */
function measures(scored: readonly ScoredReply[]): Record<string, number | null> {
  const replied = scored.filter(({ extraction }) => extraction !== null);
  const answered = replied.filter(({ extraction }) => extraction?.answer != null);
  const total = groupScore(scored);
  return {
    group_score: total === null ? null : total / 100,
    accuracy: replied.length === 0 ? null : shareRight(replied),
    answered: replied.length === 0 ? null : answered.length / replied.length,
  };
}
