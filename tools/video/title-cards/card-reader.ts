import { partOf, type ScanWatch } from "../../../src/media/scan.ts";
import { findCandidates } from "./candidates.ts";
import { type CardReading, readCard } from "./read-card.ts";

/** Reads the frames at these times. Each frame is read once; unread frames are decoded together. */
export type CardReader = (times_s: readonly number[]) => Promise<CardReading[]>;

/** Returns the frames at these times, in their order, as images that sharp can decode. */
export type FrameSource = (times_s: readonly number[]) => Promise<Uint8Array[]>;

export function createReader(
  framesAt: FrameSource,
  options: { signal?: AbortSignal } = {},
): CardReader {
  const readings = new Map<number, Promise<CardReading>>();
  return (times_s) => {
    const unread = [...new Set(times_s)].filter((time_s) => !readings.has(time_s));
    const images = unread.length === 0 ? Promise.resolve([]) : framesAt(unread);
    for (const [i, time_s] of unread.entries())
      readings.set(
        time_s,
        images.then((all) => readCard(all[i] as Uint8Array, options)),
      );
    return Promise.all(times_s.map((time_s) => readings.get(time_s) as Promise<CardReading>));
  };
}

/** Frames read ahead by one process. Starting ffmpeg costs more than decoding a card. */
const AT_ONCE = 4;
/** Share of a part of the film after which candidates are read at once, so that none remain when the scan ends. */
const NEAR_END = 0.85;

/**
 * Seconds after a candidate until its end is certain, and seconds before the last frame in which a fade may have
 * begun.
 */
const SETTLED_S = 0.5;
const FADE_S = 1.5;

/**
 * Reads candidates while the scan runs, so that seeking and OCR add no time. Frames read ahead are those that
 * `findCards` requests. If the complete scan gives another frame, that frame is read as well.
 */
export function readAhead(reader: CardReader): ScanWatch {
  return ({ from_s, until_s }) => {
    const nearEnd_s = from_s + NEAR_END * (until_s - from_s);
    let from = 0;
    const settled = new Set<number>();
    let waiting: number[] = [];
    return (soFar) => {
      const part = partOf(soFar, from, soFar.count);
      const now_s = part.pts_s.at(-1) ?? 0;
      let keep_s = now_s - FADE_S;
      for (const { start, end, best } of findCandidates(part)) {
        const end_s = part.pts_s[end] ?? now_s;
        const best_s = part.pts_s[best] ?? 0;
        if (now_s - end_s >= SETTLED_S) {
          if (!settled.has(best_s)) waiting.push(best_s);
          settled.add(best_s);
        } else keep_s = Math.min(keep_s, (part.pts_s[start] ?? 0) - FADE_S);
      }
      const enough = now_s > nearEnd_s ? 1 : AT_ONCE;
      if (waiting.length >= enough) {
        // Callers that need these readings await them and receive the error.
        reader(waiting).catch(() => undefined);
        waiting = [];
      }
      const kept = part.pts_s.findIndex((time_s) => time_s >= keep_s);
      from += Math.max(0, kept);
    };
  };
}
