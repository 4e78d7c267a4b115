import type { ReleasedReply } from "../define-benchmark.ts";
import type { ResponseFormat } from "../response-format.ts";

/* The released response files of VCRBench: records of `qid`, `video_file`, `answer` and `pred`. */

export const VCRBENCH_RESPONSES: ResponseFormat = {
  // A dictionary of responses may be keyed by videos instead of ids.
  clues: { video: "video_file", ids: ["qid"], numbered: "id", idsNameVideos: true },
  matchesRow: (row) => "ground_truth" in row && "goal" in row,
  /** Responses hold the right order counted from 1, and no goal. */
  rowOf(record) {
    if (!Array.isArray(record.answer) || "ground_truth" in record) return record;
    const { qid, video_file } = record;
    const ground_truth = record.answer.map((clip) => Number(clip) - 1);
    return { qid, video_file, goal: record.goal ?? "", ground_truth };
  },
  unknownGroups: (samples) => (samples.every(({ goal }) => goal === "") ? ["goal"] : []),
  file: {
    fields: "qid and pred",
    matchesRecord: (record) =>
      "pred" in record && !Object.keys(record).some((key) => /(^|_)raw_response$/.test(key)),
    reader: () => (record) => ({
      reply: firstText(record.pred),
    }),
  },
};

/** The first of several texts; a list of numbers is an order. */
function firstText(pred: unknown): unknown {
  return Array.isArray(pred) && typeof pred[0] !== "number" ? pred[0] : pred;
}

/** The released response file, one `pred` per question. */
export function toLeaderboard(replies: readonly ReleasedReply[]): string {
  const rows = replies.map(({ sample, reply }) => ({
    qid: sample.id,
    answer: sample.answer,
    video_file: sample.row.video_file,
    pred: reply ?? "",
  }));
  return `${JSON.stringify(rows, null, 1)}\n`;
}
