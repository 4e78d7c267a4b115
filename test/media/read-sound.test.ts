import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { findFfmpeg } from "../../src/media/find-ffmpeg.ts";
import { inspect, type Probe, probe } from "../../src/media/probe.ts";
import { readSound, readSoundRanges } from "../../src/media/read-sound.ts";
import { soundCut } from "../../src/media/sound-input.ts";
import { isRecentFfmpeg, readable } from "../support/ffmpeg-build.ts";
import { tempFolder } from "../support/temp.ts";
import { makeTones, toneAt } from "../support/tones.ts";

let video: string;
let source: Probe;

/** Four seconds of picture; a tone from the second on. */
beforeAll(async () => {
  video = join(await tempFolder(), "late.mkv");
  const { ffmpeg } = await findFfmpeg();
  await promisify(execFile)(ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", "color=size=64x48:rate=10:duration=4"],
    ...["-itsoffset", "2", "-f", "lavfi", "-i", "sine=duration=2:sample_rate=44100"],
    ...["-map", "0", "-map", "1", "-c:v", "mpeg4", "-c:a", "flac", video],
  ]);
  source = await probe(video);
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
  const { bytes, seconds } = await readSound(video, source, { stream: 1, from_s: 0, to_s: 10 });
  expect(seconds).toBeCloseTo(4, 1);
  expect(loudness(bytes)).toEqual([false, false, false, false, true, true, true, true]);
});

test("a part of it begins where it was asked to", async () => {
  const { bytes, seconds } = await readSound(video, source, { stream: 1, from_s: 1.5, to_s: 3 });
  expect(seconds).toBeCloseTo(1.5, 1);
  expect(loudness(bytes)).toEqual([false, true, true]);
});

test("is a WAV file whose header tells its length; nothing past the end", async () => {
  const { bytes } = await readSound(video, source, { stream: 1, from_s: 2, to_s: 3 });
  const view = Buffer.from(bytes);
  expect(view.toString("latin1", 0, 4) + view.toString("latin1", 8, 12)).toBe("RIFFWAVE");
  expect(view.readUInt32LE(4)).toBe(bytes.length - 8);
  expect(view.readUInt32LE(24)).toBe(16_000);
  expect(view.readUInt32LE(40)).toBe(bytes.length - 44);
  const past = await readSound(video, source, { stream: 1, from_s: 9, to_s: 10 });
  expect(past.seconds).toBe(0);
});

/** Sounds whose picture has few key frames, or begins at 2 s. */
test.each(
  readable([
    { name: "sparse.flv", group: 200 },
    { name: "sparse.ts", group: 300 },
    { name: "sparse.mpg", group: 250 },
    { name: "sparse.mkv", group: 9999 },
    { name: "sparse.avi", group: 250 },
    { name: "late-picture.mp4", late_s: 2 },
    { name: "late-picture.mkv", late_s: 2 },
    { name: "late-picture.flv", late_s: 2 },
    { name: "late-picture.ts", late_s: 2 },
  ]),
)("$name: sound is at its time, before the first key frame too", async (spec) => {
  const path = await makeTones(await tempFolder(), spec);
  const { probe } = await inspect(path);
  const stream = probe.audio[0]?.index ?? -1;
  if (spec.late_s !== undefined) expect(probe.video?.start_s).toBeCloseTo(spec.late_s, 1);
  for (const from_s of [0, 1, 3, 10]) {
    const to_s = from_s + 3;
    const { bytes, seconds } = await readSound(path, probe, { stream, from_s, to_s });
    expect(seconds).toBe(3);
    const samples = new Int16Array(bytes.slice(44).buffer);
    const tones = [0.4, 1.4, 2.4].map((at_s) => toneAt(samples, at_s));
    for (const [second, hertz] of tones.entries())
      expect(Math.abs(hertz - (400 + 200 * (from_s + second)))).toBeLessThanOrEqual(20);
  }
});

test.runIf(isRecentFfmpeg)("ranges far apart are joined from their own times", async () => {
  const path = await makeTones(await tempFolder(), { name: "ranges.ts", group: 300 });
  const { probe } = await inspect(path);
  const stream = probe.audio[0]?.index ?? -1;
  const ranges = [
    { from_s: 4, to_s: 5 },
    { from_s: 9, to_s: 10 },
  ];
  const { bytes } = await readSoundRanges(path, probe, ranges, { stream });
  const samples = new Int16Array(bytes.slice(44).buffer);
  expect([0.4, 1.4].map((at_s) => toneAt(samples, at_s) / 100).map(Math.round)).toEqual([12, 22]);
});

test.each([
  ["mov,mp4,m4a,3gp,3g2,mj2", 0, 1, []],
  ["matroska,webm", 0.04, 1, []],
  ["mov,mp4,m4a,3gp,3g2,mj2", 0, 2, [2, 2]],
  ["matroska,webm", 2, 1, [2, 1]],
  ["flv", 0, 1, [2, 1]],
  ["mpegts", 0, 1, [2, 1]],
])(
  "sound of %s with pictures from %d s, stream %d, is cut as %j",
  (container, late_s, stream, cut) => {
    const [first] = source.audio;
    const audio = [1, 2].map((index) => ({ ...(first as NonNullable<typeof first>), index }));
    const { video: pictures } = source;
    const late = { ...(pictures as NonNullable<typeof pictures>), start_s: late_s };
    expect(soundCut({ container, video: late, audio }, stream)).toEqual(cut);
    expect(soundCut({ container, video: null, audio }, 1)).toEqual(
      /^(mov|matroska)/.test(container) ? [] : [2, 1],
    );
  },
);
