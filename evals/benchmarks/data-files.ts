import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { countOf } from "../../src/core/count-of.ts";
import { Failure, isFailure, oneLine, toFailure } from "../../src/core/errors.ts";
import { sha256 } from "../../src/core/hash.ts";

/*
 * Finds the published files and reads their rows. File names come from the data and from the user's disk, so both are
 * compared in one Unicode form.
 */

/** One row of a data file. */
export type Row = Record<string, unknown>;

/** Names of the folders in which videos and subtitles may lie, the usual one first. */
export interface MediaFolders {
  videos: readonly [string, ...string[]];
  subtitles: readonly [string, ...string[]];
}

const USUAL_FOLDERS: MediaFolders = { videos: ["videos"], subtitles: ["subtitles"] };

/** The folder of a data set and every data file in it or in its folders, but not in those of media. */
export interface DataFolder {
  folder: string;
  /** Paths from the folder, with `/`, sorted. */
  dataFiles: string[];
  /** How to unpack the videos, if the folder has archives of them and no video; else null. */
  packed: string | null;
  /** The file of a name in the folders of videos or subtitles, as a path from the folder. */
  find(part: "videos" | "subtitles", names: readonly string[]): string | undefined;
  /** Where a file of this name is expected, if it is missing. */
  place(part: "videos" | "subtitles", name: string): string;
}

/** Opens a folder, or the folder around a single data file. Throws `Failure` `not-found`. */
export async function openDataFolder(
  path: string,
  title: string,
  folders: MediaFolders = USUAL_FOLDERS,
): Promise<DataFolder> {
  const absolute = resolve(path);
  const kind = await stat(absolute).catch((error: unknown) => {
    throw new Failure(
      "not-found",
      `Cannot open the ${title} data at ${path}.`,
      { path },
      { cause: error },
    );
  });
  const folder = kind.isDirectory() ? absolute : dirname(absolute);
  const dataFiles = kind.isDirectory() ? await listData(folder, folders) : [basename(absolute)];
  const media = {
    videos: await indexAll(folder, folders.videos),
    subtitles: await indexAll(folder, folders.subtitles),
  };
  const archives = (await readdir(folder)).filter((name) =>
    /^videos.*\.(zip|tar)(\.|$)/i.test(name),
  );
  const [usual] = folders.videos;
  return {
    folder,
    dataFiles,
    packed: media.videos.size === 0 && archives.length > 0 ? unpack(folder, archives, usual) : null,
    find(part, names) {
      for (const name of names) {
        const found = media[part].get(name.normalize("NFC"));
        if (found !== undefined) return found;
      }
      return undefined;
    },
    place: (part, name) => `${folders[part][0]}/${name}`,
  };
}

function unpack(folder: string, archives: string[], usual: string): string {
  const parts = archives.filter((name) => name.includes(".tar.part"));
  const how =
    parts.length > 0
      ? "cat videos.tar.part.* | tar -x"
      : archives.some((name) => name.endsWith(".zip"))
        ? `unzip ${archives[0]}`
        : `tar -xf ${archives[0]}`;
  return `The videos are still packed (${countOf(archives.length, "archive")}, such as ${archives[0]}): run \`${how}\` in ${folder} to get a folder \`${usual}\`.`;
}

/** Data files lie outside the folders of media; Parquet files are data wherever they lie. */
async function listData(folder: string, { videos, subtitles }: MediaFolders): Promise<string[]> {
  const media = [...videos, ...subtitles];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(json|jsonl|parquet)$/i.test(entry.name))
    .map((entry) => fromFolder(folder, join(entry.parentPath, entry.name)))
    .filter(
      (path) =>
        path.split("/").length <= 3 &&
        (/\.parquet$/i.test(path) || !media.some((name) => path.startsWith(`${name}/`))),
    )
    .sort();
}

/** The files of several folders; the first folder that has a name keeps it. */
async function indexAll(folder: string, names: readonly string[]): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const name of names)
    for (const [file, path] of await index(join(folder, name)))
      if (!all.has(file)) all.set(file, `${name}/${path}`);
  return all;
}

/** NFC path and NFC file name -> path from the folder; empty if the folder is missing. */
async function index(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    // A missing folder has no files; each sample reports its missing video.
    return [];
  });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => fromFolder(folder, join(entry.parentPath, entry.name)));
  return new Map([
    ...paths.map((path): [string, string] => [basename(path).normalize("NFC"), path]),
    ...paths.map((path): [string, string] => [path.normalize("NFC"), path]),
  ]);
}

function fromFolder(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}

/** The rows of a JSON list, a JSON-lines file or a Parquet file. Throws `Failure` `data-malformed` naming the file. */
export async function readRows(path: string): Promise<{ rows: Row[]; hash: string }> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
  const hash = sha256(bytes);
  try {
    if (extname(path).toLowerCase() === ".parquet") return { rows: await parquetRows(bytes), hash };
    const text = new TextDecoder().decode(bytes);
    const values: unknown = path.toLowerCase().endsWith(".jsonl")
      ? text
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map(parseJson)
      : parseJson(text);
    return { rows: Array.isArray(values) ? values.filter(isRow) : [], hash };
  } catch (error) {
    throw new Failure(
      "data-malformed",
      `Cannot read ${basename(path)} as JSON or Parquet: ${oneLine(error instanceof Error ? error.message : String(error))}`,
      { path },
      { cause: error },
    );
  }
}

export async function parquetRows(bytes: Uint8Array): Promise<Row[]> {
  const [{ parquetReadObjects }, { compressors }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
  ]);
  const file = bytes.buffer.slice(
    bytes.byteOffset,
    bytes.byteOffset + bytes.byteLength,
  ) as ArrayBuffer;
  const decoder = new TextDecoder();
  const rows = await parquetReadObjects({
    ...{ file, compressors },
    parsers: { jsonFromBytes: (bytes) => bytes && parseJson(decoder.decode(bytes)) },
  });
  return rows.map((row) => plainIntegers(row) as Row);
}

/** A number that may be an integer outside the safe range; digits of a fraction do not count. */
const LONG_NUMBER = /[\s:,[]-?\d{16}/;
/** Found in half the time; few texts have one. */
const LONG_DIGITS = /\d{16}/;

/** Whether a JSON or YAML text may have integers that a number cannot hold. */
export function hasLongNumbers(text: string): boolean {
  return LONG_DIGITS.test(text) && LONG_NUMBER.test(text);
}

/**
 * Parses JSON. Integers outside ±(2^53 - 1) become texts, because ids that differ would be rounded to one number; `NaN` and
 * `Infinity` become null.
 */
export function parseJson(text: string): unknown {
  const json = withoutNonNumbers(text);
  // A reviver takes ten times as long.
  return hasLongNumbers(json) ? JSON.parse(json, exactInteger as Reviver) : JSON.parse(json);
}

/** Python's `json.dumps` writes `NaN`, `Infinity` and `-Infinity`, which are not JSON: null outside strings. */
function withoutNonNumbers(text: string): string {
  if (!/\b(?:NaN|Infinity)\b/.test(text)) return text;
  let inString = false;
  return text.replace(/\\.|"|-?\b(?:NaN|Infinity)\b/g, (found) => {
    if (found === '"') inString = !inString;
    return inString || !/[NI]/.test(found) || found.startsWith("\\") ? found : "null";
  });
}

/** TypeScript does not know the third argument. */
type Reviver = (key: string, value: unknown) => unknown;

function exactInteger(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== "number" || source === undefined) return value;
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}

/** Replaces bigints, as which 64-bit integers arrive, at any depth: by a number in its safe range, else by a text. */
export function plainIntegers(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (Array.isArray(value)) return value.map(plainIntegers);
  if (!isRow(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, plainIntegers(member)]),
  );
}

/** Whether a value is an object with members. */
export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The rows of the data file that has all of `columns`; Parquet shards are joined. Of several files one without replies
 * of a model is preferred, then the longest; the others are returned as `unused`. Throws `Failure` `data-malformed`
 * that lists what was found instead.
 */
export async function rowsWith(
  data: DataFolder,
  columns: readonly string[],
  title: string,
  accept: (row: Row) => boolean = () => true,
): Promise<{ rows: Row[]; files: string[]; hash: string; unused: string[] }> {
  const seen: string[] = [];
  const tables = new Map<string, { rows: Row[]; files: string[]; hashes: string[] }>();
  for (const path of data.dataFiles) {
    const read = await readRows(join(data.folder, path)).catch((error: unknown) => {
      if (!isFailure(error, "data-malformed")) throw error;
      seen.push(`${path} (damaged)`);
      return undefined;
    });
    if (read === undefined) continue;
    const { rows, hash } = read;
    const first = rows[0];
    if (first === undefined || !columns.every((column) => column in first) || !accept(first)) {
      seen.push(
        `${path} (${
          Object.keys(first ?? {})
            .slice(0, 6)
            .join(", ") || "no rows"
        })`,
      );
      continue;
    }
    const table = tables.get(tableOf(path)) ?? { rows: [], files: [], hashes: [] };
    table.rows.push(...rows);
    table.files.push(path);
    table.hashes.push(hash);
    tables.set(tableOf(path), table);
  }
  const hasReplies = (rows: Row[]) =>
    Object.keys(rows[0] ?? {}).some((column) => column === "pred" || column.endsWith("_response"));
  const [chosen, ...rest] = [...tables.values()].sort(
    (a, b) =>
      Number(hasReplies(a.rows)) - Number(hasReplies(b.rows)) || b.rows.length - a.rows.length,
  );
  if (chosen === undefined)
    throw new Failure(
      "data-malformed",
      `No ${title} rows with the columns ${columns.join(", ")} in ${data.folder}; found ${seen.length === 0 ? "no JSON or Parquet file" : seen.slice(0, 4).join("; ")}.`,
      { folder: data.folder, columns, seen },
    );
  return {
    rows: chosen.rows,
    files: chosen.files,
    hash: sha256(chosen.hashes.join("\n")),
    unused: rest.flatMap((table) => table.files),
  };
}

/** `mcq/test-00000-of-00002.parquet` and the other shards are one table; any other file is a separate table. */
function tableOf(path: string): string {
  return path.replace(/-\d{5}-of-\d{5}(?=\.parquet$)/i, "");
}
