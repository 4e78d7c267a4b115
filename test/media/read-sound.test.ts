import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { findFfmpeg } from "../../src/media/find-ffmpeg.ts";
import { readSound } from "../../src/media/read-sound.ts";
import { tempFolder } from "../support/temp.ts";

let video: string;

/** Four seconds of picture; a tone from the second on. */
beforeAll(async () => {
  video = join(await tempFolder(), "late.mkv");
  const { ffmpeg } = await findFfmpeg();
  await promisify(execFile)(ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", "color=size=64x48:rate=10:duration=4"],
    ...["-itsoffset", "2", "-f", "lavfi", "-i", "sine=duration=2:sample_rate=44100"],
    ...["-map", "0", "-map", "1", "-c:v", "mpeg4", "-c:a", "flac", video],
  ]);
});

/** Whether each half second sounds. */
function loudness(bytes: Uint8Array): boolean[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + 44, bytes.byteLength - 44);
  return Array.from({ length: Math.round(view.byteLength / 16_000) }, (_, half) => {
    let peak = 0;
    for (
      let at = half * 16_000 + 1600;
      at < Math.min((half + 1) * 16_000, view.byteLength) - 1600;
      at += 2
    )
      peak = Math.max(peak, Math.abs(view.getInt16(at, true)));
    return peak > 100;
  });
}

test("a sound that begins late is silent until then", async () => {
  const { bytes, seconds } = await readSound(video, { stream: 1, from_s: 0, to_s: 10 });
  expect(seconds).toBeCloseTo(4, 1);
  expect(loudness(bytes)).toEqual([false, false, false, false, true, true, true, true]);
});

test("a part of it begins where it was asked to", async () => {
  const { bytes, seconds } = await readSound(video, { stream: 1, from_s: 1.5, to_s: 3 });
  expect(seconds).toBeCloseTo(1.5, 1);
  expect(loudness(bytes)).toEqual([false, true, true]);
});

test("is a WAV file whose header tells its length; nothing past the end", async () => {
  const { bytes } = await readSound(video, { stream: 1, from_s: 2, to_s: 3 });
  const view = Buffer.from(bytes);
  expect(view.toString("latin1", 0, 4) + view.toString("latin1", 8, 12)).toBe("RIFFWAVE");
  expect(view.readUInt32LE(4)).toBe(bytes.length - 8);
  expect(view.readUInt32LE(24)).toBe(16_000);
  expect(view.readUInt32LE(40)).toBe(bytes.length - 44);
  const past = await readSound(video, { stream: 1, from_s: 9, to_s: 10 });
  expect(past.seconds).toBe(0);
});
