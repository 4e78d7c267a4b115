import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { drawPicture } from "../../src/media/compose/picture.ts";
import {
  barChart,
  type ComposeSpec,
  compose,
  type PictureSegment,
  type Segment,
} from "../../src/media/compose.ts";
import { extractAudio } from "../../src/media/cut.ts";
import { decodeFrames } from "../../src/media/decode.ts";
import { inspect } from "../../src/media/probe.ts";
import { scene } from "../support/card-sets.ts";
import { tempFolder } from "../support/temp.ts";

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});

const plain = (background: string, duration_s: number): PictureSegment => ({
  kind: "picture",
  duration_s,
  picture: { background, shapes: [] },
});

const small = { width: 160, height: 90, fps: 25 };

/** Mean red, green and blue of the frame on screen at each time. */
async function coloursAt(file: string, times_s: number[]): Promise<number[][]> {
  const { probe, table } = await inspect(file);
  if (table === null) throw new Error("no pictures");
  const frames = await decodeFrames(file, probe, table, times_s, {
    max_side: null,
    max_area: null,
    quality: 95,
  });
  return Promise.all(
    frames.map(async ({ jpeg }) =>
      (await sharp(jpeg).stats()).channels.slice(0, 3).map((channel) => Math.round(channel.mean)),
    ),
  );
}

function near(colour: number[] | undefined, expected: number[]): void {
  for (const [i, value] of expected.entries())
    expect(Math.abs((colour?.[i] ?? -99) - value)).toBeLessThan(8);
}

test("segments stand where the result says, to the frame", async () => {
  const file = join(folder, "colours.mp4");
  const segments = [plain("#ff0000", 0.5), plain("#00ff00", 0.73), plain("#0000ff", 0.01)];
  const made = await compose({ ...small, segments }, file);
  expect(made).toEqual({
    segments: [
      { kind: "picture", start_s: 0, end_s: 0.52, frames: 13 },
      { kind: "picture", start_s: 0.52, end_s: 1.24, frames: 18 },
      { kind: "picture", start_s: 1.24, end_s: 1.28, frames: 1 },
    ],
    duration_s: 1.28,
  });
  const { probe } = await inspect(file);
  expect(probe.video).toMatchObject({ codec: "h264", frames: 32, fps: 25, width: 160, height: 90 });
  const colours = await coloursAt(file, [0.48, 0.52, 1.2, 1.24]);
  near(colours[0], [255, 0, 0]);
  near(colours[1], [0, 255, 0]);
  near(colours[2], [0, 255, 0]);
  near(colours[3], [0, 0, 255]);
});

test("parts of another video keep their frames and their sound, and get bars", async () => {
  const source = join(folder, "source.mp4");
  const loud: Segment = { ...plain("#ffff00", 1), sound: {} };
  await compose(
    { ...small, fps: 30, segments: [plain("#ff00ff", 1), loud, plain("white", 1)] },
    source,
  );
  const file = join(folder, "parts.mp4");
  const part = { kind: "clip", file: source } as const;
  const made = await compose(
    {
      width: 90,
      height: 160,
      fps: 25,
      segments: [
        { ...part, from_s: 0.8, to_s: 1.4, sound: true },
        { ...part, from_s: 1.2, to_s: 1.6 },
      ],
    },
    file,
  );
  expect(made.segments.map((segment) => segment.frames)).toEqual([15, 10]);
  const { probe } = await inspect(file);
  expect(probe.video?.frames).toBe(25);
  const [before, after] = await coloursAt(file, [0.16, 0.2]);
  // 90x50 of picture between bars: a third of the frame.
  near(before, [80, 0, 80]);
  near(after, [80, 80, 0]);
  const wav = join(folder, "parts.wav");
  const rate = 16_000;
  await extractAudio(file, probe, { from_s: 0, to_s: 1, sample_rate: rate, channels: 1 }, wav);
  const bytes = await readFile(wav);
  const samples = bytes.subarray(bytes.indexOf("data") + 8);
  const peak = (from_s: number, to_s: number) => {
    let most = 0;
    for (let i = Math.round(from_s * rate); i < to_s * rate; i++)
      most = Math.max(most, Math.abs(samples.readInt16LE(i * 2)));
    return most;
  };
  expect(peak(0.02, 0.17)).toBeLessThan(300);
  expect(peak(0.25, 0.55)).toBeGreaterThan(3000);
  expect(peak(0.65, 0.95)).toBeLessThan(300);
});

test("subtitles are embedded, and written beside the video", async () => {
  const file = join(folder, "subtitled.mp4");
  const captions = [{ start_s: 0.1, end_s: 0.9, text: "First, the milk." }];
  const subtitles = { captions, where: "both", language: "eng" } as const;
  await compose({ ...small, silent: true, segments: [plain("white", 1)], subtitles }, file);
  const { probe } = await inspect(file);
  expect(probe.audio).toEqual([]);
  expect(probe.subtitles).toMatchObject([{ codec: "mov_text", kind: "text", language: "eng" }]);
  expect(await readFile(join(folder, "subtitled.srt"), "utf8")).toBe(
    "1\n00:00:00,100 --> 00:00:00,900\nFirst, the milk.\n\n",
  );
});

test("the same specification makes the same file, moving shapes and noise included", async () => {
  const spec: ComposeSpec = {
    ...small,
    segments: [
      { kind: "picture", duration_s: 0.4, picture: scene("a", 0.8), noise: 5, fade_in_s: 0.2 },
    ],
  };
  await compose(spec, join(folder, "one.mp4"));
  await compose(spec, join(folder, "two.mp4"));
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) => readFile(join(folder, `${name}.mp4`))),
  );
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true);
  const [first, last] = await coloursAt(join(folder, "one.mp4"), [0, 0.36]);
  expect(Math.max(...(first ?? []))).toBeLessThan(12);
  expect(Math.max(...(last ?? []))).toBeGreaterThan(60);
});

test("words and bars are drawn where they belong", async () => {
  const bars = barChart(
    [
      { label: "2019", value: 1 },
      { label: "2020", value: 4 },
    ],
    { x: 0.5, y: 0.2, width: 0.5, height: 0.6 },
  );
  const shapes = [
    ...bars,
    { draw: "text", text: "x² < 3 & y", x: 0.25, y: 0.5, size: 0.1 } as const,
  ];
  const pixels = await drawPicture({ background: "white", shapes }, 320, 180);
  const at = (x: number, y: number) => [
    ...pixels.subarray((y * 320 + x) * 3, (y * 320 + x) * 3 + 3),
  ];
  expect(at(280, 100)).toEqual([0x34, 0x65, 0xa4]);
  expect(at(200, 100)).toEqual([255, 255, 255]);
  let ink = 0;
  for (let y = 80; y < 100; y++)
    for (let x = 40; x < 120; x++) if ((at(x, y)[0] ?? 255) < 100) ink++;
  expect(ink).toBeGreaterThan(100);
  const wide = { draw: "text", text: "wider than the frame", x: 0.1, y: 1, size: 0.5 } as const;
  await expect(
    drawPicture({ background: "white", shapes: [wide] }, 320, 180),
  ).resolves.toBeDefined();
});

test.for([
  [
    { ...small, width: 161 },
    "Invalid side of a composed video 161: use an even number from 16 up.",
  ],
  [{ ...small, fps: 0 }, "Invalid frame rate of a composed video 0"],
  [{ ...small, segments: [] }, "use at least one"],
  [
    { ...small, segments: [plain("red", 0)] },
    "Invalid length of a segment 0 s: use more than 0 s.",
  ],
] as const)("what cannot be made is refused: %j", async ([spec, words]) => {
  const whole = { segments: [plain("red", 1)], ...spec };
  await expect(compose(whole, join(folder, "never.mp4"))).rejects.toMatchObject({
    kind: "wrong-usage",
    message: expect.stringContaining(words),
  });
});

test("a clip beyond the end of its source is refused, and leaves nothing behind", async () => {
  const source = join(folder, "short.mp4");
  await compose({ ...small, segments: [plain("white", 1)] }, source);
  const file = join(folder, "beyond.mp4");
  const segments: Segment[] = [{ kind: "clip", file: source, from_s: 0.5, to_s: 3 }];
  await expect(compose({ ...small, segments }, file)).rejects.toMatchObject({
    kind: "wrong-usage",
  });
  await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });
});

test("making a video stops when told to", async () => {
  const stop = new AbortController();
  const making = compose({ ...small, segments: [plain("white", 600)] }, join(folder, "long.mp4"), {
    signal: stop.signal,
    progress: () => stop.abort(),
  });
  await expect(making).rejects.toMatchObject({ kind: "cancelled" });
});
