import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { blobPath } from "../../../src/storage/paths.ts";

/* Compares the files of a data folder with its database. Each function returns the differences, in words. */

type Row = Record<string, string | number | null>;

function rowsOf(data: string, sql: string): Row[] {
  const db = new DatabaseSync(join(data, "store.db"), { readOnly: true, timeout: 10_000 });
  try {
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sizeOf(path: string): number | null {
  try {
    return statSync(path).size;
  } catch {
    return null;
  }
}

/** Uploads: every folder has a row, every row a file, every complete video its size. True after each start. */
export function uploadsThatDisagree(data: string): string[] {
  const rows = rowsOf(data, "SELECT id, size, hash FROM uploads");
  const known = new Set(rows.map(({ id }) => id));
  const root = join(data, "uploads");
  return [
    ...list(root).flatMap((id) => (known.has(id) ? [] : [`file without a row: uploads/${id}`])),
    ...rows.flatMap(({ id, size, hash }) => {
      const there = sizeOf(join(root, String(id), String(id)));
      if (there === null) return [`row without its file: uploads/${id}`];
      return hash !== null && there !== size ? [`uploads/${id}: ${there} bytes, not ${size}`] : [];
    }),
  ];
}

/** Data derived from videos. Consistent when no question waits or runs. */
export function derivedThatDisagrees(data: string): string[] {
  const rows = rowsOf(data, "SELECT hash, type FROM blobs");
  const paths = new Set(rows.map(({ hash, type }) => blobPath(data, String(hash), String(type))));
  const files = list(join(data, "blobs")).flatMap((folder) =>
    list(join(data, "blobs", folder)).map((name) => join(data, "blobs", folder, name)),
  );
  const hashes = new Set(
    rowsOf(data, "SELECT hash FROM uploads WHERE hash IS NOT NULL").map(({ hash }) => hash),
  );
  const orphans = (what: string, sql: string) =>
    rowsOf(data, sql)
      .filter(({ video }) => !hashes.has(video ?? null))
      .map(({ video }) => `${what} of a video that is gone: ${video}`);
  return [
    ...files.filter((path) => !paths.has(path)).map((path) => `file without a row: ${path}`),
    ...[...paths]
      .filter((path) => sizeOf(path) === null)
      .map((path) => `row without its file: ${path}`),
    ...list(join(data, "tmp")).map((name) => `left in tmp: ${name}`),
    ...list(join(data, "derived"))
      .filter((hash) => !hashes.has(hash))
      .map((hash) => `derived data of a video that is gone: ${hash}`),
    ...orphans("frames", "SELECT DISTINCT video FROM blobs"),
    ...orphans("evidence", "SELECT DISTINCT video FROM sets"),
    ...orphans("questions", "SELECT DISTINCT video FROM questions"),
    ...orphans("a path", "SELECT DISTINCT hash AS video FROM videos"),
    ...rowsOf(
      data,
      "SELECT DISTINCT question FROM events WHERE question NOT IN (SELECT id FROM asked) AND question NOT IN (SELECT id FROM questions)",
    ).map(({ question }) => `events of a question that is gone: ${question}`),
    ...rowsOf(data, "SELECT id FROM asked WHERE upload NOT IN (SELECT id FROM uploads)").map(
      ({ id }) => `a question whose video is gone: ${id}`,
    ),
    ...rowsOf(data, "SELECT key FROM leases").map(({ key }) => `a lease of a dead process: ${key}`),
  ];
}
