import { rm } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { compose, type Shape } from "../../../src/media/compose.ts";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { readImage } from "../../../tools/text/read-image.ts";
import { readTextAt } from "../../../tools/text/read-text-at.ts";
import { type SampleSpec, sampleFrames } from "../../../tools/video/frames.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import { zoomCrop } from "../../../tools/video/zoom.ts";
import { tempFolder } from "../../support/temp.ts";

const SIZE = { width: 1280, height: 720 };
/** Letters of 17 pixels on the film, of 3 on a small frame. */
const SIGN = { x: 0.7, y: 0.2, size: 0.024 };

let folder: string;
let store: Store;
let video: Video;
const work = () => ({ store, run: "look" });

beforeAll(async () => {
  folder = await tempFolder();
  store = await openStore(join(folder, "store"));
  const sign: Shape = { draw: "text", text: "Gate 47 Harlem", ...SIGN, colour: "black" };
  const plain = { background: "#e8e0d0", shapes: [] };
  await compose(
    {
      ...SIZE,
      fps: 5,
      silent: true,
      segments: [
        { kind: "picture", picture: plain, duration_s: 1 },
        { kind: "picture", picture: { ...plain, shapes: [sign] }, duration_s: 1 },
      ],
    },
    join(folder, "sign.mp4"),
  );
  video = await openVideo(join(folder, "sign.mp4"), work());
});
afterAll(async () => {
  await closeOcr();
  await store.close();
});

const AROUND_SIGN = { x: 0.58, y: 0.15, width: 0.25, height: 0.1 };

test("a zoom enlarges the part at the resolution of the film, so that hidden text can be read", async () => {
  const { frame, at_s, box, scale, note } = await zoomCrop(
    video,
    { at_s: 1.7, box: AROUND_SIGN },
    work(),
  );
  expect(at_s).toBe(1.6);
  expect(box).toEqual({ x: 742, y: 108, width: 321, height: 72 });
  expect(scale).toBeCloseTo(1024 / 321, 2);
  expect([frame.width, frame.height]).toEqual([1024, 230]);
  expect(note).toBeNull();
  const zoomed = await readImage(await store.blobs.read(frame.hash));
  expect(zoomed.map((line) => line.text)).toEqual(["Gate 47 Harlem"]);

  const small = {
    sampler: "times",
    times_s: [1.7],
    max_side: 256,
    max_area: null,
    quality: 85,
  } satisfies SampleSpec;
  const [whole] = await sampleFrames(video, small, work());
  const shown = await readImage(await store.blobs.read(whole?.hash ?? ""));
  expect(shown.map((line) => line.text).join(" ")).not.toContain("Gate 47 Harlem");
});

test("the pixels are those of the film: without enlargement a part keeps its size and colours", async () => {
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const full = await zoomCrop(video, { at_s: 1.7, box: whole, max_side: 4096 }, work());
  const odd = { x: 701, y: 121, width: 301, height: 57 };
  const part = await zoomCrop(video, { at_s: 1.7, box: odd, max_side: 301 }, work());
  expect([part.frame.width, part.frame.height, part.scale]).toEqual([301, 57, 1]);
  const raw = (hash: string) => store.blobs.read(hash).then((bytes) => sharp(bytes).greyscale());
  const own = await (await raw(part.frame.hash)).raw().toBuffer();
  // The whole film frame is below `max_side` and comes four times as large.
  expect(full.scale).toBeCloseTo(4096 / 1280);
  const there = await (await raw(full.frame.hash))
    .resize(1280, 720)
    .extract({ left: odd.x, top: odd.y, width: odd.width, height: odd.height })
    .raw()
    .toBuffer();
  const mean = own.reduce((sum, grey, i) => sum + Math.abs(grey - (there[i] ?? 0)), 0) / own.length;
  expect(mean).toBeLessThan(3);
});

test("a box beyond the frame is cut with a note; one outside and a time after the end are refused", async () => {
  const out = await zoomCrop(
    video,
    { at_s: 0, box: { x: 0.9, y: 0.9, width: 0.4, height: 0.4 } },
    work(),
  );
  expect(out.box).toEqual({ x: 1152, y: 648, width: 128, height: 72 });
  expect(out.note).toMatch(/was cut to x 1152, y 648, width 128, height 72/);
  for (const spec of [
    { at_s: 0, box: { x: 1400, y: 0, width: 10, height: 10 } },
    { at_s: 60, box: AROUND_SIGN },
  ])
    await expect(zoomCrop(video, spec, work())).rejects.toMatchObject({ kind: "wrong-usage" });
});

test("text is read at one time, whole or in part, with its place in pixels of the film", async () => {
  const items = await readTextAt(video, { at_s: 1.7, box: AROUND_SIGN }, work());
  expect(items).toMatchObject([
    {
      kind: "text",
      text: "Gate 47 Harlem",
      start_s: 1.6,
      end_s: 1.6,
      by: { who: "tool", name: "tesseract" },
    },
  ]);
  const { box } = items[0] ?? {};
  // The ink's middle is where it was drawn.
  expect(((box?.x ?? 0) + (box?.width ?? 0) / 2) / SIZE.width).toBeCloseTo(SIGN.x, 1);
  expect(((box?.y ?? 0) + (box?.height ?? 0) / 2) / SIZE.height).toBeCloseTo(SIGN.y, 1);
  expect(await readTextAt(video, { at_s: 0.5 }, work())).toEqual([]);
});

test("a box refers to the upright frame of a rotated film", async () => {
  const lying = join(folder, "lying.mp4");
  await runFfmpeg([
    "-display_rotation",
    "90",
    "-i",
    join(folder, "sign.mp4"),
    "-c",
    "copy",
    "-y",
    lying,
  ]).catch(
    // Builds before 6.0 take the angle as a tag.
    () =>
      runFfmpeg([
        "-i",
        join(folder, "sign.mp4"),
        "-c",
        "copy",
        "-metadata:s:v",
        "rotate=90",
        "-y",
        lying,
      ]),
  );
  const turned = await openVideo(lying, work());
  const { width = 0, height = 0 } = turned.probe.video ?? {};
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const zoomed = await zoomCrop(
    turned,
    { at_s: 1.7, box: whole, max_side: Math.max(width, height) },
    work(),
  );
  expect([zoomed.frame.width, zoomed.frame.height]).toEqual([width, height]);
});

test("a stored zoom needs no file", async () => {
  const again = await zoomCrop(video, { at_s: 1.7, box: AROUND_SIGN }, work());
  await rm(join(folder, "sign.mp4"));
  const kept = await zoomCrop(video, { at_s: 1.65, box: AROUND_SIGN }, { store, run: "later" });
  expect(kept).toEqual(again);
});
