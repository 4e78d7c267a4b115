import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { inputArgs, runFfmpeg, runFfprobe } from "../run-ffmpeg.ts";
import type { Segment } from "./spec.ts";

export const SAMPLE_RATE = 48_000;
const CHANNELS = 2;
const SAMPLE_BYTES = 2 * CHANNELS;
const BLOCK = SAMPLE_RATE / 10;
const LOUDNESS = 0.2;

/** Writes interleaved 16-bit PCM of all segments to a file, each exactly as long as its frames. */
export async function writeSound(
  parts: readonly { segment: Segment; start_s: number; end_s: number }[],
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const out = createWriteStream(file);
  const write = async (bytes: Uint8Array) => {
    if (!out.write(bytes)) await once(out, "drain");
  };
  try {
    for (const { segment, start_s, end_s } of parts) {
      // Counted from the whole, so that rounding does not add up over many segments.
      const samples = Math.round(end_s * SAMPLE_RATE) - Math.round(start_s * SAMPLE_RATE);
      if (segment.kind === "clip" && segment.sound === true)
        await writeSource(segment, samples, write, signal);
      else if (segment.kind !== "clip" && segment.sound !== undefined)
        await writeTone(segment.sound.frequency ?? 440, samples, write);
      else await writeSilence(samples, write);
    }
    out.end();
    await finished(out);
  } finally {
    out.destroy();
  }
}

type Write = (bytes: Uint8Array) => Promise<void>;

async function writeSilence(samples: number, write: Write): Promise<void> {
  const block = new Uint8Array(BLOCK * SAMPLE_BYTES);
  for (let left = samples; left > 0; left -= BLOCK)
    await write(block.subarray(0, Math.min(left, BLOCK) * SAMPLE_BYTES));
}

async function writeTone(frequency: number, samples: number, write: Write): Promise<void> {
  for (let from = 0; from < samples; from += BLOCK) {
    const count = Math.min(BLOCK, samples - from);
    const block = Buffer.alloc(count * SAMPLE_BYTES);
    for (let i = 0; i < count; i++) {
      const phase = (2 * Math.PI * frequency * (from + i)) / SAMPLE_RATE;
      const value = Math.round(LOUDNESS * 32767 * Math.sin(phase));
      block.writeInt16LE(value, i * SAMPLE_BYTES);
      block.writeInt16LE(value, i * SAMPLE_BYTES + 2);
    }
    await write(block);
  }
}

async function writeSource(
  clip: { file: string; from_s: number },
  samples: number,
  write: Write,
  signal?: AbortSignal,
): Promise<void> {
  const wanted = samples * SAMPLE_BYTES;
  let given = 0;
  if (await hasSound(clip.file, signal)) {
    const args = [
      ...["-ss", String(clip.from_s), "-t", String(samples / SAMPLE_RATE)],
      ...inputArgs(clip.file),
      ...["-map", "0:a:0", "-af", "aresample=async=1:first_pts=0"],
      ...["-ac", String(CHANNELS), "-ar", String(SAMPLE_RATE), "-f", "s16le", "pipe:1"],
    ];
    await runFfmpeg(args, {
      signal,
      onStdout: (chunk) => {
        const part = chunk.subarray(0, wanted - given);
        given += part.length;
        return write(part);
      },
    });
  }
  await writeSilence((wanted - given) / SAMPLE_BYTES, write);
}

async function hasSound(file: string, signal?: AbortSignal): Promise<boolean> {
  const { stdout } = await runFfprobe(
    [
      ...["-select_streams", "a", "-show_entries", "stream=index", "-of", "csv=p=0"],
      ...inputArgs(file),
    ],
    { signal },
  );
  return stdout.toString("utf8").trim() !== "";
}
