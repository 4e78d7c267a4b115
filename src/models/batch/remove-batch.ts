import { isFailure } from "../../core/errors.ts";
import { AttemptError } from "../attempt.ts";
import type { Target } from "../server.ts";
import { batchApiOf } from "./batch-api-of.ts";
import { type BatchRecord, dropBatchRecord } from "./batch-record.ts";
import { findRecordTarget, type RecordAccess } from "./record-target.ts";

const TIMEOUT_S = 60;

/** Deletes the files of a batch at its provider, and its record. A file that cannot be deleted expires by itself. */
export async function removeBatch(
  data: string,
  target: Target,
  { id, input }: BatchRecord,
  results: readonly string[],
): Promise<void> {
  const api = batchApiOf(target);
  for (const name of [input, ...results])
    if (name !== null) await api.removeFile(target, name, limits()).catch(() => undefined);
  await dropBatchRecord(data, id);
}

/**
 * The same for a batch of an earlier process whose results nobody needs any more. One that is still processed, or whose
 * server is not reached, stays recorded, so that `batches` shows it.
 */
export async function removeEnded(
  data: string,
  record: BatchRecord,
  access: RecordAccess,
): Promise<void> {
  try {
    const target = findRecordTarget(record, access);
    const api = batchApiOf(target);
    const batch =
      record.batch === null
        ? await api.find(target, record.id, limits())
        : await api.get(target, record.batch, limits());
    if (batch?.state !== "running") await removeBatch(data, target, record, batch?.results ?? []);
  } catch (error) {
    if (!isFailure(error) && !(error instanceof AttemptError)) throw error;
  }
}

/** Also after the end of the run. */
const limits = () => ({ timeout_s: TIMEOUT_S, signal: new AbortController().signal });
