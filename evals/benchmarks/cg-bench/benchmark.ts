import { z } from "zod";
import { defineChoiceBenchmark, shareRight, sharesBy } from "../choice-benchmark.ts";
import { EvidenceSpans } from "../evidence-spans.ts";
import type { ScoredReply } from "../scored-reply.ts";
import { officialLetter } from "./read-letter.ts";

/*
 * CG-Bench (arXiv 2412.12075): questions whose clue intervals are annotated. Columns, folders and scoring:
 * CG-Bench/CG-Bench `cgbench_mini.json`, `unzip_hf_zip.py`, `run/utils.py` and `run/stat_with_key.py`.
 */

const CgRow = z
  .object({
    qid: z.union([z.string(), z.number()]).transform(String),
    video_uid: z.string().min(1),
    question: z.string(),
    choices: z.array(z.string()).min(2).max(26),
    right_answer: z.string().regex(/^\s*[A-Z]\s*$/),
    clue_intervals: EvidenceSpans.nullish().catch(undefined),
  })
  .transform(({ qid, video_uid, question, choices, right_answer, clue_intervals }) => ({
    id: qid,
    question,
    options: choices,
    answer: right_answer.trim(),
    video: [`${video_uid}.mp4`] as [string, ...string[]],
    subtitles: { name: `${video_uid}.srt` },
    ...(clue_intervals == null
      ? { irregularity: "clue intervals that could not be read" }
      : { evidence_s: clue_intervals }),
  }));

export const cgBench = defineChoiceBenchmark({
  name: "cg-bench",
  title: "CG-Bench",
  columns: ["qid", "video_uid", "choices", "right_answer"],
  row: CgRow,
  lettered: false,
  folders: { videos: ["cg_videos_720p", "videos"], subtitles: ["cg_subtitles", "subtitles"] },
  groups: { domain: "domain", sub_category: "sub_category" },
  extractor: officialLetter,
  misreads: "it counts a reply as right that names the right letter anywhere",
  source: "the repository CG-Bench/CG-Bench",
  cautions: [
    "A folder of CG-Bench with both of its data files is read as the full set: --data cgbench_mini.json takes the 3,000 questions of the small one.",
    "The released code of CG-Bench counts a reply without its JSON as right if it names the right letter anywhere; the task of lmms-eval reads letters by another rule, which is not implemented.",
  ],
  official,
  responses: {
    // lmms-eval calls the id `question_id` in the values it logs.
    clues: {
      ...{ video: "video_uid", ids: ["qid", "question_id"], numbered: "id" },
      answer: "right_answer",
    },
    matchesRow: (row) => "video_uid" in row && "right_answer" in row,
  },
});

/** `long_acc` as `stat_with_key.py` counts it: over the replies from which a result was read, with its break-downs. */
function official(scored: readonly ScoredReply[]): Record<string, unknown> {
  const counted = scored.filter(({ extraction }) => extraction?.answer != null);
  return {
    long_acc: shareRight(counted),
    total: counted.length,
    domain: sharesBy(counted, "domain"),
    sub_category: sharesBy(counted, "sub_category"),
  };
}
