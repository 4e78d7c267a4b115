import { inputArgs, runFfmpeg } from "./run-ffmpeg.ts";

/** Samples per second that speech recognisers are trained on and that all their servers read. */
const RATE = 16_000;
const BYTES_A_SAMPLE = 2;
const HEADER_BYTES = 44;
/** Fills a late start and gaps with silence, so that positions in the sound equal times in the video. */
const FILL_GAPS = "aresample=async=1:first_pts=0";

export interface SoundPiece {
  /** Index of the audio stream among all streams of the file. */
  stream: number;
  from_s: number;
  to_s: number;
  signal?: AbortSignal;
}

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
export async function readSound(path: string, piece: SoundPiece): Promise<Sound> {
  const { stream, from_s, to_s, signal } = piece;
  const { stdout } = await runFfmpeg(
    [
      ...["-ss", String(from_s), "-t", String(to_s - from_s), ...inputArgs(path)],
      ...["-map", `0:${stream}`, "-af", FILL_GAPS, "-ac", "1", "-ar", String(RATE)],
      ...["-f", "s16le", "pipe:1"],
    ],
    { signal },
  );
  const bytes = Buffer.concat([wavHeader(stdout.length), stdout]);
  return { bytes, seconds: stdout.length / (RATE * BYTES_A_SAMPLE) };
}

/** Bit rates of MPEG-2 layer III with 16,000 samples per second, in kilobits per second, best first. */
export const MP3_KBPS = [64, 48, 32, 24, 16] as const;

/**
 * Reads the same segment as MP3: one channel, 16,000 samples per second, at a constant bit rate.
 * Throws as `readSound`.
 */
export async function readMp3(
  path: string,
  { stream, from_s, to_s, signal, kbps }: SoundPiece & { kbps: number },
): Promise<Uint8Array> {
  const { stdout } = await runFfmpeg(
    [
      ...["-ss", String(from_s), "-t", String(to_s - from_s), ...inputArgs(path)],
      ...["-map", `0:${stream}`, "-af", FILL_GAPS, "-ac", "1", "-ar", String(RATE)],
      ...["-c:a", "libmp3lame", "-b:a", `${kbps}k`, "-map_metadata", "-1", "-id3v2_version", "0"],
      ...["-write_xing", "0", "-f", "mp3", "pipe:1"],
    ],
    { signal },
  );
  return stdout;
}

/** Size in bytes of a WAV file of `readSound`. */
export function wavBytes(seconds: number): number {
  return HEADER_BYTES + Math.ceil(seconds * RATE) * BYTES_A_SAMPLE;
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
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * BYTES_A_SAMPLE, 28);
  header.writeUInt16LE(BYTES_A_SAMPLE, 32);
  header.writeUInt16LE(BYTES_A_SAMPLE * 8, 34);
  header.write("data", 36);
  header.writeUInt32LE(length, 40);
  return header;
}
