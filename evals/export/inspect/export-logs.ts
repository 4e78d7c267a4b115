import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Store } from "../../../src/core/contracts.ts";
import { Failure } from "../../../src/core/errors.ts";
import { storedSettings } from "../../../src/core/settings.ts";
import { makeFolder } from "../../../src/storage/make-folder.ts";
import { openStore } from "../../../src/storage/open.ts";
import { storeAddress } from "../../../src/storage/store-address.ts";
import type { Results } from "../../score/read-results.ts";
import type { NamedRuns } from "../../sweep/sweep-folder.ts";
import { exportLog } from "./export-log.ts";

const EXTENSION = ".eval";

/** How logs are written. */
export interface LogsOptions {
  isSweep: boolean;
  /** Folder of the store with messages and pictures. Default: that of each run. */
  data?: string;
  /** What a log lacks that the run had. */
  onNote?: (text: string) => void;
  /** After each file. */
  onFile: (file: string) => void;
  signal?: AbortSignal;
}

/**
 * Writes each run as a log of Inspect: to the file `output`, or for a sweep to one file for each run in the folder `output`.
 * Throws as `exportLog`, and `wrong-usage` for a file whose name Inspect would not read.
 */
export async function exportLogs(
  runs: NamedRuns["runs"],
  output: string,
  { isSweep, data, onFile, onNote, signal }: LogsOptions,
): Promise<void> {
  if (!isSweep && !output.endsWith(EXTENSION))
    throw new Failure(
      "wrong-usage",
      `Invalid -o ${output}: Inspect reads files whose names end in ${EXTENSION}.`,
      { output },
    );
  await makeFolder(isSweep ? output : dirname(output));
  for (const { path, results } of runs) {
    signal?.throwIfAborted();
    const file = isSweep ? join(output, `${results.name}${EXTENSION}`) : output;
    const created = (await stat(path)).mtime.toISOString();
    const store = await storeOf(results, data, onNote);
    try {
      await exportLog(results, file, { blobs: store?.blobs ?? null, created });
    } finally {
      await store?.close();
    }
    onFile(file);
  }
}

/** The store with the messages of the results; null if none were kept, or if the store no longer exists. */
async function storeOf(
  { name, said, header }: Results,
  given: string | undefined,
  onNote: LogsOptions["onNote"],
): Promise<Store | null> {
  if (!said.some(({ line }) => line?.transcript !== undefined)) return null;
  const folder = resolve(given ?? storedSettings(header?.settings)?.runtime.data ?? "");
  if (storeAddress() !== null || existsSync(join(folder, "store.db"))) return openStore(folder);
  onNote?.(
    `The kept messages of ${name} are left out: there is no data folder in ${folder}. Pass it with --data-dir.`,
  );
  return null;
}
