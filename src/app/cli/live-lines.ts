import { createRequire } from "node:module";
import type * as LogUpdate from "log-update";

/** Lines on standard error that are replaced by each call; undefined if it is not a terminal. */
export function liveLines(): ReturnType<typeof LogUpdate.createLogUpdate> | undefined {
  if (!process.stderr.isTTY) return undefined;
  // Most commands have no progress to show.
  const { createLogUpdate } = createRequire(import.meta.url)("log-update") as typeof LogUpdate;
  return createLogUpdate(process.stderr);
}
