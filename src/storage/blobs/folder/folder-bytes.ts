import { copyFile, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { systemCode, toFailure } from "../../../core/errors.ts";
import { writeWhole } from "../../blob-files.ts";
import { makeFolder } from "../../make-folder.ts";
import { temporaryFolder } from "../../paths.ts";
import { removeAbandoned, temporaryPath } from "../../temporary.ts";
import { type BlobBytes, keyOfPath, pathOfKey, type StoredBytes } from "../blob-bytes.ts";

/** Bytes of blobs in a folder, which several machines may share. */
export function createFolderBytes(folder: string): BlobBytes {
  const home = resolve(folder);
  const fileOf = (key: string) => join(home, pathOfKey(key));

  /** Null for a missing file. */
  async function attempt<T>(doing: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw toFailure(error, "file-unreadable", doing);
    }
  }

  async function place(key: string, write: (temporary: string) => Promise<void>): Promise<void> {
    await makeFolder(temporaryFolder(home));
    await makeFolder(dirname(fileOf(key)));
    const temporary = temporaryPath(home);
    try {
      await write(temporary);
      await rename(temporary, fileOf(key));
    } catch (error) {
      await rm(temporary, { force: true });
      throw toFailure(error, "file-unreadable", `writing ${fileOf(key)}`);
    }
  }

  return {
    shown: home,
    file: fileOf,
    put: (key, bytes) => place(key, (temporary) => writeWhole(temporary, bytes)),
    putFile: (key, path) => place(key, (temporary) => copyWhole(path, temporary)),
    async read(key) {
      return attempt(`reading ${fileOf(key)}`, () => readFile(fileOf(key)));
    },
    async readTo(key, path) {
      const found = await attempt(`reading ${fileOf(key)}`, async () => {
        await copyFile(fileOf(key), path);
        return true;
      });
      return found ?? false;
    },
    async readRange(key, start, end) {
      return attempt(`reading ${fileOf(key)}`, async () => {
        const file = await open(fileOf(key));
        try {
          const { size } = await file.stat();
          const bytes = new Uint8Array(Math.max(Math.min(end, size) - start, 0));
          await file.read(bytes, 0, bytes.byteLength, start);
          return bytes;
        } finally {
          await file.close();
        }
      });
    },
    async size(key) {
      const found = await attempt(`reading ${fileOf(key)}`, () => stat(fileOf(key)));
      return found?.size;
    },
    async remove(keys) {
      for (const key of keys)
        await attempt(`removing ${fileOf(key)}`, () => rm(fileOf(key), { force: true }));
    },
    async *list(): AsyncGenerator<StoredBytes> {
      const names = (await attempt(`listing ${home}`, () => readdir(home))) ?? [];
      for (const folder of names.filter((name) => /^[0-9a-f]{2}$/.test(name)).sort()) {
        const within = join(home, folder);
        for (const name of (await attempt(`listing ${within}`, () => readdir(within))) ?? []) {
          const key = keyOfPath(`${folder}/${name}`);
          const found = await attempt(`reading ${within}`, () => stat(join(within, name)));
          if (key === undefined || found === undefined) continue;
          yield { key, size: found.size, modified_ms: found.mtimeMs };
        }
      }
    },
    async removeUnfinished(before_ms, dryRun) {
      const isMade =
        (await attempt(`listing ${home}`, () => stat(temporaryFolder(home)))) !== undefined;
      return isMade ? removeAbandoned(home, { before_ms, dryRun }) : 0;
    },
    close() {},
  };
}

/** Syncs the copy, as `writeWhole` does. */
async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
