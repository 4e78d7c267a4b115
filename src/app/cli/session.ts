import { resolve } from "node:path";
import type { JobContext } from "../../core/job-context.ts";
import { progressLine } from "./progress.ts";

/** Opens the store for commands that work on one video without a question, and closes it after. */
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
