import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { Failure, toFailure } from "../../../src/core/errors.ts";
import type { Cue, RawCue } from "./cue.ts";
import { decodeText } from "./decode-text.ts";
import { parseSubtitles, type SubtitleFormat } from "./parse-subtitles.ts";
import { plainText } from "./plain-text.ts";
import { foldRolling, isRolling } from "./rolling-captions.ts";

/** Where subtitles come from. */
export interface SubtitleSource {
  kind: "sidecar" | "embedded";
  /** The name of the file, or `stream 2 of film.mkv`. */
  name: string;
  format: SubtitleFormat;
  /** The encoding of a sidecar file. */
  encoding?: string;
  /** Canonical language tag, if the source has one. */
  language?: string;
  /** Whether rolling automatic captions were folded into sentences. */
  folded: boolean;
}

export interface SubtitleReading {
  /** Sorted by time; each is one non-empty line of plain text. */
  cues: Cue[];
  source: SubtitleSource;
  /** Number of invalid cues that were skipped. */
  skipped: number;
}

/** How rolling captions are read. */
export interface CueReading {
  /** False: as the file has them, with every repetition. Default: true. */
  foldsRolling?: boolean;
}

/** Three hours of captions have half a megabyte. */
const LARGEST_FILE = 20 * 1024 * 1024;

/** Reads a subtitle file. Throws `Failure` `file-unreadable`, or `no-subtitles` for a file without a cue. */
export async function readSubtitleFile(
  path: string,
  reading: CueReading = {},
): Promise<SubtitleReading> {
  const { text, encoding } = decodeText(await readSmallFile(path));
  const source = { kind: "sidecar", name: basename(path), encoding } as const;
  return readCues(text, source, resolve(path), reading);
}

/**
 * Returns the cues of a subtitle text. Throws `Failure` `no-subtitles`, which names the source as `where`, for a text
 * without a cue.
 */
export function readCues(
  text: string,
  source: Pick<SubtitleSource, "kind" | "name" | "encoding">,
  where: string,
  { foldsRolling = true }: CueReading = {},
): SubtitleReading {
  const { format, cues: raw, skipped } = parseSubtitles(text);
  raw.sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
  const folded = foldsRolling && isRolling(raw);
  const cues = folded ? foldRolling(raw) : plainCues(raw);
  if (cues.length > 0) return { cues, source: { ...source, format, folded }, skipped };
  const reason = skipped === 0 ? "it has no timed cue" : `its cues (${skipped}) are invalid`;
  throw new Failure(
    "no-subtitles",
    `Cannot read ${where} as srt, vtt, ass or JSON subtitles: ${reason}.`,
    {
      where,
      skipped,
    },
  );
}

/** Styled files draw one line in several layers. The same text at the same time is one cue. */
function plainCues(raw: readonly RawCue[]): Cue[] {
  const cues = new Map<string, Cue>();
  for (const { start_s, end_s, lines } of raw) {
    const text = plainText(lines);
    if (text !== "") cues.set(`${start_s} ${end_s} ${text}`, { start_s, end_s, text });
  }
  return [...cues.values()];
}

/** Only regular files: a pipe or a device may never end. */
async function readSmallFile(path: string): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    if (stats.isFile() && stats.size <= LARGEST_FILE) return await readFile(path);
    const reason = stats.isFile()
      ? `it has ${Math.ceil(stats.size / 2 ** 20)} MB, and the limit is ${LARGEST_FILE / 2 ** 20} MB`
      : "it is not a regular file";
    throw new Failure("file-unreadable", `Cannot read the subtitle file ${path}: ${reason}.`, {
      path,
      size: stats.size,
    });
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
}
