import { Failure } from "../../src/core/errors.ts";
import { addUsage, NO_USAGE, type Usage } from "../../src/core/shapes.ts";
import type { Note } from "../benchmarks/sample.ts";
import { createTally } from "../benchmarks/tally.ts";
import type { Results } from "../score/read-results.ts";
import type { Judge, Subject, SummaryOptions } from "./judge.ts";
import { type JudgementLine, type Judging, withPaid } from "./judging.ts";
import { replyKey } from "./reply-key.ts";
import { placeOf, subjectsOf } from "./subjects.ts";

/** One reply in one judge run, with the judgement of each of its parts; without parts if the judging failed. */
export interface JudgedReply<V> {
  subject: Subject;
  /** Judge run, from 1. */
  run: number;
  parts: { value: V | null; why: string | null; first: string }[];
}

/** What every summary of a judging tells in addition to its numbers. */
export interface Judged {
  kind: Judging["header"]["kind"];
  judge: string;
  folder: string;
  /** Replies that the judge was asked about; each of its runs is asked about every one. */
  replies: number;
  runs: number;
  /** Judgements by what became of them, over all runs and parts; `not_judged`: unreadable twice, refused, over budget. */
  judged: number;
  not_judged: number;
  /** What was read only at the second try. */
  repaired: number;
  failed: number;
  /** Replies that the judge was not asked about yet, which are in no number. */
  missing: number;
  why_not: Note[];
  /** What the judge was not asked about. */
  left_out: Note[];
  /** Judgements made without a frame by a judge that looks at frames. */
  without_frames: number;
  /** `paid`: of the whole judging, interrupted calls included; of the judgements, if only some of them are summarised. */
  usage: Usage;
}

/** A judging as its replies, in the order of the data; lines on replies that the results no longer hold are left out. */
export function judgedReplies<V>(
  results: Results,
  judging: Judging,
  judge: Judge<V>,
  { extractor, only }: SummaryOptions,
): {
  told: Judged;
  replies: JudgedReply<V>[];
  /** What the judge was asked about. */
  subjects: Subject[];
  /** Places of the replies that it was not asked about yet. */
  waiting: ReadonlySet<string>;
} {
  const { header, lines, folder } = judging;
  const { subjects: all, left_out } = subjectsOf(judge, results, extractor, only);
  const begun = new Set(lines.map((line) => line.sample));
  const subjects = all.filter((subject) => begun.has(replyKey(subject)));
  const waiting = new Set(all.filter((one) => !begun.has(replyKey(one))).map(placeOf));
  const runs = Math.max(1, ...lines.map((line) => line.epoch));
  const byReply = new Map(lines.map((line) => [`${line.epoch} ${line.sample}`, line]));
  const tally = createTally();
  const told: Judged = {
    kind: header.kind,
    judge: header.judge,
    folder,
    replies: subjects.length,
    runs,
    ...{ judged: 0, not_judged: 0, repaired: 0, failed: 0 },
    missing: waiting.size,
    why_not: [],
    left_out,
    without_frames: 0,
    usage: NO_USAGE,
  };
  const replies: JudgedReply<V>[] = [];
  let counted = 0;
  for (let run = 1; run <= runs; run++)
    for (const subject of subjects) {
      const line = byReply.get(`${run} ${replyKey(subject)}`);
      // Another judge run got further before the work was stopped.
      if (line === undefined) continue;
      counted++;
      told.usage = addUsage(told.usage, line.usage);
      if (line.error !== undefined) {
        told.failed++;
        replies.push({ subject, run, parts: [] });
        tally.add(`failed (${line.error.kind})`, `${line.of.sample}: ${line.error.message}`);
        continue;
      }
      if (line.frames === 0 && judge.sees) told.without_frames++;
      const parts = partsOf(line, judge, folder);
      for (const [index, { value, why }] of parts.entries()) {
        if (value === null) told.not_judged++;
        else told.judged++;
        if (value !== null && (line.parts[index]?.replies.length ?? 0) > 1) told.repaired++;
        if (value === null) tally.add("not judged", `${line.of.sample}: ${why ?? "no reason"}`);
      }
      replies.push({ subject, run, parts });
    }
  if (counted === lines.length) told.usage = withPaid(told.usage, [judging]);
  return { told: { ...told, why_not: tally.notes() }, replies, subjects, waiting };
}

function partsOf<V>(line: JudgementLine, judge: Judge<V>, folder: string) {
  return line.parts.map(({ value, why, replies }) => {
    if (value === null || value === undefined) return { value: null, why, first: replies[0] ?? "" };
    const read = judge.value.safeParse(value);
    if (!read.success)
      throw new Failure(
        "data-malformed",
        `Invalid judgement in ${folder}: the one on ${line.of.sample} is not of the kind ${judge.kind}.`,
        { folder, sample: line.of.sample },
      );
    return { value: read.data, why, first: replies[0] ?? "" };
  });
}
