import { z } from "zod";
import { defineChoiceBenchmark, shareRight, sharesBy } from "../choice-benchmark.ts";
import { isRow, type Row } from "../data-files.ts";
import { pythonStrip } from "../python-text.ts";
import type { Extraction, ScoredReply } from "../scored-reply.ts";
import { readTimeReference } from "./time-reference.ts";

/*
 * LVBench (arXiv 2406.08035): questions on videos of up to two hours. Columns and scoring: THUDM/LVBench
 * `lvbench/metrics/compute_accuracy.py`, `lvbench/utils/answer_util.py` and `scripts/save_video_txt.py`.
 */

const TITLE = "LVBench";

/** A question of `video_info.meta.jsonl`, with the video's own columns. The options are in the text of the question. */
const LvRow = z
  .object({
    key: z.string().min(1),
    uid: z.union([z.string(), z.number()]).transform(String),
    question: z.string(),
    answer: z.string().regex(/^\s*[A-Z]\s*$/),
    time_reference: z.string().nullish(),
  })
  .transform((row, context) => {
    const parts = splitQuestion(row.question);
    if (parts === null) {
      context.addIssue({ code: "custom", message: "has no options" });
      return z.NEVER;
    }
    const evidence_s = row.time_reference ? readTimeReference(row.time_reference) : undefined;
    return {
      id: row.uid,
      ...parts,
      answer: row.answer.trim(),
      video: [`${row.key}.mp4`, `${row.key}.mkv`, `${row.key}.webm`] as [string, ...string[]],
      ...(evidence_s == null ? {} : { evidence_s }),
      ...(evidence_s === null ? { irregularity: "time references that could not be read" } : {}),
    };
  });

export const lvBench = defineChoiceBenchmark({
  name: "lvbench",
  title: TITLE,
  columns: ["key", "qa"],
  expand,
  row: LvRow,
  lettered: true,
  folders: { videos: ["videos", "all_videos", "video"], subtitles: ["subtitles"] },
  groups: { question_type: "question_type", video_type: "type" },
  extractor: polishAnswer,
  misreads: "it takes the first character of the reply, or of what is in its first brackets",
  source: "the repository THUDM/LVBench",
  cautions: [
    "The download script of LVBench numbers the videos: rename each to its key, as in videos/<key>.mp4.",
  ],
  official,
  responses: {
    clues: { video: "key", ids: ["uid"], numbered: "id", answer: "answer" },
    matchesRow: (row) => "time_reference" in row && "question_type" in row,
  },
});

function expand({ qa, key, type }: Row): Row[] {
  return (Array.isArray(qa) ? qa : []).map((one) => ({ ...(isRow(one) ? one : {}), key, type }));
}

/** `Which one?\n(A) this\n(B) that`; null if there are no two options, or their letters do not begin with A. */
function splitQuestion(text: string): { question: string; options: string[] } | null {
  const [question = "", ...options] = text.split(/\n\s*(?=\([A-Z]\))/);
  if (options.length < 2 || !options[0]?.startsWith("(A)")) return null;
  return { question: question.trim(), options };
}

/**
 * The released `polish_answer`: what is before the first `)`, of it what follows the first `(`, and of that the first
 * character of the first word.
 */
export function polishAnswer(reply: string): Extraction {
  const before = pythonStrip(pythonStrip(reply).split(")")[0] ?? "");
  const inside = before.includes("(") ? pythonStrip(before.split("(")[1] ?? "") : before;
  const [character] = inside.split(" ")[0] ?? "";
  return character === undefined
    ? { answer: null, how: "no character" }
    : { answer: character, how: "its first character" };
}

/** The shares of `compute_accuracy`: over the questions that have an answer, by question type and as `acc`. */
function official(scored: readonly ScoredReply[]): Record<string, unknown> {
  const answered = scored.filter(({ extraction }) => extraction !== null);
  return { ...sharesBy(answered, "question_type"), acc: shareRight(answered) };
}
