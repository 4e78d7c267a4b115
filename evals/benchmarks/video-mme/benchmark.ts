import { z } from "zod";
import { defineChoiceBenchmark, shareRight, sharesBy } from "../choice-benchmark.ts";
import { firstCapital } from "../first-capital.ts";
import type { ScoredReply } from "../scored-reply.ts";

/*
 * Video-MME (arXiv 2405.21075): 900 short, medium and long videos. Columns and folders: VLMEvalKit
 * `vlmeval/dataset/videomme.py` and lmms-eval `tasks/videomme/utils.py`; scoring: thanku-all/parse_answer
 * `eval_your_results.py`, which the README of the benchmark names.
 */

const VideoMmeRow = z
  .object({
    question_id: z.string().min(1),
    videoID: z.string().min(1),
    question: z.string(),
    options: z.array(z.string()).min(2),
    answer: z.string().regex(/^\s*[A-Z]\s*$/),
  })
  .transform(({ question_id, videoID, question, options, answer }) => ({
    id: question_id,
    question,
    options,
    answer: answer.trim(),
    video: [`${videoID}.mp4`, `${videoID}.MP4`, `${videoID}.mkv`] as [string, ...string[]],
    subtitles: { name: `${videoID}.srt` },
  }));

export const videoMme = defineChoiceBenchmark({
  name: "video-mme",
  title: "Video-MME",
  columns: ["question_id", "videoID", "question", "options", "answer", "task_type"],
  row: VideoMmeRow,
  lettered: true,
  folders: { videos: ["data", "video", "videos"], subtitles: ["subtitle", "subtitles"] },
  groups: {
    duration: "duration",
    domain: "domain",
    sub_category: "sub_category",
    task_type: "task_type",
  },
  // Commas are missing in the released list, so that two of its phrases hardly ever match.
  extractor: firstCapital(
    [
      "The best answer is",
      "The correct answer is",
      "The answer is",
      "The answer",
      "The best option isThe correct option is",
      "Best answer:Best option:",
      "Answer:",
      "Option:",
      "The correct answer",
      "The correct option",
    ],
    "D",
  ),
  misreads:
    "it takes the first capital A to D anywhere, also in the reasoning in front of the answer",
  source: "VLMEvalKit, lmms-eval and the scorer that the repository BradyFU/Video-MME names",
  cautions: [
    "The released scorer of Video-MME counts only questions with a letter; the task of lmms-eval reads letters by another rule, which is not implemented.",
  ],
  official,
  responses: {
    clues: { video: "videoID", ids: ["question_id"], numbered: "id", answer: "answer" },
    matchesRow: (row) => "videoID" in row && "task_type" in row,
  },
});

/** The percentages of `eval_your_results.py`, which prints one decimal: over the replies from which a letter was read. */
function official(scored: readonly ScoredReply[]): Record<string, unknown> {
  const answered = scored.filter(({ extraction }) => extraction?.answer != null);
  const percent = (shares: Record<string, number>) =>
    Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, 100 * share]));
  const by = (column: string) => percent(sharesBy(answered, column));
  return {
    overall: 100 * shareRight(answered),
    duration: by("duration"),
    domain: by("domain"),
    sub_category: by("sub_category"),
    task_type: by("task_type"),
  };
}
