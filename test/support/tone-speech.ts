import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { seeded } from "../../src/core/random.ts";
import { findFfmpeg } from "../../src/media/find-ffmpeg.ts";
import type { Reply, Script, SeenRequest } from "../../src/testing/index.ts";

/*
 * Speech made of tones: each word is two tones one after the other, which stand for its number in base 16. A scripted
 * server reads the words from the samples that it receives.
 */

const RATE = 16_000;
const HEADER_BYTES = 44;
const TONE_S = 0.16;
const WORD_S = 2 * TONE_S;
const AMPLITUDE = 0.25;
/** Noise of a quiet room. */
const NOISE = 0.0008;

const hertz = (digit: number) => 500 + 120 * digit;

export interface ToneWord {
  text: string;
  start_s: number;
}

/** Sentences of random words, with pauses between them, up to a minute long. */
export function toneWords(duration_s: number, seed: string): ToneWord[] {
  const random = seeded("tone speech", seed);
  const words: ToneWord[] = [];
  let at_s = 3 * random();
  for (;;) {
    const count = 3 + Math.floor(8 * random());
    for (let word = 0; word < count; word++) {
      if (at_s + WORD_S > duration_s - 0.5) return words;
      words.push({ text: `w${Math.floor(256 * random())}`, start_s: at_s });
      at_s += WORD_S + 0.08 + 0.3 * random();
    }
    // Mostly short pauses, some long ones.
    at_s += 0.4 + 40 * random() ** 12;
  }
}

/** Samples of the words, with faint noise everywhere. */
export function toneSamples(words: readonly ToneWord[], duration_s: number): Int16Array {
  const samples = new Int16Array(Math.round(duration_s * RATE));
  const random = seeded("noise");
  const noise = Float32Array.from({ length: 4096 }, () => NOISE * (2 * random() - 1));
  for (let at = 0; at < samples.length; at++) samples[at] = 32_767 * (noise[at % 4096] ?? 0);
  for (const { text, start_s } of words) {
    const number = Number(text.slice(1));
    for (const [place, digit] of [number >> 4, number & 15].entries()) {
      const from = Math.round((start_s + place * TONE_S) * RATE);
      const turn = (2 * Math.PI * hertz(digit)) / RATE;
      for (let n = 0; n < TONE_S * RATE; n++)
        samples[from + n] = 32_767 * AMPLITUDE * Math.sin(turn * n) + (samples[from + n] ?? 0);
    }
  }
  return samples;
}

/** Writes a film whose sound has these samples, without loss, and whose pictures are small. */
export async function writeToneFilm(path: string, samples: Int16Array, pictures = true) {
  const { ffmpeg } = await findFfmpeg();
  const duration_s = String(samples.length / RATE);
  const child = promisify(execFile)(ffmpeg, [
    ...["-v", "error", "-f", "s16le", "-ar", String(RATE), "-ac", "1", "-i", "pipe:0"],
    ...(pictures
      ? ["-f", "lavfi", "-t", duration_s, "-i", "color=c=navy:s=64x36:r=1", "-c:v", "mpeg4"]
      : []),
    ...["-c:a", "flac", path],
  ]);
  child.child.stdin?.end(Buffer.from(samples.buffer));
  await child;
}

/** The words in received samples, with times in seconds from their start. */
function wordsIn(samples: Int16Array): ToneWord[] {
  const frame = RATE / 50;
  const digits: { digit: number; at: number; frames: number }[] = [];
  for (let at = 0; at + frame <= samples.length; at += frame) {
    const digit = digitIn(samples.subarray(at, at + frame));
    const last = digits.at(-1);
    if (digit === null) continue;
    // Two equal digits make one tone of double length.
    if (last?.digit === digit && last.at + last.frames * frame === at && last.frames < TONE_S * 50)
      last.frames++;
    else digits.push({ digit, at, frames: 1 });
  }
  const tones = digits.filter(({ frames }) => frames >= 4);
  return Array.from({ length: Math.floor(tones.length / 2) }, (_, word) => {
    const [high, low] = [tones[2 * word], tones[2 * word + 1]];
    return {
      text: `w${16 * (high?.digit ?? 0) + (low?.digit ?? 0)}`,
      start_s: (high?.at ?? 0) / RATE,
    };
  });
}

/** The digit whose tone fills a frame, by the power at its frequency (Goertzel); null for anything else. */
function digitIn(frame: Int16Array): number | null {
  let energy = 0;
  for (const sample of frame) energy += sample * sample;
  if (energy / frame.length < (32_767 * AMPLITUDE * 0.3) ** 2) return null;
  let best = { digit: 0, power: 0 };
  for (let digit = 0; digit < 16; digit++) {
    const turn = 2 * Math.cos((2 * Math.PI * hertz(digit)) / RATE);
    let [one, two] = [0, 0];
    for (const sample of frame) {
      const next = sample + turn * one - two;
      two = one;
      one = next;
    }
    const power = one * one + two * two - turn * one * two;
    if (power > best.power) best = { digit, power };
  }
  return best.digit;
}

/** What a transcription server measured in one request. */
export interface SeenSound {
  seconds: number;
  /** Length of the longest stretch without a tone. */
  silent_s: number;
}

/** Measures the sound of a request to a transcription server. */
export function soundOf({ audios }: SeenRequest): { samples: Int16Array } & SeenSound {
  const wav = audios[0] ?? Buffer.alloc(HEADER_BYTES);
  const samples = new Int16Array(Uint8Array.from(wav.subarray(HEADER_BYTES)).buffer);
  const loud = 32_767 * AMPLITUDE * 0.1;
  let [longest, since] = [0, 0];
  for (let at = 0; at < samples.length; at++) {
    if (Math.abs(samples[at] ?? 0) > loud) since = at;
    else if (at - since > longest) longest = at - since;
  }
  return { samples, seconds: samples.length / RATE, silent_s: longest / RATE };
}

/**
 * A server that transcribes tones. `detail`: times of segments, of words too, or none. Segments are sentences; a pause
 * that the client has left out does not end one.
 */
export function toneServer(
  detail: "words" | "segments" | "none",
  more: (request: SeenRequest) => Reply = () => ({}),
): Script {
  return (request) => {
    if (request.kind !== "transcription") return { text: "" };
    const refusal = more(request);
    if (refusal.status !== undefined) return refusal;
    const words = wordsIn(soundOf(request).samples);
    const text = words.map((word) => word.text).join(" ");
    if (detail === "none") return { ...refusal, text };
    const sentences: ToneWord[][] = [];
    for (const word of words) {
      const before = sentences.at(-1)?.at(-1);
      if (before !== undefined && word.start_s - before.start_s < WORD_S + 0.39)
        sentences.at(-1)?.push(word);
      else sentences.push([word]);
    }
    return {
      ...refusal,
      text,
      segments: sentences.map((sentence) => ({
        start: sentence[0]?.start_s ?? 0,
        end: (sentence.at(-1)?.start_s ?? 0) + WORD_S,
        text: sentence.map((word) => word.text).join(" "),
        avg_logprob: -0.2,
      })),
      ...(detail === "words"
        ? {
            words: words.map(({ text: word, start_s }) => ({
              ...{ word, start: start_s, end: start_s + WORD_S },
            })),
          }
        : {}),
    };
  };
}
