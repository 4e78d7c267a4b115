import { basename } from "node:path";
import { Failure, type FailureKind, isFailure } from "../../src/core/errors.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { Probe } from "../../src/media/probe.ts";
import type { Cue } from "./subtitles/cue.ts";
import { extractStream } from "./subtitles/embedded.ts";
import { languageOf, sameLanguage } from "./subtitles/language.ts";
import {
  type Reading,
  readCues,
  readSubtitleFile,
  type SubtitleSource,
} from "./subtitles/read-source.ts";
import { findSidecars } from "./subtitles/sidecars.ts";

export interface SubtitleOptions {
  /** A subtitle file, used instead of everything found. */
  file?: string;
  /** A language tag (`en`, `eng`, `pt-BR`): sources that state another language are left out. */
  language?: string;
  /** Index of an embedded stream, as `probe` counts them. */
  stream?: number;
}

export interface Subtitles {
  /** Sorted by time; one line of plain text each, none empty. */
  cues: Cue[];
  /** Null where nothing usable was found. */
  source: SubtitleSource | null;
  /** Cues of the source that were left out because no screen can have shown them. */
  skipped: number;
  /** What is there but could not be used, a sentence each. */
  refused: { what: string; why: string }[];
}

interface Subtitled {
  hash: string;
  path: string;
  probe: Pick<Probe, "subtitles">;
}

type Stream = Probe["subtitles"][number];

interface Candidate {
  kind: SubtitleSource["kind"];
  what: string;
  language: string | null;
  read: () => Promise<Reading>;
}

/** Failures that say something about a source, after which the next one is tried. */
const USELESS: FailureKind[] = ["no-subtitles", "file-unreadable", "damaged", "media-limit"];

/**
 * The subtitles of a video: the given file or stream; else the first that has a cue among the files that belong to it
 * by name (see `findSidecars`), then among its text streams. With a language, those in that language come first, then
 * those that state none; without one, within each kind, those that state none or English come first. Rolling automatic
 * captions are folded into sentences. Nothing usable is no error: `source` is null, and `refused` tells what is there
 * and why it does not serve (image subtitles, teletext, a file without a cue, another language).
 *
 * Throws `Failure`: for what was asked for by name `file-unreadable`, or `no-subtitles` where it has no cue;
 * `wrong-usage` for a language that is none; `cancelled`.
 */
export async function readSubtitles(
  video: Subtitled,
  options: SubtitleOptions,
  job: JobContext,
): Promise<Subtitles> {
  const wanted = options.language === undefined ? null : knownLanguage(options.language);
  if (options.file !== undefined) return { ...(await readSubtitleFile(options.file)), refused: [] };
  if (options.stream !== undefined)
    return { ...(await readStream(video, streamAt(video, options.stream), job)), refused: [] };

  const { candidates, refused } = await lookFor(video, job);
  for (const { what, language, read } of inOrder(candidates, wanted)) {
    if (wanted !== null && language !== null && !sameLanguage(language, wanted)) {
      refused.push({
        what,
        why: `Expected subtitles in ${wanted}, but ${what} is in ${language}.`,
      });
      continue;
    }
    try {
      return { ...(await read()), refused };
    } catch (error) {
      if (!isFailure(error) || !USELESS.includes(error.kind)) throw error;
      refused.push({ what, why: error.message });
    }
  }
  return { cues: [], source: null, skipped: 0, refused };
}

/** Cues as evidence. `by` names the file, or the model that wrote down what was said. */
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
  video: Subtitled,
  job: JobContext,
): Promise<{ candidates: Candidate[]; refused: Subtitles["refused"] }> {
  const candidates: Candidate[] = (await findSidecars(video.path)).map(({ path, language }) => ({
    kind: "sidecar",
    what: basename(path),
    language,
    read: async () => inLanguage(await readSubtitleFile(path), language),
  }));
  const refused: Subtitles["refused"] = [];
  for (const stream of video.probe.subtitles) {
    const what = streamName(video, stream);
    const why = whyNoText(what, stream);
    const language = languageOf(stream.language ?? "");
    const read = () => readStream(video, stream, job);
    if (why === null) candidates.push({ kind: "embedded", what, language, read });
    else refused.push({ what, why });
  }
  return { candidates, refused };
}

function inOrder(candidates: readonly Candidate[], wanted: string | null): Candidate[] {
  const rank = ({ kind, language }: Candidate) => {
    const embedded = kind === "embedded" ? 1 : 0;
    if (wanted === null)
      return embedded * 2 + (language === null || sameLanguage(language, "en") ? 0 : 1);
    return (language !== null && sameLanguage(language, wanted) ? 0 : 2) + embedded;
  };
  return [...candidates].sort((a, b) => rank(a) - rank(b));
}

async function readStream(video: Subtitled, stream: Stream, job: JobContext): Promise<Reading> {
  const name = streamName(video, stream);
  const why = whyNoText(name, stream);
  if (why !== null) throw new Failure("no-subtitles", why, { stream: stream.index });
  const text = await extractStream(video, stream, job);
  const language = languageOf(stream.language ?? "");
  return inLanguage(readCues(text, { kind: "embedded", name }, name), language);
}

function inLanguage(reading: Reading, language: string | null): Reading {
  return language === null ? reading : { ...reading, source: { ...reading.source, language } };
}

function streamAt(video: Subtitled, index: number): Stream {
  const streams = video.probe.subtitles;
  const stream = streams.find((candidate) => candidate.index === index);
  if (stream !== undefined) return stream;
  const there = streams.map((candidate) => candidate.index).join(", ");
  const came = there === "" ? "the file has none" : `its subtitles are at ${there}`;
  throw new Failure(
    "no-subtitles",
    `Expected subtitles at stream ${index} of ${basename(video.path)}, but ${came}.`,
    { path: video.path, stream: index },
  );
}

function streamName(video: Subtitled, stream: Stream): string {
  return `stream ${stream.index} of ${basename(video.path)}`;
}

function whyNoText(name: string, { kind, codec }: Stream): string | null {
  if (kind === "image")
    return `Expected subtitles as text, but ${name} (${codec}) holds pictures of words.`;
  if (kind === "teletext")
    return `Expected subtitles as text, but ${name} (${codec}) holds teletext, which is not read.`;
  return null;
}

function knownLanguage(tag: string): string {
  const language = languageOf(tag);
  if (language !== null) return language;
  throw new Failure(
    "wrong-usage",
    `Expected a language tag such as en or pt-BR, got ${JSON.stringify(tag)}.`,
    { language: tag },
  );
}
