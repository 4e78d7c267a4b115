import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { Evidence } from "../../../src/core/shapes.ts";
import { compose, type Shape } from "../../../src/media/compose.ts";
import { everyFrameArgs, inputArgs, runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { readText } from "../../../tools/text/read-text.ts";
import { scanVideo } from "../../../tools/video/scan.ts";
import { detectShots } from "../../../tools/video/shots.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { tempFolder } from "../../support/temp.ts";

afterAll(closeOcr);

const FPS = 10;

/** Four slides: a title, a bullet that comes after two seconds, another slide, the first again. */
async function lecture(): Promise<string> {
  const file = join(await tempFolder(), "lecture.mp4");
  const words = (text: string, y: number, size = 0.07): Shape => ({
    draw: "text",
    text,
    x: 0.08,
    y,
    size,
    anchor: "left",
    colour: "black",
  });
  const title = words("Photosynthesis", 0.15, 0.1);
  const first = words("Plants turn light into sugar", 0.4);
  const second = words("Water enters through the roots", 0.6);
  const slide = (duration_s: number, ...shapes: Shape[]) =>
    ({ kind: "picture", picture: { background: "white", shapes }, duration_s }) as const;
  await compose(
    {
      width: 640,
      height: 360,
      fps: FPS,
      silent: true,
      segments: [
        slide(2, title, first),
        slide(2.5, title, first, second),
        { kind: "card", text: "Questions welcome", duration_s: 2 },
        slide(0.2, words("too short to be read", 0.5)),
        slide(2, title, first),
      ],
    },
    file,
  );
  return file;
}

const file = await lecture();
const spans = (items: Evidence[]) =>
  items.map(({ text, start_s, end_s }) => [
    text,
    Math.round(start_s * 100) / 100,
    Math.round(end_s * 100) / 100,
  ]);

test("each text lasts from the frame where it appears to the frame where it disappears, a title over two slides once", async () => {
  const store = await openStore(await tempFolder());
  const work = { store, run: "text" };
  const video = await openVideo(file, work);
  const items = await readText(video, {}, work);
  expect(spans(items)).toEqual([
    ["Photosynthesis", 0, 4.5],
    ["Plants turn light into sugar", 0, 4.5],
    ["Water enters through the roots", 2, 4.5],
    ["Questions welcome", 4.5, 6.5],
    ["Photosynthesis", 6.7, 8.7],
    ["Plants turn light into sugar", 6.7, 8.7],
  ]);
  for (const item of items) {
    expect(item).toMatchObject({
      video: video.hash,
      kind: "text",
      by: { who: "tool", name: "tesseract" },
      frame: { video: video.hash, width: 640, height: 360 },
    });
    expect(item.confidence).toBeGreaterThan(0.8);
    expect(item.frame?.t_s).toBeGreaterThanOrEqual(item.start_s);
    expect(item.frame?.t_s).toBeLessThan(item.end_s);
  }
  const bullet = items[2]?.box;
  expect(Math.abs((bullet?.x ?? 0) - 0.08 * 640)).toBeLessThan(6);
  expect(Math.abs((bullet?.y ?? 0) + (bullet?.height ?? 0) / 2 - 0.6 * 360)).toBeLessThan(8);

  let asked = 0;
  const again = await readText(video, {}, { ...work, run: "later", progress: () => asked++ });
  expect(again).toEqual(items);
  expect(asked).toBe(0);
  await store.close();
});

test.for([
  ["a last frame that stays", "lt(n,20)+eq(n,50)", "gif", ["-final_delay", "500"], 2, 7],
  ["a last slide as short as a frame", "eq(n,0)+eq(n,50)", "mp4", [], 5, 5.1],
] as const)(
  "%s is read, until the end of the film",
  async ([, kept, type, more, start_s, end_s]) => {
    const held = join(await tempFolder(), `held.${type}`);
    const times = type === "gif" ? ",setpts=N/10/TB" : "";
    const filter = ["-vf", `select='${kept}'${times}`, ...(await everyFrameArgs())];
    await runFfmpeg([...inputArgs(file), ...filter, ...more, "-y", held]);
    const store = await openStore(await tempFolder());
    const work = { store, run: "held" };
    const video = await openVideo(held, work);
    expect(spans(await readText(video, {}, work)).at(-1)).toEqual([
      "Questions welcome",
      start_s,
      end_s,
    ]);
    const shot = (await detectShots(video, work)).at(-1);
    expect(shot?.end_s).toBeCloseTo(end_s, 3);
    await store.close();
  },
);

test("cards are told apart where the rest of the film moves", async () => {
  const film = join(await tempFolder(), "cards.mp4");
  const scene = {
    kind: "picture",
    duration_s: 4,
    picture: (t_s: number) => ({
      background: "#dfe8ee",
      shapes: [0.3, 0.4, 0.5, 0.6].map((x, i): Shape => {
        const y = 0.45 + 0.04 * Math.sin(9 * t_s + i);
        return { draw: "circle", x: x + 0.05, y, radius: 0.05, fill: "#a9845b" };
      }),
    }),
  } as const;
  const card = (text: string) => ({ kind: "card", text, duration_s: 1 }) as const;
  const segments = [scene, card("Clip 3"), scene, card("Clip 5")];
  await compose({ width: 640, height: 360, fps: FPS, silent: true, segments }, film);
  const store = await openStore(await tempFolder());
  const job = { store, run: "cards" };
  const items = await readText(await openVideo(film, job), {}, job);
  expect(spans(items)).toEqual([
    ["Clip 3", 4, 5],
    ["Clip 5", 9, 10],
  ]);
  await store.close();
});

test("lines below the given confidence are left out", async () => {
  const store = await openStore(await tempFolder());
  const work = { store, run: "text" };
  const items = await readText(await openVideo(file, work), { min_confidence: 1 }, work);
  expect(items).toEqual([]);
  await store.close();
});

test("a setting out of range and an abort are failures", async () => {
  const store = await openStore(await tempFolder());
  const work = { store, run: "text" };
  const video = await openVideo(file, work);
  await expect(readText(video, { max_side: 3 }, work)).rejects.toMatchObject({
    kind: "wrong-usage",
  });
  await expect(
    readText(video, {}, { ...work, signal: AbortSignal.timeout(1) }),
  ).rejects.toMatchObject({ name: expect.stringMatching(/Failure|AbortError/) });
  await store.close();
});

test("a film that is gone when its pictures are to be read is one failure, which the caller gets", async () => {
  const store = await openStore(await tempFolder());
  const job = { store, run: "test" };
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    const video = await openVideo(file, job);
    await scanVideo(video, job);
    const gone = { ...video, path: join(await tempFolder(), "gone.mp4") };
    await expect(readText(gone, {}, job)).rejects.toMatchObject({ name: "Failure" });
    await setImmediate();
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
    await store.close();
  }
});

test("captions that follow each other all the time are each read at their own frames", async () => {
  const said = [
    "We walked to the market",
    "and bought some bread",
    "then it began to rain",
    "so we took the bus",
    "which came quite late",
    "and drank some tea",
    "before going to bed",
    "and slept very well",
  ];
  const film = join(await tempFolder(), "captions.mp4");
  await compose(
    {
      ...{ width: 640, height: 360, fps: FPS, silent: true },
      segments: said.map((text) => ({
        kind: "picture",
        duration_s: 1.5,
        picture: {
          background: "#203040",
          shapes: [{ draw: "text", text, x: 0.5, y: 0.85, size: 0.1, colour: "white" }],
        },
      })),
    },
    film,
  );
  const work = { store: await openStore(await tempFolder()), run: "captions" };
  const video = await openVideo(film, work);
  const items = await readText(video, {}, work);
  expect(spans(items)).toEqual(said.map((text, n) => [text, 1.5 * n, 1.5 * (n + 1)]));
  for (const { frame, start_s, end_s } of items) {
    expect(frame?.t_s).toBeGreaterThanOrEqual(start_s);
    expect(frame?.t_s).toBeLessThan(end_s);
  }
});
