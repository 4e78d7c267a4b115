import { open, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { findSidecars } from "../../../../tools/speech/subtitles/sidecars.ts";
import type { Store } from "../../../core/contracts.ts";
import { makeFolder } from "../../../storage/make-folder.ts";
import { uploadPath } from "../../../storage/paths.ts";
import { notFound } from "../problems.ts";
import type { UploadFiles } from "./contract.ts";

/**
 * Files of uploads: `uploads/ID/ID` in the data folder. The size of the file is the offset of the upload, so that no crash
 * loses a chunk or counts it twice.
 */
export function createLocalUploadFiles({
  folder,
  catalogue,
}: Pick<Store, "folder" | "catalogue">): UploadFiles {
  const fileOf = (id: string) => uploadPath(folder, id);
  const found = (id: string) => stat(fileOf(id)).catch(() => null);
  return {
    shared: false,
    async create(id) {
      await makeFolder(dirname(fileOf(id)));
      await (await open(fileOf(id), "wx")).close();
    },
    async arrived({ id }) {
      const file = await found(id);
      return file === null ? null : { bytes: file.size, at: file.mtimeMs };
    },
    append: ({ id }, from, write) => write(fileOf(id), from),
    whole: async (id) => fileOf(id),
    settle: async () => {},
    dropChunks: async () => {},
    exists: async ({ id }) => (await found(id)) !== null,
    path: async ({ id }) => fileOf(id),
    subtitles: async ({ id }) =>
      (await findSidecars(fileOf(id))).map(({ path }) => ({ name: basename(path), path })),
    settleSubtitles: async () => {},
    async read({ id }, first, last) {
      // Opened before the response starts, so that a file that was just removed is a 404.
      const file = await open(fileOf(id)).catch(() => {
        throw notFound("a video");
      });
      return file.createReadStream({ start: first, end: last });
    },
    hashOf: (id) => knownHash(catalogue, fileOf(id)),
    async remove(id) {
      await rm(dirname(fileOf(id)), { recursive: true, force: true });
    },
  };
}

/** The recorded hash of an unchanged file. */
export async function knownHash(
  catalogue: Store["catalogue"],
  path: string,
): Promise<string | undefined> {
  const file = await stat(path).catch(() => null);
  return file === null
    ? undefined
    : catalogue.knownVideo(path, file.size, Math.trunc(file.mtimeMs));
}
