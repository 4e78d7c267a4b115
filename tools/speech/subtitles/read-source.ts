import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { Failure, toFailure } from "../../../src/core/errors.ts";
import type { Cue, RawCue } from "./cue.ts";
import { decodeText } from "./decode-text.ts";
import { parseSubtitles, type SubtitleFormat } from "./parse.ts";
import { plainText } from "./plain-text.ts";
import { foldRolling, isRolling } from "./rolling.ts";

export interface SubtitleSource {
  kind: "sidecar" | "embedded";
  /** The file's name, or `stream 2 of film.mkv`. */
  name: string;
  format: SubtitleFormat;
  /** Of a sidecar: the encoding it was read in. */
  encoding?: string;
  /** Canonical tag, where the source states one. */
  language?: string;
  /** Whether rolling automatic captions were folded into sentences. */
  folded: boolean;
}

export interface Reading {
  /** Sorted by time; one line of plain text each, none empty. */
  cues: Cue[];
  source: SubtitleSource;
  /** Cues that were left out because no screen can have shown them. */
  skipped: number;
}

/** Three hours of captions are half a megabyte. */
const LARGEST_FILE = 20 * 1024 * 1024;

/** Reads a subtitle file. Throws `Failure` `file-unreadable`, or `no-subtitles` where it has no cue. */
export async function readSubtitleFile(path: string): Promise<Reading> {
  const { text, encoding } = decodeText(await readSmallFile(path));
  return readCues(text, { kind: "sidecar", name: basename(path), encoding }, resolve(path));
}

/** Cues of a file's text; `where` names it in the `Failure` `no-subtitles` of a text that has none. */
export function readCues(
  text: string,
  source: Pick<SubtitleSource, "kind" | "name" | "encoding">,
  where: string,
): Reading {
  const { format, cues: raw, skipped } = parseSubtitles(text);
  raw.sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
  const folded = isRolling(raw);
  const cues = folded ? foldRolling(raw) : plainCues(raw);
  if (cues.length > 0) return { cues, source: { ...source, format, folded }, skipped };
  const came = skipped === 0 ? "it has no timed cue" : `none of its ${skipped} cues could be read`;
  throw new Failure(
    "no-subtitles",
    `Expected srt, vtt or ass subtitles in ${where}, but ${came}.`,
    {
      where,
      skipped,
    },
  );
}

/** Styled files draw one line in several layers: the same words at the same time are one cue. */
function plainCues(raw: readonly RawCue[]): Cue[] {
  const cues = new Map<string, Cue>();
  for (const { start_s, end_s, lines } of raw) {
    const text = plainText(lines);
    if (text !== "") cues.set(`${start_s} ${end_s} ${text}`, { start_s, end_s, text });
  }
  return [...cues.values()];
}

/** Only plain files: a pipe or a device might never end. */
async function readSmallFile(path: string): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    if (stats.isFile() && stats.size <= LARGEST_FILE) return await readFile(path);
    const came = stats.isFile() ? `has ${Math.ceil(stats.size / 2 ** 20)} MB` : "is no plain file";
    throw new Failure(
      "file-unreadable",
      `Expected a subtitle file of at most ${LARGEST_FILE / 2 ** 20} MB, but ${path} ${came}.`,
      { path, size: stats.size },
    );
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
}
