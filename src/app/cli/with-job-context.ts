import { resolve } from "node:path";
import type { JobContext } from "../../core/job-context.ts";
import { progressLine } from "./progress.ts";

/** Runs `body` with an open store and a progress line, for commands that process one video without a question. */
export async function withJobContext<T>(
  folder: string,
  signal: AbortSignal,
  label: string,
  body: (job: JobContext) => Promise<T>,
): Promise<T> {
  const { openStore } = await import("../../storage/open.ts");
  const store = await openStore(resolve(folder));
  const line = progressLine(label);
  try {
    return await body({ store, run: "tools", signal, progress: line.update });
  } finally {
    line.done();
    await store.close();
  }
}
