import { z } from "zod";
import type { QuestionRow } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { Answer, Hash, NO_USAGE, Question, Usage } from "../../core/shapes.ts";
import { type QuestionView, Review, STATES } from "./api.ts";

/** What the service keeps of one question, as JSON in its row. */
export const Record = z.object({
  asked: Question,
  strategy: z.string(),
  model: z.string().nullable(),
  /** What was given, by path; the operator's own settings are taken as they are when it runs. */
  given: z.record(z.string(), z.unknown()),
  state: z.enum(STATES),
  answer: Answer.nullable(),
  failure: z.object({ kind: z.string(), message: z.string() }).nullable(),
  /** The evidence set at hand. */
  set: Hash.nullable(),
  /** The set that is reasoned over in place of what would be recognised. */
  over: Hash.nullable(),
  from: z.string().nullable(),
  review: Review.nullable(),
  /** Usage of the last run by stage. */
  stages: z.array(z.object({ stage: z.string(), usage: Usage })),
  usage: Usage,
  started_at: z.number().nullable(),
  ended_at: z.number().nullable(),
});
export type Record = z.infer<typeof Record>;

/** A question of the service: its row, read. */
export interface Kept extends Omit<QuestionRow, "json" | "open"> {
  record: Record;
}

/** Throws `Failure` `store-damaged`. */
export function readKept({ json, open: _open, ...row }: QuestionRow): Kept {
  let read: ReturnType<typeof Record.safeParse> | undefined;
  try {
    read = Record.safeParse(JSON.parse(json));
  } catch {
    read = undefined;
  }
  if (read?.success) return { ...row, record: read.data };
  throw new Failure("store-damaged", `The question ${row.id} is damaged in the store.`, {
    id: row.id,
  });
}

export function rowOf({ record, ...row }: Kept): QuestionRow {
  return { ...row, open: isOpen(record), json: JSON.stringify(record) };
}

/** Whether it waits or runs. */
export function isOpen({ state }: Pick<Record, "state">): boolean {
  return state === "queued" || state === "running";
}

export function newRecord(
  about: Pick<Record, "asked" | "strategy" | "model" | "given">,
  again: Pick<Record, "from" | "over"> = { from: null, over: null },
): Record {
  return {
    ...about,
    ...again,
    state: "queued",
    answer: null,
    failure: null,
    set: null,
    review: null,
    stages: [],
    usage: NO_USAGE,
    started_at: null,
    ended_at: null,
  };
}

/** As it is shown. */
export function viewOf({ id, upload, created_at, record }: Kept): QuestionView {
  const { given, over: _over, started_at, ended_at, ...shown } = record;
  return {
    id,
    video: upload,
    created_at,
    ...shown,
    settings: given,
    edited: record.answer !== null && record.set !== record.answer.set,
    seconds: started_at === null || ended_at === null ? null : (ended_at - started_at) / 1000,
  };
}
