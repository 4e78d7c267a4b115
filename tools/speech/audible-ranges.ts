import { LEVEL_S } from "./sound-levels.ts";
import type { SoundRange } from "./transcriber.ts";

/** Sound this many dB below the loud passages of the same track counts as silence, within the two bounds. */
const BELOW_LOUD_DB = 35;
const QUIETEST_DB = -70;
const LOUDEST_SILENCE_DB = -50;

/** Share of the audible levels that are below the loud passages. */
const LOUD_SHARE = 0.95;

/** A shorter sound is a click. */
const SHORTEST_S = 0.1;

/** Kept before and after a sound, so that soft first and last consonants are heard. */
export const MARGIN_S = 0.25;

/** Silence of at most this length, between the margins of two sounds, is kept. */
const LONGEST_KEPT_S = 0.5;

/** The level in dB below which sound of this track counts as silence. */
export function silenceLevel(levels: Int8Array): number {
  const loud = loudLevel(levels);
  return Math.min(LOUDEST_SILENCE_DB, Math.max(QUIETEST_DB, loud - BELOW_LOUD_DB));
}

/** The level in dB of the loud passages; that of silence if nothing is audible. */
export function loudLevel(levels: Int8Array): number {
  const audible = levels.filter((level) => level > QUIETEST_DB).sort();
  return audible[Math.floor(LOUD_SHARE * (audible.length - 1))] ?? QUIETEST_DB;
}

/** The ranges of a track that are not silent, in seconds, in order and apart, with a margin around each sound. */
export function audibleRanges(levels: Int8Array): SoundRange[] {
  const silent = silenceLevel(levels);
  const sounds: SoundRange[] = [];
  for (let from = 0; from < levels.length; from++) {
    if (levelAt(levels, from) <= silent) continue;
    let to = from + 1;
    while (levelAt(levels, to) > silent) to++;
    const last = sounds.at(-1);
    const sound = { from_s: from * LEVEL_S, to_s: to * LEVEL_S };
    from = to;
    if (last !== undefined && sound.from_s - last.to_s <= 2 * MARGIN_S + LONGEST_KEPT_S)
      last.to_s = sound.to_s;
    else sounds.push(sound);
  }
  const end_s = levels.length * LEVEL_S;
  return sounds
    .filter(({ from_s, to_s }) => to_s - from_s >= SHORTEST_S - 1e-6)
    .map(({ from_s, to_s }) => ({
      from_s: milliseconds(Math.max(0, from_s - MARGIN_S)),
      to_s: milliseconds(Math.min(end_s, to_s + MARGIN_S)),
    }));
}

function levelAt(levels: Int8Array, index: number): number {
  return levels[index] ?? -128;
}

/** Times are part of memo keys, and must not depend on rounding errors. */
export function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
