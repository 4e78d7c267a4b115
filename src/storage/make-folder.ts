import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Failure, systemCode, toFailure } from "../core/errors.ts";

/**
 * Makes a folder and those above it that are missing. One after another: Node's recursive way never ends where a folder
 * is there but takes no other, as below `/proc`.
 * Throws `Failure`: `file-unreadable` where it cannot be made or a file has its name, `disk-full`.
 */
export async function makeFolder(path: string): Promise<void> {
  const whole = resolve(path);
  try {
    for (const folder of await missingAbove(whole)) await makeOne(folder);
  } catch (error) {
    throw cannotMake(whole, error);
  }
}

/** What has to be made, the outermost first. */
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
    // Another process may have made it meanwhile.
    if (systemCode(error) !== "EEXIST" || !(await stat(folder)).isDirectory()) throw error;
  }
}

function cannotMake(path: string, error: unknown): Failure {
  const failure = toFailure(error, "file-unreadable", `making the folder ${path}`);
  if (failure.kind !== "file-unreadable") return failure;
  const code = systemCode(error) ?? "nothing more";
  const why = code === "ENOTDIR" ? "a file stands in its way" : `the system said ${code}`;
  return new Failure(
    "file-unreadable",
    `Expected to make the folder ${path}, but ${why}.`,
    { path, code },
    { cause: error },
  );
}
