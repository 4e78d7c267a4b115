import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { toFailure } from "./errors.ts";

/**
 * Writes a complete file or nothing. The data is synced to disk before the file gets its name, so a power cut leaves
 * the old file or the new one. Throws `Failure`: `file-unreadable`, `disk-full`.
 *
 * @example
 * await writeAtomically("runs/a/header.json", JSON.stringify(header));
 */
export async function writeAtomically(
  file: string,
  data: string | Iterable<Uint8Array>,
): Promise<void> {
  await makeAtomically(file, async (draft) => {
    const handle = await open(draft, "w");
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/**
 * Makes a complete file or nothing: `make` writes a draft in the same folder, which is then renamed.
 * Several processes may make the same file at once. A failed draft is removed. Throws the failures of
 * `writeAtomically` and any `Failure` of `make`.
 */
export async function makeAtomically(
  file: string,
  make: (draft: string) => unknown,
): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await make(draft);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw toFailure(error, "file-unreadable", `writing ${file}`);
  }
}
