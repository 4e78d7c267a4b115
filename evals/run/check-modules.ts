import { stat } from "node:fs/promises";
import { Failure } from "../../src/core/errors.ts";
import { hashFile } from "../../src/core/hash.ts";
import { loadedModules, type ModuleFile } from "../../src/core/loaded-modules.ts";
import { moduleFlags } from "./resume-command.ts";

/** No source file is larger. A folder of somebody else may name any file. */
const MOST_BYTES = 2 ** 26;

/** What a header records of users' files: nothing if none was loaded. */
export function modulesForHeader(before: readonly ModuleFile[] = []): { modules?: ModuleFile[] } {
  const now = loadedModules();
  const kept = before.filter(({ path }) => !now.some((file) => file.path === path));
  const modules = [...kept, ...now];
  return modules.length === 0 ? {} : { modules };
}

/**
 * Refuses to continue with other code than a run started with. No file that only the run names is executed: it has to be
 * named again.
 *
 * Throws `Failure`: `wrong-usage` if a file has not been named again, `data-malformed` if one has changed, `not-found` if
 * one is missing.
 */
export async function checkModules(
  recorded: readonly ModuleFile[] | undefined,
  folder: string,
): Promise<void> {
  const loaded = loadedModules();
  const open = (recorded ?? []).filter(
    ({ sha256 }) => !loaded.some((file) => file.sha256 === sha256),
  );
  for (const { path, sha256 } of open) {
    const now = loaded.find((file) => file.path === path)?.sha256 ?? (await hashOnDisk(path));
    if (now === null)
      throw new Failure(
        "not-found",
        `Cannot resume ${folder}: ${path}, which the run was started with, is missing. Restore it, or start a new run.`,
        { folder, path },
      );
    if (now !== sha256)
      throw new Failure(
        "data-malformed",
        `Cannot resume ${folder}: ${path} has changed since the run started. Restore it, or start a new run.`,
        { folder, path },
      );
  }
  if (open.some(({ named }) => named)) throw unnamed(open, folder, "Cannot resume it");
}

/** The failure for a folder whose definitions are in files that have not been named. */
export function unnamed(recorded: readonly ModuleFile[], folder: string, what: string): Failure {
  const paths = recorded.filter(({ named }) => named).map(({ path }) => path);
  return new Failure(
    "wrong-usage",
    `${folder} was made with code of yours, which is run only if you name it. ${what} without it: add ${moduleFlags(recorded).join(" ")}.`,
    { folder, paths },
  );
}

async function hashOnDisk(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size > MOST_BYTES) return null;
  return hashFile(path);
}
