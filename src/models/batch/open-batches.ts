import { isFailure } from "../../core/errors.ts";
import { AttemptError } from "../attempt.ts";
import { failureOf } from "../retry.ts";
import type { Target } from "../target.ts";
import { batchApiOf } from "./batch-api-of.ts";
import { type BatchRecord, readBatchRecords, writeBatchRecord } from "./batch-record.ts";
import { findRecordTarget, type RecordAccess } from "./record-target.ts";

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
export async function readOpenBatches(
  data: string,
  access: RecordAccess,
  signal: AbortSignal,
): Promise<OpenBatch[]> {
  const open: OpenBatch[] = [];
  for (const record of await readBatchRecords(data)) open.push(await look(record, access, signal));
  return open;
}

async function look(
  record: BatchRecord,
  access: RecordAccess,
  signal: AbortSignal,
): Promise<OpenBatch> {
  const none = { record, target: null, done: 0 };
  let target: Target;
  try {
    target = findRecordTarget(record, access);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...none, state: "not reached", why: error.message };
  }
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

/**
 * Cancels a batch that is being processed, and deletes its file of requests, which holds the frames, at the provider.
 * The record stays, for the results of what was processed. Throws `Failure` as a model call does.
 */
export async function cancelBatch(
  data: string,
  { record, target }: OpenBatch,
  signal: AbortSignal,
): Promise<void> {
  if (target === null || record.batch === null) return;
  const api = batchApiOf(target);
  const limits = { timeout_s: TIMEOUT_S, signal };
  try {
    await api.cancel(target, record.batch, limits);
    if (record.input !== null) await api.removeFile(target, record.input, limits);
  } catch (error) {
    throw error instanceof AttemptError ? failureOf(error, target) : error;
  }
  await writeBatchRecord(data, { ...record, input: null });
}
