import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { decodeFrames } from "../../src/media/decode.ts";
import { findFfmpeg } from "../../src/media/find-ffmpeg.ts";
import type { FrameTable } from "../../src/media/frame-table.ts";
import { scanVideo } from "./scan.ts";
import { createReader, readAhead } from "./title-cards/card-reader.ts";
import { findCards, type TitleCard } from "./title-cards/find-cards.ts";
import { frameTable, type Video } from "./video.ts";

export type { TitleCard } from "./title-cards/find-cards.ts";

/** The frames from the end of a card to the next card or the end of the video. */
export interface Clip {
  clip: number;
  start_s: number;
  end_s: number;
}

/** The title cards of a video, with the clips between them. */
export interface TitleCards {
  /** In order of time. */
  cards: TitleCard[];
  clips: Clip[];
  /** Sentences about irregularities: repeated, missing or disputed numbers, and clips without a picture. */
  notes: string[];
}

/** Raise when the same video would give other cards. */
export const CARDS_VERSION = 3;

const READING = { max_side: 1280, max_area: null, quality: 92 };
/** Gaps in seconds that result from rounding. */
const NOTHING_S = 0.001;

/**
 * Finds VCRBench's title cards: white `Clip N`, centred on black, shown for 0.4 s or longer.
 *
 * A card starts with its first frame; `end_s` is the time of the first frame after it. A fade belongs to the card: if
 * its text fades in from black or out to black, the card starts and ends where the linear fit of its brightness
 * reaches zero. Black frames before or after a card that appears or disappears at once belong to the clip, and so
 * does a blend of clip and card that is not dark.
 * The number is the one printed on the card. It is never changed to fit the other cards. If readings of a card
 * disagree, the number that follows the previous card is preferred among those read, and `notes` reports it.
 *
 * Throws `Failure`: `no-video`, `damaged`, `media-limit`, `ocr`, `cancelled`.
 */
export async function findTitleCards(video: Video, job: JobContext): Promise<TitleCards> {
  const { version } = await findFfmpeg();
  const { value } = await job.store.memo.once<TitleCards>(
    {
      key: hashOf(["title-cards", CARDS_VERSION, video.hash, version]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    (signal) => find(video, { ...job, signal }),
  );
  return value;
}

async function find(video: Video, job: JobContext): Promise<TitleCards> {
  const table = await frameTable(video, job);
  const { signal } = job;
  const reader = createReader((times_s) => framesAt(video, table, times_s, signal), { signal });
  const end_s = video.probe.video?.end_s ?? video.probe.duration_s;
  const scan = await scanVideo(video, job, { watch: readAhead(reader) });
  const { cards, notes } = await findCards(scan, end_s, reader);
  const clips = clipsBetween(cards, end_s);
  return { cards, clips, notes: [...notes, ...notesOn(cards, clips)] };
}

/**
 * Returns the frames at these times, in their order. If one cannot be decoded, the frame on screen at that time
 * replaces it.
 */
async function framesAt(
  video: Video,
  table: FrameTable,
  times_s: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Uint8Array[]> {
  const options = { ...READING, signal };
  const frames = await decodeFrames(video.path, video.probe, table, [...times_s], options);
  return times_s.map((time_s) => {
    const distance = (frame: { t_s: number }) => Math.abs(frame.t_s - time_s);
    return frames.reduce((a, b) => (distance(b) < distance(a) ? b : a)).jpeg;
  });
}

function clipsBetween(cards: readonly TitleCard[], end_s: number): Clip[] {
  return cards
    .map(({ number, end_s: start_s }, i) => ({
      clip: number,
      start_s,
      end_s: cards[i + 1]?.start_s ?? end_s,
    }))
    .filter((clip) => clip.end_s - clip.start_s > NOTHING_S);
}

function notesOn(cards: readonly TitleCard[], clips: readonly Clip[]): string[] {
  const [first] = cards;
  if (first === undefined) return [];
  const notes: string[] = [];
  if (first.start_s > NOTHING_S)
    notes.push(`The ${first.start_s.toFixed(2)} s before the first card belong to no clip.`);
  for (const { number, end_s } of cards)
    if (!clips.some((clip) => clip.start_s === end_s))
      notes.push(`No picture follows the card Clip ${number} that ends at ${end_s.toFixed(2)} s.`);
  const numbers = cards.map((card) => card.number);
  const repeated = [...new Set(numbers.filter((number, i) => numbers.indexOf(number) !== i))];
  for (const number of repeated) {
    notes.push(`Clip ${number} is on ${numbers.filter((other) => other === number).length} cards.`);
  }
  const missing = missingNumbers(numbers);
  if (missing !== "") notes.push(`No card was found for Clip ${missing}.`);
  return notes;
}

/** Numbers from 1 to the highest that are on no card, as `2, 4-6`. */
function missingNumbers(numbers: readonly number[]): string {
  const seen = [...new Set(numbers)].sort((a, b) => a - b);
  return seen
    .flatMap((number, i) => {
      const from = (seen[i - 1] ?? 0) + 1;
      const to = number - 1;
      return from > to ? [] : [from === to ? `${from}` : `${from}-${to}`];
    })
    .join(", ");
}
