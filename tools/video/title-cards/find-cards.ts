import type { Scan } from "../../../src/media/scan.ts";
import { type Candidate, findCandidates } from "./candidates.ts";
import type { CardReader } from "./card-reader.ts";
import type { CardReading } from "./read-card.ts";

/**
 * A title card. `end_s` is the time of the first frame after it; `confidence`, 0 to 1, is tesseract's for the number.
 */
export interface TitleCard {
  number: number;
  start_s: number;
  end_s: number;
  confidence: number;
}

/** Noise, compression and a fade can split a card for some frames. A clip between two cards is longer. */
const FLICKER_S = 0.2;

/**
 * Finds the title cards of a scanned video, in order of time. `notes` reports disputed numbers, and dark frames with
 * text that are not cards.
 */
export async function findCards(
  scan: Scan,
  duration_s: number,
  reader: CardReader,
): Promise<{ cards: TitleCard[]; notes: string[] }> {
  const candidates = findCandidates(scan);
  const time = (i: number) => scan.pts_s[i] ?? duration_s;
  const first = await reader(candidates.map(({ best }) => time(best)));
  const disputed = candidates.filter((_, i) => isDisputed(first[i] as CardReading));
  const second = await reader(disputed.map((candidate) => time(otherFrame(candidate))));
  const readings = candidates.map((candidate, i) => {
    const again = second[disputed.indexOf(candidate)];
    return again === undefined ? (first[i] as CardReading) : both(first[i] as CardReading, again);
  });
  const notes: string[] = [];
  const found: (TitleCard & { frames: Candidate })[] = [];
  for (const [i, frames] of candidates.entries()) {
    const reading = readings[i] as CardReading;
    const at = `at ${time(frames.start).toFixed(2)} s`;
    if (!reading.card) {
      if (reading.why.startsWith("other text")) notes.push(`Not a card ${at}: ${reading.why}.`);
      continue;
    }
    const before = found.at(-1);
    const number = settled(reading, before?.number ?? 0, at, notes);
    const card = { number, start_s: time(frames.start), end_s: time(frames.end) };
    const sameCard = before?.number === number && card.start_s - before.end_s <= FLICKER_S;
    if (before !== undefined && sameCard) {
      before.end_s = Math.max(before.end_s, card.end_s);
      before.frames = frames;
    } else found.push({ ...card, confidence: reading.confidence, frames });
  }
  return { cards: found.map(({ frames: _, ...card }) => card), notes };
}

/** Whether readings at several sizes disagree on the number. */
function isDisputed(reading: CardReading): boolean {
  return reading.card && reading.votes.size > 1;
}

function otherFrame({ first, last, best }: Candidate): number {
  return best + Math.ceil((last - best) / 2) === best ? first : best + Math.ceil((last - best) / 2);
}

function both(a: CardReading, b: CardReading): CardReading {
  if (!a.card || !b.card) return a;
  const votes = new Map(a.votes);
  for (const [number, count] of b.votes) votes.set(number, (votes.get(number) ?? 0) + count);
  const number = [...votes].reduce((x, y) => (y[1] > x[1] ? y : x))[0];
  return { card: true, number, confidence: Math.min(a.confidence, b.confidence), votes };
}

/**
 * Returns the number that most readings agree on. Without a clear majority, the number that follows the previous card
 * wins, and a note says so.
 */
function settled(
  reading: CardReading & { card: true },
  before: number,
  at: string,
  notes: string[],
): number {
  const counts = [...reading.votes].sort((a, b) => b[1] - a[1]);
  const [most, next] = counts;
  if (most === undefined || next === undefined || most[1] >= next[1] * 2) return reading.number;
  const seen = counts.map(([number]) => number).join(" or ");
  const follows = reading.votes.has(before + 1);
  const number = follows ? before + 1 : reading.number;
  notes.push(
    `The card ${at} reads ${seen}: used ${number}${follows ? ", which follows the previous card" : ""}.`,
  );
  return number;
}
