import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../core/atomic-file.ts";
import { systemCode, toFailure } from "../../core/errors.ts";

/*
 * What a process notes of a batch before and after it is sent, so that another process finds its results. One file for
 * each batch, in the data folder.
 */

const BatchRecord = z.object({
  format: z.literal(1),
  /** Ours, which the provider stores with the batch. */
  id: z.string().regex(/^[0-9a-f-]{36}$/),
  /** The run that sent it. */
  run: z.string(),
  /** `provider:model`. */
  model: z.string(),
  base_url: z.string(),
  /** Names the account without its key. */
  account: z.string(),
  created_at: z.string(),
  /** The uploaded file and the batch at the provider; null before they exist. */
  input: z.string().nullable(),
  batch: z.string().nullable(),
  /** Memo keys of the calls. */
  keys: z.array(z.string()),
});

/** A batch that was sent, or is about to be. */
export type BatchRecord = z.infer<typeof BatchRecord>;

/** Records older than this are dropped: providers delete results after 30 days at the latest. */
const LIFE_MS = 30 * 24 * 3600 * 1000;

/** The folder of batches in a data folder. */
export function batchFolder(data: string): string {
  return join(data, "batches");
}

const fileOf = (data: string, id: string) => join(batchFolder(data), `${id}.json`);

export async function writeBatchRecord(data: string, record: BatchRecord): Promise<void> {
  await writeAtomically(fileOf(data, record.id), `${JSON.stringify(record)}\n`);
}

export async function dropBatchRecord(data: string, id: string): Promise<void> {
  await rm(fileOf(data, id), { force: true });
}

/** All records, the oldest first. A file that is not a record is ignored. Throws `Failure` `file-unreadable`. */
export async function readBatchRecords(data: string): Promise<BatchRecord[]> {
  let names: string[];
  try {
    names = await readdir(batchFolder(data));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw toFailure(error, "file-unreadable", `reading the batches of ${data}`);
  }
  const records: BatchRecord[] = [];
  for (const name of names.filter((one) => one.endsWith(".json"))) {
    const read = BatchRecord.safeParse(await readJson(join(batchFolder(data), name)));
    if (!read.success) continue;
    if (Date.parse(read.data.created_at) < Date.now() - LIFE_MS)
      await dropBatchRecord(data, read.data.id);
    else records.push(read.data);
  }
  return records.sort((a, b) => a.created_at.localeCompare(b.created_at));
}

/** Undefined for a file that is gone or is no JSON. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
}
