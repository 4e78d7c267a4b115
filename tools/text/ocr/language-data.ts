import { existsSync, rmSync, statSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Failure, toFailure } from "../../../src/core/errors.ts";
import { hashOf, sha256 } from "../../../src/core/hash.ts";
import { isLanguageCode } from "../../../src/core/settings/ocr-languages.ts";

/** Languages that text is read in, and a folder of the operator with data for them. */
export interface OcrLanguages {
  /** Codes of tesseract, such as `eng` and `chi_sim`. */
  languages: readonly string[];
  /** Folder with `<code>.traineddata` or `<code>.traineddata.gz`, which replace those of packages. */
  data?: string;
}

/** Throws `Failure` `wrong-setting` unless it is a folder: a mistyped one would be read as one without data. */
export function checkDataFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  throw new Failure(
    "wrong-setting",
    `Invalid --ocr-data ${JSON.stringify(folder)}: there is no such folder. Name a folder with tesseract data, such as deu.traineddata, or leave it out to use installed packages.`,
    { name: "recognition.ocr_data", folder },
  );
}

/** The file with the data of a language: in the folder, else in an installed package `@tesseract.js-data/<code>`. */
function trainedData(code: string, folder: string | undefined): string {
  if (folder !== undefined) checkDataFolder(folder);
  if (!isLanguageCode(code)) throw missing(code, folder);
  const own = folder === undefined ? [] : [`${code}.traineddata`, `${code}.traineddata.gz`];
  const file = own.map((name) => join(resolve(folder ?? ""), name)).find(existsSync);
  if (file !== undefined) return file;
  // The package can be installed next to this one, or in the folder in which the user works.
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), "package.json")).href])
    try {
      const index = createRequire(from).resolve(`@tesseract.js-data/${code}/package.json`);
      return join(index, "..", "4.0.0_best_int", `${code}.traineddata.gz`);
    } catch {
      // Not installed there.
    }
  throw missing(code, folder);
}

function missing(code: string, folder: string | undefined): Failure {
  const where = folder === undefined ? "a folder and pass --ocr-data FOLDER" : folder;
  return new Failure(
    "ocr",
    `No tesseract data for the language ${JSON.stringify(code)}: install it with "npm install @tesseract.js-data/${code}", or put ${code}.traineddata into ${where}.`,
    { language: code },
  );
}

/**
 * Throws `Failure` `ocr`, which names the missing file, unless the data of every language are installed, and as
 * `checkDataFolder`.
 */
export function checkLanguages({ languages, data }: OcrLanguages): void {
  for (const code of languages) trainedData(code, data);
}

/**
 * What the data of the folder add to a key: their hash; nothing if the data of no language come from there. Throws
 * `Failure` `ocr`, `wrong-setting`, `file-unreadable`.
 */
export async function dataInKey({ languages, data }: OcrLanguages): Promise<string[]> {
  if (data === undefined) return [];
  const files = languages.map((code) => trainedData(code, data));
  const own = files.filter((file) => file.startsWith(join(resolve(data), "/")));
  return own.length === 0 ? [] : [hashOf(await Promise.all(own.map(digestOf)))];
}

const digests = new Map<string, Promise<string>>();

function digestOf(file: string): Promise<string> {
  const known = digests.get(file) ?? read(file).then(sha256);
  digests.set(file, known);
  return known;
}

async function read(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${file}`);
  });
}

const gathered = new Map<string, Promise<string>>();

/** A folder with the compressed data of every language, as tesseract.js wants them. */
export function languageFolder({ languages, data }: OcrLanguages): Promise<string> {
  const files = languages.map((code) => ({ code, path: trainedData(code, data) }));
  const key = JSON.stringify(files);
  const known = gathered.get(key) ?? gather(files);
  gathered.set(key, known);
  return known;
}

async function gather(files: { code: string; path: string }[]): Promise<string> {
  const [only] = files;
  if (files.length === 1 && only?.path.endsWith(".gz")) return join(only.path, "..");
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-ocr-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const { code, path } of files) {
    const bytes = await read(path);
    const packed = path.endsWith(".gz") ? bytes : await promisify(gzip)(bytes, { level: 1 });
    await writeFile(join(folder, `${code}.traineddata.gz`), packed);
  }
  return folder;
}
