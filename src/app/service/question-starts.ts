import { MOST_STARTS } from "../../core/replicas.ts";
import type { QuestionRecord } from "./question-record.ts";

/** Ends a question whose starts have ended too many processes, and returns whether it did. */
export function parked(record: QuestionRecord, starts: number): boolean {
  if (starts <= MOST_STARTS) return false;
  const message = `Parked: ${MOST_STARTS} processes, one after another, ended while answering this question. Check their logs and memory, then ask it again.`;
  Object.assign(record, {
    state: "failed",
    failure: { kind: "worker-lost", message },
    ended_at: Date.now(),
  });
  return true;
}

/** Whether one more start that ends its process parks the question: it then runs alone, so that no other is parked with it. */
export function isLastStart(starts: number): boolean {
  return starts === MOST_STARTS;
}
