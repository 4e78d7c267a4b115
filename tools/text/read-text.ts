import { availableParallelism } from "node:os";
import pLimit, { type LimitFunction } from "p-limit";
import { z } from "zod";
import { makeEvidence } from "../../src/core/evidence.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Box, Evidence, FrameRef } from "../../src/core/shapes.ts";
import type { Scan } from "../../src/media/scan.ts";
import { loadSharp } from "../../src/media/sharp.ts";
import { latexOfLine } from "../mathematics/board.ts";
import { parseRequest } from "../parse-request.ts";
import { unevenEnd } from "../video/scan.ts";
import { throttleProgress } from "../video/throttle-progress.ts";
import { frameTable, type Video } from "../video/video.ts";
import { lettersInFrame } from "./letters-in-frame.ts";
import { checkLanguages, dataInKey } from "./ocr/language-data.ts";
import { type Batch, type PicturesToRead, picturesToRead } from "./pictures-to-read.ts";
import { MIN_CONFIDENCE, type ReadLine, readPicture } from "./read-image.ts";
import { cellsUnder, regionToRead } from "./regions-to-read.ts";
import type { ScreenState } from "./screen-states.ts";
import { shareWithin } from "./text-similarity.ts";
import { joinLines, type ReadState, type TextTrack } from "./text-tracks.ts";

/** How the text of a video is read. */
export const ReadTextSpec = z.strictObject({
  /** Longest side of the frames that are read, in pixels; null: as stored. */
  max_side: z.int().min(64).nullable().default(1920),
  /** Lines with a lower confidence are omitted, 0 to 1. */
  min_confidence: z.number().min(0).max(1).default(MIN_CONFIDENCE),
  /** Codes of tesseract whose data are in `data` or in installed packages. */
  languages: z.array(z.string()).min(1).default(["eng"]),
  /** Folder with tesseract data. Results are stored by the content of its files. */
  data: z.string().optional(),
});
export type ReadTextSpec = z.input<typeof ReadTextSpec>;

/** Raise when the same video would give other text. */
export const READ_TEXT_VERSION = 14;

/** Raise when the same picture would be read differently. */
export const READ_IMAGE_VERSION = 12;

/** Confidence from which a line is not read again in the next picture that shows it. */
const SURE = 0.85;

/** After this time, another process scans the video, and this one waits for it. */
const SCANNING_MS = 100;

/**
 * Returns the text and equations on screen as evidence, each with the time span in which it was visible.
 *
 * Pictures that look the same are read once; `box` is in pixels of `frame`, the picture the line was read in. An
 * equation starts when it is complete. Its `data` contain its LaTeX, the time at which its writing began, and whether
 * it was erased while the rest stayed. An equation that could not be read has an empty text and the data
 * `{ unread: true }`. At most 30 still pictures per minute are read, and one every 10 seconds of a moving picture.
 * The result is stored by the video's content and the settings.
 * Throws `Failure`: `wrong-usage`, `wrong-setting` (no folder `data`), `no-video`, `damaged`, `media-limit`, `ocr`,
 * `cancelled`, `disk-full`.
 */
export async function readText(
  video: Video,
  spec: ReadTextSpec,
  job: JobContext,
): Promise<Evidence[]> {
  const { data, ...read } = parseRequest(ReadTextSpec, spec, "text");
  const languages = { languages: read.languages, data };
  const own = [...(await dataInKey(languages)), ...unevenEnd(await frameTable(video, job))];
  const { value } = await job.store.memo.once<Evidence[]>(
    {
      key: hashOf(["read-text", READ_TEXT_VERSION, video.hash, read, ...own]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    (signal) => readWhole(video, { ...read, data }, { ...job, signal }),
  );
  return value;
}

async function readWhole(
  video: Video,
  spec: z.output<typeof ReadTextSpec>,
  job: JobContext,
): Promise<Evidence[]> {
  checkLanguages(spec);
  const limit = pLimit(availableParallelism() + 1);
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, ...(job.signal ? [job.signal] : [])]);
  const early: Promise<unknown>[] = [];
  const finding = picturesToRead(video, spec.max_side, job, (decoding, { width, height }) => {
    const all = new Uint8Array(width * height).fill(1);
    const reading = decoding.then(async (frame) => {
      if (frame !== undefined)
        await linesOf({ width, height }, frame, all, undefined, spec, limit, { ...job, signal });
    });
    // Whoever needs the picture reads it again.
    early.push(reading.catch(() => undefined));
  });
  const loading = setTimeout(loadSharp, SCANNING_MS);
  try {
    return await readStates(video, await finding, spec, limit, job);
  } finally {
    clearTimeout(loading);
    ended.abort();
    await Promise.all(early);
  }
}

/** Reads the pictures of the states, and joins what they show. */
async function readStates(
  video: Video,
  { scan, states, batches }: PicturesToRead,
  spec: z.output<typeof ReadTextSpec>,
  limit: LimitFunction,
  job: JobContext,
): Promise<Evidence[]> {
  const progress = throttleProgress(job.progress, "pictures read");
  const lines: Promise<ReadLine[]>[] = [];
  const reading: Promise<ReadState[]>[] = [];
  let done = 0;
  const read = async (index: number, state: ScreenState, decoding: Batch["frames"][number]) => {
    const same = state.same === undefined ? undefined : lines[state.same];
    const { base, cells } = regionToRead(scan, states, index);
    const known = base === undefined ? undefined : lines[base];
    const linesIn = async (frame: FrameRef | undefined) =>
      frame === undefined ? [] : linesOf(scan, frame, cells, known, spec, limit, job);
    const found = same ?? decoding.then(linesIn);
    lines.push(found);
    const [frame, inFrame] = await Promise.all([decoding, found]);
    progress(++done, states.length);
    return frame === undefined ? [] : [{ state, frame, lines: inFrame }];
  };
  let failed = false;
  let before: Promise<ReadState[]>[] = [];
  for await (const { first, frames } of batches()) {
    const batch = frames.flatMap((decoding, at) => {
      const state = states[first + at];
      return state === undefined ? [] : [read(first + at, state, decoding)];
    });
    for (const one of batch)
      one.catch(() => {
        failed = true;
      });
    reading.push(...batch);
    // Decoding is at most a batch ahead of reading.
    await Promise.allSettled(before);
    before = batch;
    if (failed) break;
  }
  const tracks = joinLines(scan, (await Promise.all(reading)).flat());
  return tracks.map((track) => evidenceOf(video, track, tracks));
}

/**
 * Returns the lines of one picture. Lines `known` from an earlier picture are reused if they were read confidently and
 * nothing has changed there; the rest is read.
 */
async function linesOf(
  scan: Pick<Scan, "width" | "height">,
  frame: FrameRef,
  cells: Uint8Array,
  known: Promise<ReadLine[]> | undefined,
  spec: z.output<typeof ReadTextSpec>,
  limit: LimitFunction,
  job: JobContext,
): Promise<ReadLine[]> {
  const under = (box: Box) => cellsUnder(scan, box, frame, 0);
  const kept: ReadLine[] = [];
  const wanted = Uint8Array.from(cells);
  for (const line of (await known) ?? []) {
    const ground = under(line.box);
    if (line.confidence >= SURE && !ground.some((cell) => cells[cell])) kept.push(line);
    else for (const cell of ground) wanted[cell] = 1;
  }
  // One changed cell is enough for a line that grows. In a new picture, most cells must be wanted, so that a line next
  // to a speaker is omitted.
  const share = known === undefined ? 0.5 : 0;
  const where = (box: Box) => {
    const ground = under(box);
    return ground.filter((cell) => wanted[cell]).length > ground.length * share;
  };
  const read = await limit(() => readPart(frame, wanted, where, spec, job));
  return [
    ...kept.filter((line) => !read.some((other) => shareWithin(line.box, other.box) > 0.3)),
    ...read,
  ].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
}

/** Reads the given cells of a picture, once for all callers. */
async function readPart(
  frame: FrameRef,
  cells: Uint8Array,
  where: (box: Box) => boolean,
  spec: z.output<typeof ReadTextSpec>,
  job: JobContext,
): Promise<ReadLine[]> {
  const { min_confidence, languages, data } = spec;
  const part = cells.join("");
  const own = await dataInKey({ languages, data });
  const { value } = await job.store.memo.once<ReadLine[]>(
    {
      key: hashOf([
        "read-image",
        READ_IMAGE_VERSION,
        frame.hash,
        part,
        min_confidence,
        languages,
        ...own,
      ]),
      tags: [frame.video],
      run: job.run,
      signal: job.signal,
    },
    async (signal) => {
      const { lines, letters } = await readPicture(await job.store.blobs.read(frame.hash), {
        min_confidence,
        languages,
        data,
        where,
        signal,
      });
      if (letters !== undefined)
        await lettersInFrame(frame, { ...job, signal }, async () => letters);
      return lines;
    },
  );
  return value;
}

function evidenceOf(video: Video, track: TextTrack, all: readonly TextTrack[]): Evidence {
  const { line, frame, start_s, end_s, complete_s } = track;
  const equation = line.kind === "equation" && !line.unread;
  return makeEvidence({
    video: video.hash,
    kind: line.kind,
    start_s: equation ? complete_s : start_s,
    end_s,
    text: line.text,
    frame,
    box: line.box,
    ...(line.unread ? { data: { unread: true } } : {}),
    ...(equation
      ? { data: { latex: latexOfLine(line.text), began_s: start_s, erased: isErased(track, all) } }
      : {}),
    by: { who: "tool", name: "tesseract" },
    confidence: line.unread ? null : line.confidence,
    from: [],
  });
}

/** Seconds for which the rest of a board must stay visible for a line to count as erased. */
const STAYS_S = 0.5;

function isErased({ start_s, end_s }: TextTrack, all: readonly TextTrack[]): boolean {
  return all.some(
    (other) =>
      other.start_s < end_s - STAYS_S && other.end_s > end_s + STAYS_S && other.end_s > start_s,
  );
}
