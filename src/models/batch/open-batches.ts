import { isFailure } from "../../core/errors.ts";
import { AttemptError } from "../attempt.ts";
import { failureOf } from "../retry.ts";
import { findTarget, type Target } from "../target.ts";
import { accountOf } from "../uploads.ts";
import { batchApiOf } from "./batch-api-of.ts";
import { type BatchRecord, readBatchRecords } from "./batch-record.ts";

const TIMEOUT_S = 30;

/** A recorded batch of a run that has not collected all its replies, as its provider sees it. */
export interface OpenBatch {
  record: BatchRecord;
  target: Target | null;
  done: number;
  state: "running" | "ended" | "cancelled" | "failed" | "not sent" | "not reached";
  /** Why the batch failed, or could not be asked for. */
  why: string | null;
}

/** The recorded batches of a data folder. Throws `Failure` `file-unreadable`. */
export async function readOpenBatches(data: string, signal: AbortSignal): Promise<OpenBatch[]> {
  const open: OpenBatch[] = [];
  for (const record of await readBatchRecords(data)) open.push(await look(record, signal));
  return open;
}

async function look(record: BatchRecord, signal: AbortSignal): Promise<OpenBatch> {
  const none = { record, target: null, done: 0 };
  let target: Target;
  try {
    target = findTarget(record.model, { base_url: record.base_url });
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...none, state: "not reached", why: error.message };
  }
  if (accountOf(target) !== record.account)
    return { ...none, state: "not reached", why: "it belongs to another key" };
  const api = batchApiOf(target);
  const limits = { timeout_s: TIMEOUT_S, signal };
  try {
    const batch =
      record.batch === null
        ? await api.find(target, record.id, limits)
        : await api.get(target, record.batch, limits);
    if (batch === null) return { ...none, target, state: "not sent", why: null };
    record.batch = batch.name;
    const state = batch.state === "full" ? "failed" : batch.state;
    return { record, target, done: batch.done, state, why: batch.why };
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    return { ...none, target, state: "not reached", why: failureOf(error, target).message };
  }
}

/** Cancels a batch that is being processed. Throws `Failure` as a model call does. */
export async function cancelBatch(
  { record, target }: OpenBatch,
  signal: AbortSignal,
): Promise<void> {
  if (target === null || record.batch === null) return;
  try {
    await batchApiOf(target).cancel(target, record.batch, { timeout_s: TIMEOUT_S, signal });
  } catch (error) {
    throw error instanceof AttemptError ? failureOf(error, target) : error;
  }
}
