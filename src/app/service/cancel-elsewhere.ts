import { setTimeout as delay } from "node:timers/promises";
import type { Replicas } from "../../core/replicas.ts";
import type { StoredQuestion } from "./question-record.ts";

/** How long the removal of a video waits for other processes that run a question about it, and between two looks. */
const ELSEWHERE_MS = 30_000;
const PAUSE_MS = 100;

/** Cancels a question that waits for a process, or tells the one that runs it. */
export async function cancelElsewhere(
  question: StoredQuestion,
  replicas: Replicas,
  saveEnd: (question: StoredQuestion) => Promise<void>,
): Promise<void> {
  // Whoever claims it from now on ends it.
  await replicas.cancel(question.id);
  if (!(await replicas.claimOne(question.id))) return;
  Object.assign(question.record, { state: "cancelled", ended_at: Date.now() });
  await saveEnd(question);
}

/** Cancels the questions about an upload, and waits until no other process runs one. */
export async function endElsewhere(upload: string, replicas: Replicas): Promise<void> {
  const until = performance.now() + ELSEWHERE_MS;
  while ((await replicas.cancelUpload(upload)) > 0 && performance.now() < until)
    await delay(PAUSE_MS);
}
