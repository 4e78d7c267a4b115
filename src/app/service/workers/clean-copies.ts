import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../../../core/contracts.ts";
import { uploadFolder } from "../../../storage/paths.ts";

/**
 * Removes copies of videos that were deleted, and links to them, from the data folder of a worker. Everything else in the
 * folder stays: a service on this machine may use it too.
 */
export async function cleanCopies(store: Store): Promise<void> {
  await store.cleanBlobCache();
  if (store.files === null) return;
  const root = uploadFolder(store.folder);
  for (const id of await readdir(root).catch(() => [])) {
    const folder = join(root, id);
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      const isLost = entry.isSymbolicLink() && (await stat(path).catch(() => null)) === null;
      if (isLost && (await store.service.upload(id)) === undefined) await rm(path, { force: true });
    }
    // It stays while it has files.
    await rmdir(folder).catch(() => {});
  }
}
