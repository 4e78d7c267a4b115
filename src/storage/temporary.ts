import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode, toFailure } from "../core/errors.ts";
import { temporaryFolder } from "./paths.ts";
import { hasEnded, isOnThisHost, thisProcess } from "./process-identity.ts";

/** Age at which a file of a process on another host or container counts as abandoned. */
const LIFE_MS = 86_400_000;

let count = 0;

/** A unique path in the store's `tmp/`; its name identifies the process. */
export function temporaryPath(folder: string): string {
  const { host, pid, started } = thisProcess();
  return join(temporaryFolder(folder), `${host}-${pid}-${started}-${++count}`);
}

/** Removes files of ended processes from `tmp/`. */
export async function sweepTemporary(folder: string): Promise<void> {
  await removeAbandoned(folder);
}

/**
 * The same for files that were last written before `before_ms` (milliseconds since 1970). Returns their number; with
 * `dryRun` they stay.
 */
export async function removeAbandoned(
  folder: string,
  { before_ms = Number.POSITIVE_INFINITY, dryRun = false } = {},
): Promise<number> {
  const tmp = temporaryFolder(folder);
  let removed = 0;
  try {
    for (const name of await readdir(tmp)) {
      const [host = "", pid = "", started = ""] = name.split("-");
      const owner = { host, pid: Number(pid), started };
      const isNamed = Number.isInteger(owner.pid) && owner.pid > 0;
      // The age is the last resort, because the clock may have been changed.
      const left =
        isNamed && isOnThisHost(owner) ? hasEnded(owner) : (await ageOf(join(tmp, name))) > LIFE_MS;
      const isOld =
        before_ms === Number.POSITIVE_INFINITY ||
        Date.now() - (await ageOf(join(tmp, name))) < before_ms;
      if (!left || !isOld) continue;
      if (!dryRun) await rm(join(tmp, name), { force: true, recursive: true });
      removed++;
    }
    return removed;
  } catch (error) {
    throw toFailure(error, "file-unreadable", `clearing ${tmp}`);
  }
}

async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    // Its process has removed it in the meantime.
    if (systemCode(error) === "ENOENT") return 0;
    throw error;
  }
}
