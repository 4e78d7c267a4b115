import { existsSync, statSync } from "node:fs";
import { copyFile, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { writeAtomically } from "../../core/atomic-file.ts";
import { Failure, systemCode, toFailure } from "../../core/errors.ts";
import { hashFile } from "../../core/hash.ts";
import { lockFolder } from "../folder-lock.ts";
import { makeFolder } from "../make-folder.ts";
import {
  blobPath,
  restoreMarker,
  serviceFolder,
  temporaryFolder,
  uploadFolder,
  uploadPath,
} from "../paths.ts";
import { checkFormat } from "../sqlite/schema.ts";
import { guard } from "../sqlite/transaction.ts";
import { type BackupOptions, placeOf } from "./back-up.ts";
import { copyVerified } from "./copy-file.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { checkIntegrity, listNamedFiles } from "./snapshot.ts";

/** Entries of a data folder that do not make it used: a file system's own folder, and the lock of the restoring process. */
const IGNORED = new Set(["lost+found", "service"]);

/**
 * Restores a backup into an empty folder. The database is placed last, so that an interrupted restore is never taken for
 * a data folder; called again, it continues. Every file is read and compared with its hash.
 * Throws `Failure`: `wrong-usage` (the folder has files), `store-busy` (a service or another restore uses it), `not-found` (no backup), `store-damaged` (a file of
 * the backup is missing or damaged), `store-format` (a backup of a newer version), `disk-full`, `file-unreadable`.
 *
 * @example
 * const manifest = await restoreBackup("/mnt/backup/video-rrd", ".video-rrd");
 * console.log(`as of ${manifest.created_at}`);
 */
export async function restoreBackup(
  backup: string,
  data: string,
  { signal, progress }: Pick<BackupOptions, "signal" | "progress"> = {},
): Promise<Manifest> {
  const [from, to] = [resolve(backup), resolve(data)];
  const manifest = await readManifest(from);
  if (manifest === undefined)
    throw new Failure(
      "not-found",
      `There is no complete backup in ${from}: backup.json is missing.`,
      { folder: from },
    );
  await checkTarget(to, manifest);
  await makeFolder(serviceFolder(to));
  const lock = lockFolder(serviceFolder(to));
  try {
    await restoreFiles(manifest, from, to, { signal, progress });
  } finally {
    await lock.release();
  }
  return manifest;
}

async function restoreFiles(
  manifest: Manifest,
  from: string,
  to: string,
  { signal, progress }: Pick<BackupOptions, "signal" | "progress">,
): Promise<void> {
  await writeAtomically(restoreMarker(to), JSON.stringify({ database: manifest.database.sha256 }));
  const drafts = temporaryFolder(to);
  await rm(drafts, { recursive: true, force: true });
  await makeFolder(drafts);
  const draft = join(drafts, "store.db");
  await copyDatabaseOf(manifest, from, draft, signal);
  const wrong = await copyFiles(manifest, draft, from, to, { signal, progress });
  if (wrong.length > 0)
    throw new Failure(
      "store-damaged",
      `${wrong.length} files of the backup are missing or damaged, the first is ${wrong[0]}. Restore from another backup.`,
      { files: wrong.slice(0, 20) },
    );
  moveDatabase(draft, manifest.folder, to);
  await rename(draft, join(to, "store.db"));
  await rm(restoreMarker(to));
}

/** Throws unless the folder is missing or empty, or holds an interrupted restore of the same backup. */
async function checkTarget(to: string, { database }: Manifest): Promise<void> {
  const entries: string[] = await readdir(to).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw toFailure(error, "file-unreadable", `reading ${to}`);
  });
  const marker = await readFile(restoreMarker(to), "utf8").catch(() => null);
  if (marker?.includes(database.sha256)) return;
  if (entries.every((name) => IGNORED.has(name))) return;
  throw new Failure(
    "wrong-usage",
    marker === null
      ? `The folder ${to} is not empty. Choose an empty or a new folder.`
      : `The folder ${to} holds an interrupted restore of another backup. Empty it, or choose another folder.`,
    { folder: to },
  );
}

async function copyDatabaseOf(
  { database }: Manifest,
  from: string,
  draft: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = join(from, database.file);
  await copyFile(file, draft).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${file}`);
  });
  if ((await hashFile(draft, signal)) !== database.sha256)
    throw new Failure(
      "store-damaged",
      `${file} is damaged: its bytes do not have the hash in backup.json. Restore from another backup.`,
      { file },
    );
}

/** Copies the files that the database names, and returns those that cannot be restored. */
async function copyFiles(
  manifest: Manifest,
  database: string,
  from: string,
  to: string,
  { signal, progress }: Pick<BackupOptions, "signal" | "progress">,
): Promise<string[]> {
  const { blobs, videos } = listNamedFiles(database);
  const known = new Set([...manifest.missing, ...manifest.damaged]);
  const wanted = [
    ...blobs.map(({ hash, type }) => ({
      from: placeOf.blob(from, hash, type),
      to: blobPath(to, hash, type),
      hash,
    })),
    ...videos.flatMap(({ hash, ids }) =>
      ids.map((id) => ({ from: placeOf.video(from, hash), to: uploadPath(to, id), hash })),
    ),
    ...manifest.loose.map(({ path, file = path, sha256 }) => ({
      from: placeOf.loose(from, file),
      to: join(uploadFolder(to), path),
      hash: sha256,
    })),
  ];
  const wrong: string[] = [];
  for (const [index, file] of wanted.entries()) {
    signal?.throwIfAborted();
    const draft = join(temporaryFolder(to), `${index}`);
    const result = await copyVerified({ ...file, draft, mode: "copy", verify: true, signal });
    const name = file.from.slice(from.length + 1);
    if ((result === "missing" || result === "damaged") && !known.has(name)) wrong.push(name);
    progress?.(index + 1, wanted.length, "files");
  }
  return wrong;
}

/**
 * The database knows the files of videos by path and time of change, which are others now; and the steps in flight of the service
 * that was backed up, which may still run, but not here.
 */
function moveDatabase(database: string, from: string, to: string): void {
  const db = new DatabaseSync(database);
  try {
    guard("writing the paths of the new folder", () => {
      checkFormat(db, database);
      checkIntegrity(db, database);
      db.exec("DELETE FROM leases; DELETE FROM holders;");
      db.prepare(
        `UPDATE OR REPLACE videos SET path = ?2 || substr(path, length(?1) + 1)
         WHERE substr(path, 1, length(?1)) = ?1`,
      ).run(join(uploadFolder(from), sep), join(uploadFolder(to), sep));
      const setTime = db.prepare("UPDATE videos SET modified_ms = ? WHERE path = ?");
      for (const { path } of db.prepare("SELECT path FROM videos").all()) {
        const file = String(path);
        if (!file.startsWith(join(uploadFolder(to), sep)) || !existsSync(file)) continue;
        setTime.run(Math.trunc(statSync(file).mtimeMs), file);
      }
    });
  } finally {
    db.close();
  }
}
