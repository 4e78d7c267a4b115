import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode, toFailure } from "../core/errors.ts";
import { temporaryFolder } from "./paths.ts";
import { isGone, isOnThisHost, thisProcess } from "./process-identity.ts";

/** A file of a process that cannot be asked (another host or container) is left over after this long. */
const LIFE_MS = 86_400_000;

let count = 0;

/** A path in the store's `tmp/` that nothing else uses; its name tells whose it is. */
export function temporaryPath(folder: string): string {
  const { host, pid, started } = thisProcess();
  return join(temporaryFolder(folder), `${host}-${pid}-${started}-${++count}`);
}

/** Removes what killed processes left in `tmp/`. */
export async function sweepTemporary(folder: string): Promise<void> {
  const tmp = temporaryFolder(folder);
  try {
    for (const name of await readdir(tmp)) {
      const [host = "", pid = "", started = ""] = name.split("-");
      const owner = { host, pid: Number(pid), started };
      const isNamed = Number.isInteger(owner.pid) && owner.pid > 0;
      // The age counts only where nothing else tells: the clock may have been set.
      const left =
        isNamed && isOnThisHost(owner) ? isGone(owner) : (await ageOf(join(tmp, name))) > LIFE_MS;
      if (left) await rm(join(tmp, name), { force: true, recursive: true });
    }
  } catch (error) {
    throw toFailure(error, "file-unreadable", `clearing ${tmp}`);
  }
}

async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    // Its own process has finished with it meanwhile.
    if (systemCode(error) === "ENOENT") return 0;
    throw error;
  }
}
