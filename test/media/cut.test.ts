import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { compose, type Segment } from "../../src/media/compose.ts";
import { cutClip, extractAudio } from "../../src/media/cut.ts";
import { heldPicture } from "../../src/media/held-picture.ts";
import { inspect, type Probe } from "../../src/media/probe.ts";
import { everyFrameArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { makeClip } from "../support/clips.ts";
import { scanCodes } from "../support/codes.ts";
import { isRecentFfmpeg, readable } from "../support/ffmpeg-build.ts";
import { tempFolder } from "../support/temp.ts";
import { groupsOf, makeTones, toneAt } from "../support/tones.ts";

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});

const probes = new Map<string, Promise<Probe>>();

/** The probe of a source, which several parts are cut from. */
function probeOf(source: string): Promise<Probe> {
  const known = probes.get(source) ?? inspect(source).then(({ probe }) => probe);
  probes.set(source, known);
  return known;
}

/** Cuts a part of a film; returns its file. */
async function cut(source: string, from_s: number, to_s: number, max_side: number | null = null) {
  const file = join(folder, `cut ${from_s} ${to_s}.mp4`);
  const spec = { from_s, to_s, max_side, sound: true };
  await cutClip(source, await probeOf(source), spec, file);
  return file;
}

/** The times of the frames of a file, in seconds. */
async function timesOf(file: string): Promise<number[]> {
  const { table } = await inspect(file);
  return [...(table?.pts_s ?? [])];
}

test("a part has the frames that begin in it, no more and no less", async () => {
  const source = await makeClip(folder, "even.mp4", { frames: 100, rate: 30 });
  const file = await cut(source, 1, 1.5);
  expect(await scanCodes(file)).toEqual(Array.from({ length: 15 }, (_, i) => 30 + i));
  expect((await timesOf(file))[0]).toBe(0);
  // Times as a frame table gives them: rounded, and between two frames.
  expect(await scanCodes(await cut(source, 31 / 30, 33 / 30))).toEqual([31, 32]);
  expect(await scanCodes(await cut(source, 1.01, 1.06))).toEqual([31]);
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
  const file = await cut(source, 0.99, 2.6);
  const times_s = await timesOf(file);
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
  const { probe: made } = await inspect(part);
  expect(made.video).toMatchObject({ width: 160, height: 90, frames: 25 });
  expect(made.audio).toMatchObject([{ codec: "aac" }]);
  expect((await stat(part)).size).toBeLessThan(60_000);
  const probe = await probeOf(source);
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

/** Room for the number of a frame, and little more to encode. */
const SMALL = { width: 240, height: 64 };

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test.each(readable(["groups.ts", "groups.mpg", "groups.mkv", "groups.flv"]))(
  "%s: a part is complete though it begins between key frames",
  async (name) => {
    const encode = groupsOf(100, name);
    const source = await makeClip(folder, name, { ...SMALL, frames: 300, rate: 25, encode });
    const probe = await probeOf(source);
    if (/ts$|mpg$/.test(name)) expect(probe.origin_s).toBeGreaterThan(0.1);
    for (const [from_s, to_s] of [
      [3, 5],
      [5.6, 8],
      [8, 12],
    ] as const)
      expect(await scanCodes(await cut(source, from_s, to_s))).toEqual(
        range(Math.round(from_s * 25), Math.round(to_s * 25)),
      );
  },
);

test.runIf(isRecentFfmpeg)(
  "a part is complete if the key frame is further back than any seek, and after a gap in time",
  async () => {
    const once = groupsOf(9999, "once.ts");
    const source = await makeClip(folder, "once.ts", {
      ...SMALL,
      frames: 600,
      rate: 25,
      encode: once,
    });
    expect(await scanCodes(await cut(source, 20, 21))).toEqual(range(500, 525));
    const gap = await makeClip(folder, "gap.ts", {
      ...SMALL,
      frames: 200,
      rate: 25,
      filter: "setpts=PTS+gte(N\\,100)*20/TB",
      encode: [...groupsOf(50, "gap.ts"), ...(await everyFrameArgs())],
    });
    expect(await scanCodes(await cut(gap, 25, 26))).toEqual(range(125, 150));
  },
);

test("frames of a file whose time base is a frame are those in the part", async () => {
  const encode = ["-c:v", "mpeg4", "-q:v", "3", "-g", "50"];
  const source = await makeClip(folder, "coarse.avi", { ...SMALL, frames: 200, rate: 25, encode });
  const file = await cut(source, 5.5, 6.5);
  expect(await scanCodes(file)).toEqual(range(138, 163));
  expect(await timesOf(file)).toHaveLength(25);
});

/** The sound of a file: its samples in one channel, 16,000 a second. */
async function samplesOf(file: string): Promise<Int16Array> {
  const { stdout } = await runFfmpeg([
    ...["-i", file, "-map", "0:a", "-af", "aresample=async=1:first_pts=0"],
    ...["-ac", "1", "-ar", "16000", "-f", "s16le", "pipe:1"],
  ]);
  return new Int16Array(Uint8Array.from(stdout).buffer);
}

/** Seconds of a frame of AAC at 48 kHz. */
const AAC_FRAME_S = 1024 / 48_000;

test.each(readable(["tones.mp4", "tones.ts", "tones.mpg", "tones.mkv"]))(
  "%s: the sound of a part ends with its pictures",
  async (name) => {
    const source = await makeTones(folder, { name });
    for (const from_s of [0, 4, 7]) {
      const file = await cut(source, from_s, from_s + 4);
      const { probe: made } = await inspect(file);
      // The last frame begins within the part; if the sound of the file begins first, it ends up to a frame after it.
      const longest_s = 4 + (name === "tones.mp4" ? AAC_FRAME_S : 1 / 25) + 0.003;
      expect(made.duration_s).toBeLessThanOrEqual(longest_s);
      expect(made.claimed_duration_s).toBeLessThanOrEqual(longest_s);
      expect(made.video).toMatchObject({ frames: 100 });
      const samples = await samplesOf(file);
      // The encoder fills the last frame, and without an edit list the one before the first is heard.
      const frames = name === "tones.mp4" ? 1 : 2;
      expect(Math.abs(samples.length - 64_000)).toBeLessThanOrEqual(
        frames * AAC_FRAME_S * 16_000 + 1,
      );
      // The streams of a file may begin at slightly different times.
      for (const at_s of [0.2, 1.2, 2.2, 3.2, 3.6]) {
        const hertz = 400 + 200 * (from_s + Math.floor(at_s));
        expect(Math.abs(toneAt(samples, at_s) - hertz)).toBeLessThanOrEqual(20);
      }
    }
  },
  60_000,
);

test("sound that begins late or ends early is silent there, and a part without any has its pictures", async () => {
  const source = await makeTones(folder, { name: "middle.mkv", from_s: 5, to_s: 7 });
  const late = await samplesOf(await cut(source, 4, 8));
  expect(toneAt(late, 0.5)).toBe(0);
  expect(Math.abs(toneAt(late, 1.5) - 1400)).toBeLessThanOrEqual(20);
  expect(Math.abs(toneAt(late, 2.5) - 1600)).toBeLessThanOrEqual(20);
  for (const from_s of [0, 8]) {
    const { probe: made } = await inspect(await cut(source, from_s, from_s + 4));
    expect(made.video).toMatchObject({ frames: 100 });
    expect(made.duration_s).toBeCloseTo(4, 1);
  }
});

test.each(
  readable([
    { name: "wav.flv", group: 200 },
    { name: "wav.ts", group: 300 },
    { name: "wav.avi", group: 250 },
    { name: "wav-late.mp4", late_s: 2 },
  ]),
)("$name: a WAV has the sound of its times", async (spec) => {
  const source = await makeTones(folder, spec);
  const probe = await probeOf(source);
  const wav = join(folder, "part.wav");
  for (const from_s of [0, 1, 3, 10]) {
    const part = { from_s, to_s: from_s + 3, sample_rate: 16_000, channels: 1 };
    await extractAudio(source, probe, part, wav);
    const samples = await samplesOf(wav);
    expect(Math.abs(samples.length - 48_000)).toBeLessThanOrEqual(16);
    for (const second of [0, 1, 2]) {
      const hertz = toneAt(samples, second + 0.4);
      expect(Math.abs(hertz - (400 + 200 * (from_s + second)))).toBeLessThanOrEqual(20);
    }
  }
});

test("of several sounds the default one is cut, and the file says so", async () => {
  const source = join(folder, "tracks.mkv");
  await runFfmpeg([
    ...["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=3", "-f", "lavfi", "-i", "anullsrc"],
    ...["-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*t*800)':s=48000:d=3", "-map", "0:v"],
    ...["-map", "1:a", "-map", "2:a", "-disposition:a:0", "0", "-disposition:a:1", "default"],
    ...["-c:v", "mpeg4", "-c:a", "aac", "-shortest", "-y", source],
  ]);
  const { probe } = await inspect(source);
  expect(probe.audio.map((audio) => audio.default)).toEqual([false, true]);
  expect(probe.notes).toContain("The file has 2 sound streams; stream 2 is used.");
  const wav = join(folder, "tracks.wav");
  const part = { from_s: 0, to_s: 2, sample_rate: 16_000, channels: 1 };
  await extractAudio(source, probe, part, wav);
  expect(toneAt(await samplesOf(wav), 1)).toBe(800);
  expect(toneAt(await samplesOf(await cut(source, 0, 2)), 1)).toBe(800);
});

test("a file with sound only has no clip, and its sound is cut exactly", async () => {
  const source = join(folder, "only.mp3");
  await runFfmpeg([
    ...["-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*t*(400+200*floor(t)))':s=48000:d=6"],
    ...["-c:a", "libmp3lame", "-y", source],
  ]);
  const { probe } = await inspect(source);
  const clip = { from_s: 2, to_s: 4, max_side: null, sound: true };
  await expect(cutClip(source, probe, clip, join(folder, "no.mp4"))).rejects.toMatchObject({
    kind: "no-video",
  });
  const wav = join(folder, "only.wav");
  const sound = { from_s: 2, to_s: 4, sample_rate: 16_000, channels: 1 };
  await extractAudio(source, probe, sound, wav);
  const samples = await samplesOf(wav);
  expect(Math.abs(samples.length - 32_000)).toBeLessThan(40);
  expect(Math.abs(toneAt(samples, 1.5) - 1000)).toBeLessThanOrEqual(20);
});

/** The numbers of the frames of a film, each with the time at which it begins to be shown. Seconds. */
async function shownIn(file: string): Promise<[at_s: number, code: number][]> {
  const [codes, times_s] = await Promise.all([scanCodes(file), timesOf(file)]);
  return codes.flatMap((code, i) =>
    code === codes[i - 1] ? [] : [[Math.round((times_s[i] ?? 0) * 100) / 100, code] as const],
  ) as [number, number][];
}

/** Cuts a part that begins with the picture on screen, if that is held. */
async function cutHeld(source: string, from_s: number, to_s: number) {
  const file = join(folder, `held ${from_s} ${to_s}.mp4`);
  const { probe, table } = await inspect(source);
  const held_s = table === null ? null : heldPicture(table, { from_s, to_s });
  await cutClip(source, probe, { from_s, to_s, max_side: null, sound: true, held_s }, file);
  return { file, held_s };
}

test.each(readable(["slides.mp4", "slides.avi", "slides.ts"]))(
  "%s: a part of slides begins with the slide on screen, and ends with the last one",
  async (name) => {
    const encode = ["-c:v", "mpeg4", "-q:v", "3", "-g", "2"];
    const source = await makeClip(folder, name, { ...SMALL, frames: 4, rate: 0.1, encode });
    for (const [from_s, to_s, held_s, shown] of [
      [12, 14, 10, [[0, 1]]],
      [30.2, 30.9, 30, [[0, 3]]],
      [
        18,
        31,
        10,
        [
          [0, 1],
          [2, 2],
          [12, 3],
        ],
      ],
    ] as const) {
      const part = await cutHeld(source, from_s, to_s);
      expect(part.held_s).toBeCloseTo(held_s, 2);
      expect(await shownIn(part.file)).toEqual(shown);
      const { probe: made } = await inspect(part.file);
      expect(made.duration_s).toBeCloseTo(to_s - from_s, 1);
      expect(made.video?.end_s).toBeCloseTo(to_s - from_s, 1);
    }
  },
);

test("a part before the first picture or after the last shows it, with the sound of the part", async () => {
  const source = join(folder, "talk.mkv");
  const slides = await makeClip(folder, "talk.mp4", { ...SMALL, frames: 2, rate: 0.2 });
  await runFfmpeg([
    ...["-itsoffset", "5", "-i", slides, "-f", "lavfi"],
    ...["-i", "aevalsrc='0.5*sin(2*PI*t*(400+200*floor(t/10)))':s=48000:d=40"],
    ...["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", "-y", source],
  ]);
  for (const [from_s, to_s, code, hertz] of [
    [1, 4, 0, 400],
    [32, 35, 1, 1000],
  ] as const) {
    const { file } = await cutHeld(source, from_s, to_s);
    expect(await shownIn(file)).toEqual([[0, code]]);
    const samples = await samplesOf(file);
    expect(Math.abs(samples.length - 48_000)).toBeLessThanOrEqual(AAC_FRAME_S * 16_000 + 1);
    expect(Math.abs(toneAt(samples, 1.5) - hertz)).toBeLessThanOrEqual(20);
  }
});

test("a picture is held if the first of the part is late or missing, and not if the video begins in it", () => {
  const film = { pts_s: Float64Array.of(5, 6, 7, 17, 17.5, 30) };
  const heldIn = (from_s: number, to_s: number) => heldPicture(film, { from_s, to_s });
  expect(heldIn(6, 8)).toBeNull();
  expect(heldIn(6.1, 8)).toBeNull();
  expect(heldIn(6.0003, 8)).toBeNull();
  expect(heldIn(6.1, 6.9)).toBe(6);
  expect(heldIn(6.1, 7)).toBe(6);
  expect(heldIn(10, 20)).toBe(7);
  expect(heldIn(16, 18)).toBeNull();
  expect(heldIn(40, 50)).toBe(30);
  expect(heldIn(0, 4)).toBe(5);
  expect(heldIn(0, 6)).toBeNull();
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
