import { runFfmpeg } from "./run-ffmpeg.ts";
import { type SoundPiece, type SoundSource, soundInput } from "./sound-input.ts";

/** Samples per second that speech recognisers are trained on and that all their servers read. */
export const SOUND_RATE = 16_000;
const BYTES_A_SAMPLE = 2;
const HEADER_BYTES = 44;

export interface Sound {
  /** A WAV file: one channel, 16,000 samples per second, 16 bits. */
  bytes: Uint8Array;
  /** Length in seconds, which may be less than requested; 0 if the sound had ended. */
  seconds: number;
}

/**
 * Reads a segment of a video's sound. Seconds count from the start of the container.
 * Throws `Failure`: `damaged`, `media-limit`, `cancelled`.
 */
export async function readSound(
  path: string,
  source: SoundSource,
  piece: SoundPiece,
): Promise<Sound> {
  const args = await soundArgs(path, source, piece);
  const { stdout } = await runFfmpeg([...args, ...RAW], { signal: piece.signal });
  const bytes = Buffer.concat([wavHeader(stdout.length), stdout]);
  return { bytes, seconds: stdout.length / (SOUND_RATE * BYTES_A_SAMPLE) };
}

/**
 * Decodes a segment of a video's sound without keeping it: passes on chunks of samples (one channel, 16,000 a second,
 * signed) as they are decoded. The decoder waits for a promise that `onSamples` returns.
 * Throws as `readSound`.
 */
export async function streamSound(
  path: string,
  source: SoundSource,
  piece: SoundPiece,
  onSamples: (samples: Int16Array) => unknown,
): Promise<void> {
  let odd: Buffer | undefined;
  const args = await soundArgs(path, source, piece);
  await runFfmpeg([...args, ...RAW], {
    signal: piece.signal,
    onStdout: (chunk) => {
      const bytes = odd === undefined ? chunk : Buffer.concat([odd, chunk]);
      const whole = bytes.length - (bytes.length % BYTES_A_SAMPLE);
      odd = whole < bytes.length ? Buffer.from(bytes.subarray(whole)) : undefined;
      // Copied, because samples have to begin at an even address.
      return onSamples(new Int16Array(Uint8Array.from(bytes.subarray(0, whole)).buffer));
    },
  });
}

/** Samples without a header. */
const RAW = ["-f", "s16le", "pipe:1"];

/** Reads a segment as one channel with 16,000 samples per second. */
async function soundArgs(path: string, source: SoundSource, piece: SoundPiece): Promise<string[]> {
  const input = await soundInput(path, source, piece);
  return [...input, "-ac", "1", "-ar", String(SOUND_RATE)];
}

/**
 * Reads ranges of a video's sound, joined without what is between them. The result is shorter than the ranges if the
 * sound has ended. Throws as `readSound`.
 */
export async function readSoundRanges(
  path: string,
  source: SoundSource,
  ranges: readonly { from_s: number; to_s: number }[],
  { stream, signal }: Pick<SoundPiece, "stream" | "signal">,
): Promise<Sound> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return { bytes: wavHeader(0), seconds: 0 };
  const spans = ranges.map(({ from_s, to_s }) => [
    sampleAt(from_s - first.from_s),
    sampleAt(to_s - first.from_s),
  ]);
  const samples = new Int16Array(spans.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0));
  let at = 0;
  let filled = 0;
  const span = { stream, from_s: first.from_s, to_s: last.to_s, signal };
  await streamSound(path, source, span, (chunk) => {
    for (const [from = 0, to = 0] of spans) {
      const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
      if (part.length === 0 || filled + part.length > samples.length) continue;
      samples.set(part, filled);
      filled += part.length;
    }
    at += chunk.length;
  });
  const sound = new Uint8Array(samples.buffer, 0, filled * BYTES_A_SAMPLE);
  return { bytes: Buffer.concat([wavHeader(sound.length), sound]), seconds: filled / SOUND_RATE };
}

function sampleAt(seconds: number): number {
  return Math.round(seconds * SOUND_RATE);
}

/** Bit rates of MPEG-2 layer III with 16,000 samples per second, in kilobits per second, best first. */
export const MP3_KBPS = [64, 48, 32, 24, 16] as const;

/**
 * Reads the same segment as MP3: one channel, 16,000 samples per second, at a constant bit rate.
 * Throws as `readSound`.
 */
export async function readMp3(
  path: string,
  source: SoundSource,
  { kbps, ...piece }: SoundPiece & { kbps: number },
): Promise<Uint8Array> {
  const { stdout } = await runFfmpeg(
    [
      ...(await soundArgs(path, source, piece)),
      ...["-c:a", "libmp3lame", "-b:a", `${kbps}k`, "-map_metadata", "-1", "-id3v2_version", "0"],
      ...["-write_xing", "0", "-f", "mp3", "pipe:1"],
    ],
    { signal: piece.signal },
  );
  return stdout;
}

/** Size in bytes of a WAV file of `readSound`. */
export function wavBytes(seconds: number): number {
  return HEADER_BYTES + Math.ceil(seconds * SOUND_RATE) * BYTES_A_SAMPLE;
}

/** Written here because ffmpeg cannot seek back in a pipe to fill in the sizes. */
function wavHeader(length: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SOUND_RATE, 24);
  header.writeUInt32LE(SOUND_RATE * BYTES_A_SAMPLE, 28);
  header.writeUInt16LE(BYTES_A_SAMPLE, 32);
  header.writeUInt16LE(BYTES_A_SAMPLE * 8, 34);
  header.write("data", 36);
  header.writeUInt32LE(length, 40);
  return header;
}
