import { existsSync } from "node:fs";
import { copyFile, link, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Failure, isDiskFailure, systemCode, toFailure } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { writeWhole } from "../blob-files.ts";
import { makeFolder } from "../make-folder.ts";
import { temporaryPath } from "../temporary.ts";
import { keyOfPath, pathOfKey } from "./blob-bytes.ts";

/** A file used within this time stays, since a program may be about to open it. */
const IN_USE_MS = 600_000;

/**
 * The modification time of every file. The time of its last use is the access time: whoever remembers the hash of a file
 * by its modification time need not read it again.
 */
const MODIFIED = new Date("2000-01-01T00:00:00Z");

/** Part of the limit that is left after files were removed, so that not every new file lists the folder. */
const LEFT_AFTER = 0.9;

/** Files of blobs whose bytes are elsewhere, for programs that need a path. Several processes may share the folder. */
export interface BlobCache {
  /** The file of a key. Calls `fetch` with the path of a new file if it is missing. */
  path(key: string, fetch: (file: string) => Promise<void>): Promise<string>;
  /** The bytes of a key. Calls `fetch` if its file is missing or does not match the hash. */
  read(key: string, hash: string, fetch: () => Promise<Uint8Array>): Promise<Uint8Array>;
  /** Writes the file of a key, unless a file of that size exists. */
  keep(key: string, bytes: Uint8Array): Promise<void>;
  /** The same with the bytes of a file, which never changes. */
  keepFile(key: string, file: string): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /** Keys whose files were not used in the last ten minutes. */
  unusedKeys(): Promise<string[]>;
}

/**
 * A cache in `folder/blob-cache` that removes the files that were not used for longest when they have more than
 * `most_bytes` in total. Files of the last ten minutes stay even then.
 */
export function createBlobCache(
  folder: string,
  most_bytes: number,
  in_use_ms = IN_USE_MS,
): BlobCache {
  const home = join(folder, "blob-cache");
  const fetching = new Map<string, Promise<Uint8Array | undefined>>();
  /** Written by this process since the last look; null: the folder was not looked at. */
  let written: number | null = null;
  let left = 0;
  let removing: Promise<void> | undefined;

  const fileOf = (key: string) => join(home, pathOfKey(key));

  async function write(key: string, make: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = temporaryPath(folder);
    const path = fileOf(key);
    let bytes: number;
    try {
      await makeFolder(dirname(path));
      await make(temporary);
      await utimes(temporary, new Date(), MODIFIED);
      bytes = (await stat(temporary)).size;
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw toFailure(error, "file-unreadable", `writing ${path}`);
    }
    written = written === null ? null : written + bytes;
    if (written !== null && written <= left) return;
    removing ??= removeOldest().finally(() => {
      removing = undefined;
    });
    await removing;
  }

  async function removeOldest(): Promise<void> {
    const files = await listFiles(home);
    let total = files.reduce((sum, { size }) => sum + size, 0);
    const before = Date.now() - in_use_ms;
    if (total > most_bytes) {
      files.sort((a, b) => a.used_ms - b.used_ms);
      for (const { path, size, used_ms } of files) {
        if (total <= most_bytes * LEFT_AFTER || used_ms > before) break;
        await rm(path, { force: true });
        total -= size;
      }
    }
    written = 0;
    left = Math.max(most_bytes - total, most_bytes * (1 - LEFT_AFTER));
  }

  /** Marks a file as used now; false if it is missing. */
  async function touch(path: string): Promise<boolean> {
    return utimes(path, new Date(), MODIFIED).then(
      () => true,
      (error: unknown) => {
        // A cache that cannot be written still serves the files that it has.
        if (systemCode(error) === "ENOENT") return false;
        if (systemCode(error) === "EROFS" || systemCode(error) === "EPERM") return true;
        throw toFailure(error, "file-unreadable", `reading ${path}`);
      },
    );
  }

  /** Several callers share one download. */
  function fetchOnce<T extends Uint8Array | undefined>(
    key: string,
    fetch: () => Promise<T>,
  ): Promise<Uint8Array | undefined> {
    const running = fetching.get(key);
    if (running !== undefined) return running;
    const started = fetch().finally(() => fetching.delete(key));
    fetching.set(key, started);
    return started;
  }

  return {
    async path(key, fetch) {
      const path = fileOf(key);
      const download = async () => {
        await write(key, fetch);
        return undefined;
      };
      if (!(await touch(path))) await fetchOnce(key, download);
      return path;
    },
    async read(key, hash, fetch) {
      const path = fileOf(key);
      if (await touch(path)) {
        const bytes = await readFile(path).catch(() => undefined);
        if (bytes !== undefined && sha256(bytes) === hash) return bytes;
      }
      let bytes: Uint8Array | undefined;
      const download = async () => {
        const fetched = await fetch();
        bytes = fetched;
        await write(key, (temporary) => writeWhole(temporary, fetched));
        return fetched;
      };
      const fetched = await fetchOnce(key, download).catch((error: unknown) => {
        // The bytes are here; only the copy for next time failed.
        if (bytes !== undefined && isDiskFailure(error)) return bytes;
        throw error;
      });
      // Somebody else wanted the file, which was checked.
      return fetched ?? readFile(path);
    },
    async keep(key, bytes) {
      const found = await stat(fileOf(key)).catch(() => null);
      if (found?.size !== bytes.byteLength)
        await write(key, (temporary) => writeWhole(temporary, bytes));
    },
    async keepFile(key, file) {
      const [found, given] = [await stat(fileOf(key)).catch(() => null), await stat(file)];
      if (found?.size === given.size) return;
      await write(key, (temporary) => link(file, temporary).catch(() => copyFile(file, temporary)));
    },
    async remove(keys) {
      for (const key of keys) await rm(fileOf(key), { force: true });
    },
    async unusedKeys() {
      const before = Date.now() - in_use_ms;
      const files = existsSync(home) ? await listFiles(home) : [];
      return files.flatMap(({ path, used_ms }) =>
        used_ms < before ? (keyOfPath(relative(home, path)) ?? []) : [],
      );
    },
  };
}

async function listFiles(home: string) {
  const entries = await readdir(home, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      throw new Failure("file-unreadable", `Cannot list ${home}.`, { home }, { cause: error });
    },
  );
  const files: { path: string; size: number; used_ms: number }[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // Another process may have removed it.
    const found = await stat(path).catch(() => null);
    if (found !== null) files.push({ path, size: found.size, used_ms: found.atimeMs });
  }
  return files;
}
