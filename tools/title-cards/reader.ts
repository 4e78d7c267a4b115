import { partOf, type Scan } from "../../src/media/scan.ts";
import { findCandidates } from "./candidates.ts";
import { type CardReading, readCard } from "./read-card.ts";

/** Reads the frame at a time, each one once. */
export type CardReader = (time_s: number) => Promise<CardReading>;

/** Gives the frame at a time as an image that sharp can read. */
export type FrameSource = (time_s: number) => Promise<Uint8Array>;

export function createReader(
  frameAt: FrameSource,
  options: { signal?: AbortSignal } = {},
): CardReader {
  const readings = new Map<number, Promise<CardReading>>();
  return (time_s) => {
    const known = readings.get(time_s);
    if (known !== undefined) return known;
    const reading = frameAt(time_s).then((image) => readCard(image, options));
    readings.set(time_s, reading);
    return reading;
  };
}

/** Seconds after a candidate by which its end is known, and before the last frame in which a fade may have begun. */
const SETTLED_S = 0.5;
const FADE_S = 1.5;

/**
 * Reads candidates while the scan still runs, so that seeking and OCR cost no time of their own. What is read ahead
 * is the very frame that `findCards` will ask for; where the whole scan shows a candidate otherwise, it reads again.
 */
export function readAhead(reader: CardReader): (soFar: Scan) => void {
  let from = 0;
  return (soFar) => {
    const part = partOf(soFar, from, soFar.count);
    const now_s = part.pts_s.at(-1) ?? 0;
    let keep_s = now_s - FADE_S;
    for (const { start, end, best } of findCandidates(part)) {
      const end_s = part.pts_s[end] ?? now_s;
      if (now_s - end_s >= SETTLED_S) {
        // Whoever needs this reading waits for it, and meets its error, if there is one.
        reader(part.pts_s[best] ?? 0).catch(() => undefined);
      } else keep_s = Math.min(keep_s, (part.pts_s[start] ?? 0) - FADE_S);
    }
    const kept = part.pts_s.findIndex((time_s) => time_s >= keep_s);
    from += Math.max(0, kept);
  };
}
