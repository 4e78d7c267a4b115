import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { compose, type Segment } from "../../src/media/compose.ts";
import { cutClip, extractAudio } from "../../src/media/cut.ts";
import { inspect } from "../../src/media/probe.ts";
import { everyFrameArgs } from "../../src/media/run-ffmpeg.ts";
import { makeClip } from "../support/clips.ts";
import { scanCodes } from "../support/codes.ts";
import { tempFolder } from "../support/temp.ts";

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});

/** The numbers drawn in the frames of a part, and the distances between its frames in milliseconds. */
async function cut(source: string, from_s: number, to_s: number, max_side: number | null = null) {
  const { probe } = await inspect(source);
  const file = join(folder, `cut ${from_s} ${to_s}.mp4`);
  await cutClip(source, probe, { from_s, to_s, max_side, sound: true }, file);
  const { probe: made, table } = await inspect(file);
  return { file, probe: made, times_s: [...(table?.pts_s ?? [])] };
}

test("a part has the frames that begin in it, no more and no less", async () => {
  const source = await makeClip(folder, "even.mp4", { frames: 100, rate: 30 });
  const { file, times_s } = await cut(source, 1, 1.5);
  expect(await scanCodes(file)).toEqual(Array.from({ length: 15 }, (_, i) => 30 + i));
  expect(times_s[0]).toBe(0);
  // Times as a frame table gives them: rounded, and between two frames.
  expect(await scanCodes((await cut(source, 31 / 30, 33 / 30)).file)).toEqual([31, 32]);
  expect(await scanCodes((await cut(source, 1.01, 1.06)).file)).toEqual([31]);
});

test("frames of a variable rate keep their distances", async () => {
  const source = await makeClip(folder, "uneven.mp4", {
    frames: 40,
    filter: "settb=1/1000,setpts='N*N*10'",
    encode: [
      "-c:v",
      "libx264",
      "-bf",
      "0",
      "-enc_time_base",
      "1:1000",
      ...(await everyFrameArgs()),
    ],
  });
  const { file, times_s } = await cut(source, 0.99, 2.6);
  expect(await scanCodes(file)).toEqual([10, 11, 12, 13, 14, 15, 16]);
  const steps = times_s.slice(1).map((time, i) => Math.round((time - (times_s[i] ?? 0)) * 1000));
  expect(steps).toEqual([210, 230, 250, 270, 290, 310]);
});

test("sound comes along, and alone as WAV of the asked length and rate", async () => {
  const source = join(folder, "sound.mp4");
  const white = { kind: "picture", picture: { background: "white", shapes: [] } } as const;
  const segments: Segment[] = [
    { ...white, duration_s: 1 },
    { ...white, duration_s: 1, sound: {} },
  ];
  await compose({ width: 320, height: 180, fps: 25, segments }, source);
  const part = await cut(source, 0.5, 1.5, 160);
  expect(part.probe.video).toMatchObject({ width: 160, height: 90, frames: 25 });
  expect(part.probe.audio).toMatchObject([{ codec: "aac" }]);
  expect((await stat(part.file)).size).toBeLessThan(60_000);
  const { probe } = await inspect(source);
  const wav = join(folder, "sound.wav");
  await extractAudio(
    source,
    probe,
    { from_s: 0.5, to_s: 1.5, sample_rate: 16_000, channels: 1 },
    wav,
  );
  const bytes = await readFile(wav);
  expect(bytes.readUInt32LE(24)).toBe(16_000);
  const samples = (bytes.length - bytes.indexOf("data") - 8) / 2;
  expect(Math.abs(samples - 16_000)).toBeLessThan(40);
  // A disk is no damage of the video.
  const sound = { from_s: 0, to_s: 1, sample_rate: 16_000, channels: 1 };
  if (process.platform === "linux")
    await expect(extractAudio(source, probe, sound, "/dev/full")).rejects.toMatchObject({
      kind: "disk-full",
      message: expect.stringMatching(/^The disk is full: ffmpeg .* sound\.mp4\. Free some space/),
    });
});

test("what is not there is refused by kind", async () => {
  const source = await makeClip(folder, "mute.mp4", { frames: 25 });
  const { probe } = await inspect(source);
  const sound = { from_s: 0, to_s: 1, sample_rate: 16_000, channels: 1 };
  await expect(extractAudio(source, probe, sound, join(folder, "no.wav"))).rejects.toMatchObject({
    kind: "no-audio",
  });
  for (const [from_s, to_s] of [
    [-1, 1],
    [0.5, 0.5],
    [9, 10],
  ] as const)
    await expect(
      cutClip(source, probe, { from_s, to_s, max_side: null, sound: true }, join(folder, "no.mp4")),
    ).rejects.toMatchObject({ kind: "wrong-usage" });
});
