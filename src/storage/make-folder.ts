import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Failure, systemCode, toFailure } from "../core/errors.ts";

/**
 * Creates a folder and its missing parents, one after another: Node's recursive `mkdir` never ends where a folder
 * exists but accepts no subfolder, as below `/proc`.
 * Throws `Failure`: `file-unreadable` if it cannot be created or a file has its name, `disk-full`.
 */
export async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path);
  try {
    for (const folder of await missingAbove(whole)) await makeOne(folder);
  } catch (error) {
    throw cannotMake(whole, error);
  }
}

/** The missing folders, outermost first. */
async function missingAbove(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(at).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT" && dirname(at) !== at) return null;
      throw error;
    });
    if (found?.isDirectory()) return missing.reverse();
    if (found !== null) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
    missing.push(at);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (systemCode(error) !== "EEXIST" || !(await stat(folder)).isDirectory()) throw error;
  }
}

const WHY: Record<string, string> = {
  ENOTDIR: "a file with that name exists",
  EACCES: "no permission to write there (EACCES)",
  EPERM: "no permission to write there (EPERM)",
  ENOENT: "its file system accepts no new folder there (ENOENT)",
};

function cannotMake(path: string, error: unknown): Failure {
  const failure = toFailure(error, "file-unreadable", `making the folder ${path}`);
  if (failure.kind !== "file-unreadable") return failure;
  const code = systemCode(error) ?? "unknown error";
  return new Failure(
    "file-unreadable",
    `Cannot create the folder ${path}: ${WHY[code] ?? code}. Choose another folder.`,
    { path, code },
    { cause: error },
  );
}
