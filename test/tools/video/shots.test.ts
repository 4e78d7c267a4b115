import { join } from "node:path";
import { expect, test } from "vitest";
import { compose } from "../../../src/media/compose.ts";
import { signatureAt } from "../../../src/media/scan.ts";
import { openStore } from "../../../src/storage/open.ts";
import { scanVideo } from "../../../tools/video/scan.ts";
import { detectShots, type Shot, shotsOf } from "../../../tools/video/shots.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { scanOf } from "../../support/scans.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { tempFolder } from "../../support/temp.ts";

async function shotsOfFile(file: string): Promise<Shot[]> {
  const store = await openStore(await tempFolder());
  const work = { store, run: "shots" };
  try {
    return await detectShots(await openVideo(file, work), work);
  } finally {
    await store.close();
  }
}

const spans = (shots: Shot[]) =>
  shots.map(({ start_s, end_s }) => [start_s, end_s].map((t) => Math.round(t * 100) / 100));

test("cuts of a composed video are found to the frame, a picture that fills up is not a cut", async () => {
  const file = join(await tempFolder(), "cuts.mp4");
  const bullet = (text: string, y: number) =>
    ({ draw: "text", text, x: 0.1, y, size: 0.06, anchor: "left", colour: "black" }) as const;
  const slide = [bullet("Cells divide", 0.2)];
  const { segments } = await compose(
    {
      width: 320,
      height: 180,
      fps: 25,
      silent: true,
      segments: [
        { kind: "card", text: "Clip 1", duration_s: 1 },
        { kind: "picture", picture: { background: "white", shapes: slide }, duration_s: 1.2 },
        {
          kind: "picture",
          picture: { background: "white", shapes: [...slide, bullet("and divide again", 0.4)] },
          duration_s: 1.2,
        },
        {
          kind: "picture",
          picture: (t_s) => ({
            background: "#204080",
            shapes: [{ draw: "circle", x: 0.2 + t_s / 4, y: 0.5, radius: 0.1, fill: "orange" }],
          }),
          duration_s: 1.6,
        },
      ],
    },
    file,
  );
  const shots = await shotsOfFile(file);
  expect(spans(shots)).toEqual([
    [0, segments[0]?.end_s],
    [1, segments[2]?.end_s],
    [3.4, 5],
  ]);
  for (const { key_s, start_s, end_s } of shots) {
    expect(key_s).toBeGreaterThanOrEqual(start_s);
    expect(key_s).toBeLessThan(end_s);
  }
});

test("a cut between colours of the same light is found to the frame", async () => {
  const file = join(await tempFolder(), "colours.mp4");
  const [red, teal] = ["#c83c3c", "#3c7780"].map((background) => ({
    kind: "picture" as const,
    picture: { background, shapes: [] },
    duration_s: 2,
  }));
  if (red === undefined || teal === undefined) throw new Error("two colours");
  await compose({ width: 160, height: 90, fps: 10, silent: true, segments: [red, teal] }, file);
  const work = { store: await openStore(await tempFolder()), run: "colours" };
  const video = await openVideo(file, work);
  const scan = await scanVideo(video, work);
  const shots = await detectShots(video, work);
  await work.store.close();
  const light = Array.from({ length: scan.count }, (_, frame) => [
    ...signatureAt(scan, frame),
  ]).flat();
  expect(
    light.reduce((a, b) => Math.max(a, b)) - light.reduce((a, b) => Math.min(a, b)),
  ).toBeLessThan(8);
  expect(spans(shots)).toEqual([
    [0, 2],
    [2, 4],
  ]);
});

/** Grey stripes, with the colour of `share` of the way from grey to red. */
const coloured = (shareAt: (frame: number) => number) =>
  scanOf(
    100,
    25,
    (_frame, x) => stripes(x),
    (frame) => [128 - 40 * shareAt(frame), 128 + 80 * shareAt(frame)],
  );

test("a lasting jump of colour is a cut; a flash of colour and a slow change are not", () => {
  expect(shotsOf(coloured((frame) => (frame < 50 ? 0 : 1)))).toHaveLength(2);
  expect(shotsOf(coloured((frame) => (frame >= 50 && frame < 54 ? 1 : 0)))).toHaveLength(1);
  expect(shotsOf(coloured((frame) => frame / 100))).toHaveLength(1);
});

test("a change of colour next to a cut in the grey pictures is the same cut", () => {
  const scan = scanOf(
    100,
    25,
    (frame, x, y) => (frame < 50 ? stripes(x) : blocks(x, y)),
    (frame) => (frame < 53 ? [90, 200] : [160, 100]),
  );
  expect(spans(shotsOf(scan)).map(([start_s]) => start_s)).toEqual([0, 2]);
});

const stripes = (x: number) => (x % 8 < 4 ? 40 : 200);
const blocks = (_x: number, y: number) => (y % 12 < 6 ? 220 : 90);

test("a dissolve separates two shots in its middle", () => {
  const scan = scanOf(150, 25, (frame, x, y) => {
    const share = Math.min(1, Math.max(0, (frame - 60) / 25));
    return stripes(x) * (1 - share) + blocks(x, y) * share;
  });
  const shots = shotsOf(scan);
  expect(shots).toHaveLength(2);
  expect(Math.abs((shots[1]?.start_s ?? 0) - 72.5 / 25)).toBeLessThan(0.1);
});

test("a fade through black separates two shots once", () => {
  const scan = scanOf(150, 25, (frame, x, y) => {
    const light = Math.min(1, Math.abs(frame - 75) / 12);
    return (frame < 75 ? stripes(x) : blocks(x, y)) * light;
  });
  expect(shotsOf(scan)).toHaveLength(2);
});

test("a flash, steady camera motion and a moving thing are not cuts", () => {
  const flash = scanOf(100, 25, (frame, x) => (frame >= 50 && frame < 54 ? 255 : stripes(x)));
  expect(shotsOf(flash)).toHaveLength(1);
  const pan = scanOf(100, 25, (frame, x) => stripes(x + frame));
  expect(shotsOf(pan)).toHaveLength(1);
  const thing = scanOf(100, 25, (frame, x) => (Math.abs(x - frame) < 8 ? 250 : 60));
  expect(shotsOf(thing)).toHaveLength(1);
});

test("one frame is one shot, and a shot is at least 0.4 s", () => {
  expect(spans(shotsOf(scanOf(1, 25, () => 128)))).toEqual([[0, 0]]);
  const flicker = scanOf(60, 30, (frame, x, y) =>
    frame < 30 ? stripes(x) : frame < 36 ? 0 : blocks(x, y),
  );
  const shots = shotsOf(flicker);
  expect(shots).toHaveLength(2);
  for (const { start_s, end_s } of shots) expect(end_s - start_s).toBeGreaterThanOrEqual(0.4);
});

describeShared("real videos", () => {
  test("a dissolve and a cut of a film", async () => {
    const [first, second, third, ...more] = await shotsOfFile(
      sharedFile("media/videos/nasa_webb_subs.mp4"),
    );
    expect(more).toEqual([]);
    expect(first?.start_s).toBe(0);
    expect(Math.abs((second?.start_s ?? 0) - 5.5)).toBeLessThan(0.3);
    expect(third?.start_s).toBeCloseTo(8.01, 1);
  });

  test("a hand-held camera without cuts is one shot", async () => {
    expect(await shotsOfFile(sharedFile("media/videos/kitchen_milk_ego.mp4"))).toHaveLength(1);
  });
});
