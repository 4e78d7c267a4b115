import { basename } from "node:path";
import { Failure, type FailureKind, isFailure } from "../../src/core/errors.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import { isBelow, pathWithoutLinks } from "../../src/core/folder-bounds.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { Probe } from "../../src/media/probe.ts";
import type { Cue } from "./subtitles/cue.ts";
import { extractStream } from "./subtitles/embedded.ts";
import { languageOf, sameLanguage } from "./subtitles/language-tag.ts";
import {
  type CueReading,
  readCues,
  readSubtitleFile,
  type SubtitleReading,
  type SubtitleSource,
} from "./subtitles/read-source.ts";
import { findSidecars, findUnreadable, type Sidecar } from "./subtitles/sidecars.ts";

/** Which subtitles are read. */
export interface SubtitleOptions extends CueReading {
  /** A subtitle file, used instead of all other sources. */
  file?: string;
  /** A language tag (`en`, `eng`, `pt-BR`). Sources in another language are ignored. */
  language?: string;
  /** Index of an embedded stream, as `probe` counts them. */
  stream?: number;
}

/** The subtitles of a video. */
export interface Subtitles {
  /** Sorted by time; each is one non-empty line of plain text. */
  cues: Cue[];
  /** Null if nothing usable was found. */
  source: SubtitleSource | null;
  /** Number of invalid cues that were skipped. */
  skipped: number;
  /** Sources that could not be used, with the reason as a sentence. */
  refused: { what: string; why: string }[];
}

/** A subtitle file that whoever supplied a video named for it. */
export interface NamedSubtitles {
  path: string;
  /** Time of the file at which the video begins, in seconds, for a video cut from a longer one. Default 0. */
  from_s?: number;
}

interface SubtitledMedia {
  hash: string;
  path: string;
  probe: Pick<Probe, "subtitles" | "origin_s">;
  subtitles?: NamedSubtitles;
  within?: readonly string[];
}

type Stream = Probe["subtitles"][number];

interface Candidate {
  kind: SubtitleSource["kind"];
  what: string;
  language: string | null;
  /** How the file marks an embedded stream, or the name of a sidecar marks it. */
  marks?: Partial<Pick<Stream, "default" | "forced" | "hearing_impaired">>;
  read: () => Promise<SubtitleReading>;
}

/** Kinds of failure that concern one source. The next source is tried after them. */
const SKIPPED_FAILURES: FailureKind[] = [
  "no-subtitles",
  "file-unreadable",
  "damaged",
  "media-limit",
];

/**
 * Returns the subtitles of a video: the given file or stream; otherwise the first with a cue among the file that is
 * named for the video (`subtitles`), the sidecar files (see `findSidecars`) and the text streams. With `language`, sources in that language come first, then
 * those without a language tag. Without `language`, sources of each kind that are untagged or English come first. Forced
 * files and streams, which have only some of the speech, come after all others, with `language` after all others in that
 * language. Of several streams of a language, the default one comes first, and those for the hard of hearing after plain
 * ones.
 * Rolling automatic captions are folded into sentences, unless `foldsRolling` is false. A video without usable
 * subtitles is not an error: `source` is null, and `refused` lists what exists and why it cannot be used (image
 * subtitles, teletext, a file without a cue, another language).
 *
 * Throws `Failure`: `file-unreadable`, or `no-subtitles` without a cue, for a requested file or stream; `wrong-usage`
 * for an invalid language tag; `cancelled`.
 */
export async function readSubtitles(
  video: SubtitledMedia,
  options: SubtitleOptions,
  job: JobContext,
): Promise<Subtitles> {
  const wanted = options.language === undefined ? null : knownLanguage(options.language);
  const { foldsRolling } = options;
  if (options.file !== undefined)
    return { ...(await readSubtitleFile(options.file, { foldsRolling })), refused: [] };
  if (options.stream !== undefined) {
    const stream = streamAt(video, options.stream);
    return { ...(await readStream(video, stream, job, { foldsRolling })), refused: [] };
  }

  const { candidates, refused } = await lookFor(video, job, { foldsRolling });
  for (const { what, language, read } of inOrder(candidates, wanted)) {
    if (wanted !== null && language !== null && !sameLanguage(language, wanted)) {
      refused.push({
        what,
        why: `${what} is in ${language}, not in ${wanted}.`,
      });
      continue;
    }
    try {
      return { ...(await read()), refused };
    } catch (error) {
      if (!isFailure(error) || !SKIPPED_FAILURES.includes(error.kind)) throw error;
      refused.push({ what, why: error.message });
    }
  }
  return { cues: [], source: null, skipped: 0, refused };
}

/** The cues of a named file, in times of the video. Throws `Failure` `file-unreadable`, `no-subtitles`. */
export async function readNamedSubtitles(
  { path, from_s = 0 }: NamedSubtitles,
  reading: CueReading = {},
): Promise<SubtitleReading> {
  return startingAt(await readSubtitleFile(path, reading), from_s);
}

/** Returns cues as evidence. `by` names the file, or the model that transcribed the speech. */
export function subtitleEvidence(
  video: string,
  cues: readonly Cue[],
  by: Evidence["by"],
): Evidence[] {
  return cues.map((cue) =>
    makeEvidence({ video, kind: "subtitle", ...cue, by, confidence: null, from: [] }),
  );
}

async function lookFor(
  video: SubtitledMedia,
  job: JobContext,
  reading: CueReading,
): Promise<{ candidates: Candidate[]; refused: Subtitles["refused"] }> {
  const named = video.subtitles;
  const sidecars: Sidecar[] = [];
  for (const sidecar of await findSidecars(video.path))
    if (sidecar.path !== named?.path && (await mayBeRead(sidecar.path, video)))
      sidecars.push(sidecar);
  const candidates: Candidate[] = sidecars.map(({ path, language, forced }) => ({
    kind: "sidecar",
    what: basename(path),
    language,
    marks: { forced },
    read: async () => inLanguage(await readSubtitleFile(path, reading), language),
  }));
  if (named !== undefined)
    candidates.unshift({
      kind: "sidecar",
      what: basename(named.path),
      language: null,
      read: () => readNamedSubtitles(named, reading),
    });
  const refused: Subtitles["refused"] = (await findUnreadable(video.path)).map(({ path }) => ({
    what: basename(path),
    why: "This format of subtitles is not supported: convert it to .srt, .vtt or .ass.",
  }));
  for (const stream of video.probe.subtitles) {
    const what = streamName(video, stream);
    const why = whyNoText(what, stream);
    const language = languageOf(stream.language ?? "");
    const read = () => readStream(video, stream, job, reading);
    if (why === null) candidates.push({ kind: "embedded", what, language, marks: stream, read });
    else refused.push({ what, why });
  }
  return { candidates, refused };
}

/** Whether a file lies in a folder from which files next to the video may be read. */
async function mayBeRead(file: string, { within }: SubtitledMedia): Promise<boolean> {
  if (within === undefined) return true;
  const path = await pathWithoutLinks(file);
  return path !== null && within.some((folder) => isBelow(path, folder));
}

function inOrder(candidates: readonly Candidate[], wanted: string | null): Candidate[] {
  const rank = ({ kind, language, marks }: Candidate) => {
    const embedded = kind === "embedded";
    const forced = marks?.forced ?? false;
    const isSpoken =
      wanted === null
        ? language === null || sameLanguage(language, "en")
        : language !== null && sameLanguage(language, wanted);
    const others = [!(marks?.default ?? true), marks?.hearing_impaired ?? false];
    return wanted === null
      ? [forced, embedded, !isSpoken, ...others]
      : [!isSpoken, forced, embedded, ...others];
  };
  const ranked = candidates.map((candidate) => ({ candidate, rank: rank(candidate).map(Number) }));
  const compare = (a: number[], b: number[]) =>
    a.map((value, i) => value - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ candidate }) => candidate);
}

async function readStream(
  video: SubtitledMedia,
  stream: Stream,
  job: JobContext,
  reading: CueReading,
): Promise<SubtitleReading> {
  const name = streamName(video, stream);
  const why = whyNoText(name, stream);
  if (why !== null) throw new Failure("no-subtitles", why, { stream: stream.index });
  const text = await extractStream(video, stream, job);
  const language = languageOf(stream.language ?? "");
  const read = readCues(text, { kind: "embedded", name }, name, reading);
  const timed = startingAt(read, video.probe.origin_s);
  if (timed.cues.length === 0)
    throw new Failure(
      "no-subtitles",
      `Cannot use ${name}: all its cues end before the video begins.`,
      { stream: stream.index },
    );
  const cues = timed.cues.map((cue) => ({
    ...cue,
    start_s: toMilliseconds(cue.start_s),
    end_s: toMilliseconds(cue.end_s),
  }));
  return inLanguage({ ...timed, cues }, language);
}

/** Rounds as subtitle formats do. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function inLanguage(reading: SubtitleReading, language: string | null): SubtitleReading {
  return language === null ? reading : { ...reading, source: { ...reading.source, language } };
}

/** The cues as they lie in a video that begins at `from_s` of the file; cues before it are left out. */
function startingAt(reading: SubtitleReading, from_s: number): SubtitleReading {
  if (from_s === 0) return reading;
  const cues = reading.cues
    .filter(({ end_s }) => end_s > from_s)
    .map((cue) => ({
      ...cue,
      start_s: Math.max(0, cue.start_s - from_s),
      end_s: cue.end_s - from_s,
    }));
  return { ...reading, cues };
}

function streamAt(video: SubtitledMedia, index: number): Stream {
  const streams = video.probe.subtitles;
  const stream = streams.find((candidate) => candidate.index === index);
  if (stream !== undefined) return stream;
  const there = streams.map((candidate) => candidate.index).join(", ");
  const hint = there === "" ? "It has no subtitles" : `Its subtitle streams are ${there}`;
  throw new Failure(
    "no-subtitles",
    `${basename(video.path)} has no subtitle stream ${index}. ${hint}.`,
    { path: video.path, stream: index },
  );
}

function streamName(video: SubtitledMedia, stream: Stream): string {
  return `stream ${stream.index} of ${basename(video.path)}`;
}

function whyNoText(name: string, { kind, codec }: Stream): string | null {
  if (kind === "image") return `Cannot read ${name} (${codec}): image subtitles are not supported.`;
  if (kind === "teletext") return `Cannot read ${name} (${codec}): teletext is not supported.`;
  return null;
}

function knownLanguage(tag: string): string {
  const language = languageOf(tag);
  if (language !== null) return language;
  throw new Failure(
    "wrong-usage",
    `Invalid language ${JSON.stringify(tag)}: use a tag such as en or pt-BR.`,
    { language: tag },
  );
}
