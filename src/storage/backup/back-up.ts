import { existsSync } from "node:fs";
import { open, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { writeAtomically } from "../../core/atomic-file.ts";
import { Failure, systemCode, toFailure } from "../../core/errors.ts";
import { hashFile } from "../../core/hash.ts";
import { version } from "../../core/version.ts";
import { lockFolder } from "../folder-lock.ts";
import { makeFolder } from "../make-folder.ts";
import { blobPath, uploadFolder, uploadPath } from "../paths.ts";
import { type CopyMode, copied, copyVerified } from "./copy-file.ts";
import { BACKUP_MARKER, type Manifest, manifestPath, readManifest } from "./manifest.ts";
import { copyDatabase, listNamedFiles, type NamedFiles } from "./snapshot.ts";

/** Copies of the database after which files that are missing count as missing in the data folder itself. */
const MOST_ROUNDS = 5;

/** How a backup is made. */
export interface BackupOptions {
  /** `link`: files that never change become second names of the same bytes, if both folders are on one disk. */
  mode?: CopyMode;
  /** Reads again the files that an earlier backup has placed. */
  verify?: boolean;
  signal?: AbortSignal;
  progress?: (done: number, total: number, unit: "pages" | "files") => void;
}

/** What a backup holds, and what this run of it did. */
export interface BackupResult {
  manifest: Manifest;
  /** Files that this backup placed, those that were there, and those that it removed as no longer needed. */
  copied: number;
  kept: number;
  removed: number;
}

/** Where the files of a backup are. */
export const placeOf = {
  blob: (folder: string, hash: string, type: string) => blobPath(folder, hash, type),
  video: (folder: string, hash: string) => join(folder, "videos", hash.slice(0, 2), hash),
  loose: (folder: string, file: string) => join(folder, "loose", file),
};

/**
 * Backs up a data folder into another folder, while a service uses it. Everything that was stored before the call is in
 * the backup. A later backup into the same folder copies only what is new; if it is interrupted, the backup before it
 * stays whole. Frames, videos, questions, answers and keys are included; what `derived/` holds is made again when needed.
 * Throws `Failure`: `wrong-usage` (a folder with other files, a folder within the other), `not-found` (no data folder),
 * `store-busy` (another backup into this folder), `store-damaged`, `store-format`, `disk-full`, `file-unreadable`.
 *
 * @example
 * const { manifest } = await backUp(".video-rrd", "/mnt/backup/video-rrd");
 * console.log(manifest.files, manifest.bytes);
 */
export async function backUp(
  data: string,
  out: string,
  options: BackupOptions = {},
): Promise<BackupResult> {
  const [from, to] = [resolve(data), resolve(out)];
  await checkFolders(from, to);
  await makeFolder(to);
  await writeFile(
    join(to, BACKUP_MARKER),
    "A backup by video-rrd. Restore it with `video-rrd restore`.\n",
  );
  const lock = lockFolder(to);
  try {
    const drafts = join(to, "tmp");
    await rm(drafts, { recursive: true, force: true });
    await makeFolder(drafts);
    const created_at = new Date().toISOString();
    const { database, named, ...found } = await copyAll(from, to, drafts, options);
    const manifest: Manifest = {
      format: 1,
      version: version(),
      created_at,
      folder: from,
      database,
      loose: found.loose,
      files: found.sizes.size + 1,
      bytes: [...found.sizes.values()].reduce((sum, size) => sum + size, database.bytes),
      missing: found.missing,
      damaged: found.damaged,
    };
    await writeAtomically(manifestPath(to), `${JSON.stringify(manifest, null, 2)}\n`);
    await syncFolder(to);
    const removed = await removeOthers(to, new Set([database.file, ...found.sizes.keys()]));
    await rm(drafts, { recursive: true, force: true });
    return { manifest, copied: found.copied, kept: found.kept, removed };
  } finally {
    await lock.release();
  }
}

async function checkFolders(from: string, to: string): Promise<void> {
  if (from === to || isWithin(from, to) || isWithin(to, from))
    throw new Failure(
      "wrong-usage",
      `Cannot back up ${from} into ${to}: one folder is within the other. Choose another --out.`,
      { from, to },
    );
  if ((await stat(join(from, "store.db")).catch(() => null)) === null)
    throw new Failure(
      "not-found",
      `There is no data folder in ${from}: store.db is missing. Pass the folder of --data-dir.`,
      { folder: from },
    );
  const entries: string[] = await readdir(to).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw toFailure(error, "file-unreadable", `reading ${to}`);
  });
  if (entries.length > 0 && !entries.includes(BACKUP_MARKER))
    throw new Failure(
      "wrong-usage",
      `The folder ${to} has other files. Choose an empty folder, or one with an earlier backup.`,
      { to },
    );
}

function isWithin(folder: string, other: string): boolean {
  const way = relative(other, folder);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}

/** Copies the database and the files that it names. Repeats both if files were removed in between. */
async function copyAll(from: string, to: string, drafts: string, options: BackupOptions) {
  const before = await readManifest(to).catch(() => undefined);
  const counts = { copied: 0, kept: 0 };
  let missing: string[] = [];
  for (let round = 1; ; round++) {
    const draft = join(drafts, "database");
    await copyDatabase(from, draft, (done, total) => options.progress?.(done, total, "pages"));
    const named = listNamedFiles(draft);
    const found = await copyFiles(named, from, to, drafts, options);
    counts.copied += found.copied;
    counts.kept = found.kept;
    const same = found.missing.join() === missing.join();
    missing = found.missing;
    if (missing.length > 0 && !same && round < MOST_ROUNDS) continue;
    const sha256 = await hashFile(draft, options.signal);
    const file = `database-${sha256.slice(0, 16)}.db`;
    const { size: bytes } = await stat(draft);
    await syncFile(draft);
    // The database of the backup before stays until `backup.json` names this one.
    if (before?.database.file === file) await rm(draft);
    else await rename(draft, join(to, file));
    return { ...found, ...counts, named, database: { file, bytes, sha256 } };
  }
}

/** Files of a backup that were placed or found, by their path within it. */
async function copyFiles(
  { blobs, videos, uploads, complete }: NamedFiles,
  from: string,
  to: string,
  drafts: string,
  { mode = "link", verify = false, signal, progress }: BackupOptions,
) {
  const sizes = new Map<string, number>();
  const [missing, damaged]: [string[], string[]] = [[], []];
  const counts = { copied: 0, kept: 0 };
  const loose: Manifest["loose"] = [];
  const total = blobs.length + videos.length + uploads.length;
  let done = 0;

  async function place(sources: readonly string[], target: string, hash: string): Promise<void> {
    signal?.throwIfAborted();
    const draft = join(drafts, hash);
    const name = relative(to, target);
    let result: string = "missing";
    for (const source of sources) {
      result = await copyVerified({ from: source, to: target, draft, hash, mode, verify, signal });
      if (result === "copied" || result === "kept") break;
    }
    if (result === "copied" || result === "kept") {
      counts[result]++;
      sizes.set(name, (await stat(target)).size);
    } else (result === "missing" ? missing : damaged).push(name);
    progress?.(++done, total, "files");
  }

  for (const { hash, type } of blobs)
    await place([blobPath(from, hash, type)], placeOf.blob(to, hash, type), hash);
  for (const { hash, ids } of videos)
    await place(
      await Promise.all(ids.map((id) => fileAt(uploadPath(from, id)))),
      placeOf.video(to, hash),
      hash,
    );
  for (const id of uploads) {
    for (const name of await looseFiles(from, id, complete.has(id))) {
      signal?.throwIfAborted();
      const path = `${id}/${name}`;
      const file = await placeLoose(join(uploadFolder(from), path), to, path, drafts, signal);
      if (file === null) missing.push(join("loose", path));
      else {
        const { result, ...rest } = file;
        loose.push(rest);
        sizes.set(join("loose", rest.file), rest.bytes);
        counts[result]++;
      }
    }
    progress?.(++done, total, "files");
  }
  return { ...counts, sizes, missing, damaged, loose };
}

/** The file that a path leads to: an upload may be a link to a copy in the cache of blobs. */
function fileAt(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Names of the files of an upload whose hashes are not in the database: its own bytes until it is complete, subtitles. */
async function looseFiles(from: string, id: string, isComplete: boolean): Promise<string[]> {
  const entries = await readdir(dirname(uploadPath(from, id)), { withFileTypes: true }).catch(
    (error: unknown) => {
      if (systemCode(error) === "ENOENT") return [];
      throw toFailure(error, "file-unreadable", `reading the upload ${id}`);
    },
  );
  return entries
    .filter((entry) => entry.isFile() && (entry.name !== id || !isComplete))
    .map(({ name }) => name)
    .filter((name) => name.startsWith(id));
}

/**
 * Always copied: such a file grows, and a second name of it would grow too. Named by content, so that the copy in the backup
 * before stays. Null if it was removed.
 */
async function placeLoose(
  from: string,
  to: string,
  path: string,
  drafts: string,
  signal: AbortSignal | undefined,
) {
  const draft = join(drafts, path.replace("/", "-"));
  try {
    const { hash, bytes } = await copied(from, draft, signal);
    const file = `${path}-${hash.slice(0, 16)}`;
    const target = placeOf.loose(to, file);
    const kept = existsSync(target) && (await hashFile(target, signal)) === hash;
    if (kept) await rm(draft);
    else {
      await makeFolder(dirname(target));
      await rename(draft, target);
    }
    const result = kept ? ("kept" as const) : ("copied" as const);
    return { path, file, bytes, sha256: hash, result };
  } catch (error) {
    if (systemCode(error) === "ENOENT" && !existsSync(from)) return null;
    throw toFailure(error, "file-unreadable", `copying ${from}`);
  }
}

/** Removes files that the backup no longer needs. */
async function removeOthers(to: string, needed: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  const names = (await readdir(to)).filter((name) => /^database-.*\.db$/.test(name));
  for (const folder of ["blobs", "videos", "loose"]) {
    const entries = await readdir(join(to, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries)
      if (entry.isFile()) names.push(relative(to, join(entry.parentPath, entry.name)));
  }
  for (const name of names)
    if (!needed.has(name)) {
      await rm(join(to, name));
      removed++;
    }
  return removed;
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes renames in a folder durable, on systems that can open a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
