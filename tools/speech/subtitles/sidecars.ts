import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { systemCode } from "../../../src/core/errors.ts";
import { languageOf } from "./language-tag.ts";

export interface Sidecar {
  path: string;
  /** The canonical tag in the file name (`en`, `pt-BR`); null without a tag. */
  language: string | null;
  /** Whether its name says that it has only some of the speech. */
  forced: boolean;
}

/** Extensions of the subtitle files that are read, the preferred one first. */
export const SUBTITLE_ENDINGS = [".srt", ".vtt", ".ass", ".ssa", ".sbv"] as const;
/** Extensions of other subtitle files. */
const OTHER_ENDINGS = [
  ...[".ttml", ".dfxp", ".itt", ".smi", ".sami", ".lrc", ".sub", ".idx", ".sup", ".stl", ".scc"],
  ...[".mpl", ".usf", ".srv1", ".srv2", ".srv3", ".json3"],
] as const;
/** The tag of captions for only some of the speech. */
const FORCED = "forced";
/** Tags that players write between language and extension, best first. */
const FLAGS = ["default", "sdh", "cc", "hi", "orig", "auto", FORCED];

/**
 * Returns the subtitle files that belong to a video by name, best first: `<stem>.srt`, `<stem>.en.srt`,
 * `<stem>.en.forced.srt` and `<stem>.mp4.srt` in its folder, then in `subtitles/` in its folder, then in
 * `../subtitles/` (the layout of VideoMathQA). Extensions are case-insensitive, and names may differ
 * in the Unicode form of their letters; srt before vtt before ass.
 */
export function findSidecars(video: string): Promise<Sidecar[]> {
  return filesOf(video, SUBTITLE_ENDINGS);
}

/** The subtitle files of a video in formats that are not read, as `findSidecars` finds others. */
export function findUnreadable(video: string): Promise<Sidecar[]> {
  return filesOf(video, OTHER_ENDINGS);
}

async function filesOf(video: string, endings: readonly string[]): Promise<Sidecar[]> {
  const folder = dirname(video);
  const found: Sidecar[] = [];
  for (const place of [folder, join(folder, "subtitles"), join(folder, "..", "subtitles")]) {
    const ranked = (await filesIn(place))
      .map((name) => ({ name, rank: rankOf(composed(name), composed(basename(video)), endings) }))
      .filter((entry) => entry.rank !== null)
      .sort((a, b) => (a.rank as number) - (b.rank as number) || (a.name < b.name ? -1 : 1));
    for (const { name } of ranked)
      found.push({ path: join(place, name), ...nameTags(name, video) });
  }
  return found;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}

/** macOS stores letters with accents as several characters, other systems as one. */
function composed(name: string): string {
  return name.normalize("NFC");
}

function nameTags(name: string, video: string): Omit<Sidecar, "path"> {
  const tags = tagsOf(composed(name), composed(video));
  return { language: languageOf(tags[0] ?? ""), forced: tags.includes(FORCED) };
}

/** The rank of a file, lower is better; null if it does not belong to the video. */
function rankOf(name: string, video: string, endings: readonly string[]): number | null {
  const ending = endings.indexOf(extname(name).toLowerCase());
  if (ending < 0 || !name.startsWith(stemOf(video))) return null;
  const [first, ...rest] = tagsOf(name, video);
  if (first === undefined) return ending;
  const flags = languageOf(first) === null ? [first, ...rest] : rest;
  if (!isSeparate(name, video) || flags.some((flag) => !FLAGS.includes(flag))) return null;
  const flagged = flags.length === 0 ? 0 : 1 + Math.max(...flags.map((f) => FLAGS.indexOf(f)));
  return (1 + flagged) * endings.length + ending;
}

/** The tags between the video's stem and the extension: `movie.en.forced.srt` -> `en`, `forced`. */
function tagsOf(name: string, video: string): string[] {
  const file = basename(video);
  const body = name.slice(0, -extname(name).length);
  const tail = body.startsWith(file) ? body.slice(file.length) : body.slice(stemOf(file).length);
  return tail.toLowerCase().split(".").filter(Boolean);
}

function isSeparate(name: string, video: string): boolean {
  return name.charAt(stemOf(video).length) === ".";
}

function stemOf(file: string): string {
  return basename(file, extname(file));
}
