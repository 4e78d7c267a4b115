import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobContext } from "../../../src/core/job-context.ts";
import {
  type CardSegment,
  type ComposeSpec,
  compose,
  type Segment,
} from "../../../src/media/compose.ts";
import { everyFrameArgs, inputArgs, runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { scanVideo } from "../../../tools/video/scan.ts";
import { findTitleCards, type TitleCards } from "../../../tools/video/title-cards.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { captioned, differences, randomSet, scene, trueCards } from "../../support/card-sets.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
let job: JobContext;

beforeAll(async () => {
  folder = await tempFolder();
  job = { store: await openStore(join(folder, "store")), run: "test" };
});

afterAll(async () => {
  closeOcr();
  await job.store.close();
});

const find = async (file: string): Promise<TitleCards> =>
  findTitleCards(await openVideo(file, job), job);

/** A still scene: enough where only the border with a card matters, and quick to draw. */
const clip = (seed: string, duration_s = 0.5): Segment => ({
  kind: "picture",
  duration_s,
  picture: scene(seed, 0.9)(0),
});

const card = (text: string, look: Partial<CardSegment> = {}): CardSegment => ({
  kind: "card",
  text,
  duration_s: 0.6,
  ...look,
});

async function made(
  name: string,
  spec: Omit<ComposeSpec, "width" | "height" | "fps"> & Partial<ComposeSpec>,
) {
  const file = join(folder, `${name}.mp4`);
  const whole = { width: 640, height: 360, fps: 25, silent: true, preset: "ultrafast", ...spec };
  return { file, whole, composed: await compose(whole, file) };
}

const LOOKS: [string, Partial<ComposeSpec>, Partial<CardSegment>][] = [
  [
    "240p, serif, 4 % of the height, noise",
    { width: 426, height: 240, crf: 28 },
    { font: "serif", size: 0.04, noise: 6 },
  ],
  [
    "240p, thin grey words on off-black",
    { width: 426, height: 240 },
    { font: "mono", size: 0.06, background: 40, ink: 200 },
  ],
  [
    "360p, fading in and out, off-black",
    {},
    { fade_in_s: 0.2, fade_out_s: 0.2, background: 24, duration_s: 0.8 },
  ],
  [
    "480p, 60 frames a second, crf 35, strong noise",
    { width: 854, height: 480, fps: 60, crf: 35 },
    { noise: 12, size: 0.08 },
  ],
  ["720p, 4 %, 0.4 s", { width: 1280, height: 720, fps: 30 }, { size: 0.04, duration_s: 0.4 }],
  [
    "1080p, 20 %, bold serif",
    { width: 1920, height: 1080, fps: 24 },
    { size: 0.2, font: "serif-bold", duration_s: 0.4 },
  ],
  [
    "portrait, 10 frames a second",
    { width: 360, height: 640, fps: 10 },
    { size: 0.05, duration_s: 0.5 },
  ],
];

test.for(LOOKS)("cards are found to the frame: %s", async ([name, output, look]) => {
  const segments = [card("Clip 1", look), clip("a"), card("Clip 2", look), clip("b")];
  const { file, whole, composed } = await made(`look ${name.slice(0, 4)}${look.size}`, {
    segments,
    ...output,
  });
  const found = await find(file);
  const truth = trueCards([1, null, 2, null], composed);
  expect(differences(found.cards, truth, whole.fps)).toEqual([]);
  expect(found.clips.map((item) => item.clip)).toEqual([1, 2]);
  expect(found.clips[0]).toEqual({
    clip: 1,
    start_s: found.cards[0]?.end_s,
    end_s: found.cards[1]?.start_s,
  });
  expect(found.notes).toEqual([]);
});

test("black frames, dark scenes, text on scenes and cards with other text are not title cards", async () => {
  const dark = scene("dark", 0.15);
  const picture = (drawn: ReturnType<typeof dark>): Segment => ({
    kind: "picture",
    duration_s: 0.5,
    picture: drawn,
  });
  const segments = [
    picture({ background: "black", shapes: [] }),
    card("The End"),
    picture(dark(0)),
    card("Chapter 3"),
    picture(captioned(dark, "Clip 3")(0)),
    card("Clip"),
    picture(captioned(() => ({ background: "black", shapes: [] }), "Clip 4", 0.9)(0)),
    card("12"),
    picture({
      background: "black",
      shapes: [
        { draw: "text", text: "Clip 5", x: 0.5, y: 0.45, size: 0.1, colour: "white" },
        { draw: "text", text: "Pour the milk", x: 0.5, y: 0.6, size: 0.08, colour: "white" },
      ],
    }),
    card("Clip 1 of 9"),
    clip("light"),
  ];
  const { file } = await made("decoys", { segments });
  const found = await find(file);
  expect(found.cards).toEqual([]);
  expect(found.clips).toEqual([]);
  expect(found.notes.some((note) => note.includes("The End"))).toBe(true);
});

test("black frames before a card belong to the clip, and those of a fade to the card", async () => {
  const black: Segment = {
    kind: "picture",
    duration_s: 0.4,
    picture: { background: "black", shapes: [] },
  };
  const segments = [
    clip("a"),
    black,
    card("Clip 1"),
    clip("b"),
    black,
    card("Clip 2", { fade_in_s: 0.2 }),
    clip("c"),
  ];
  const { file, composed, whole } = await made("black", { segments });
  const truth = trueCards([null, null, 1, null, null, 2, null], composed);
  expect(differences((await find(file)).cards, truth, whole.fps)).toEqual([]);
});

test("reading during the scan and reading a stored scan give the same cards", async () => {
  const { file } = await made("ahead", {
    segments: [card("Clip 1"), clip("a", 3), card("Clip 2", { fade_in_s: 0.2 }), clip("b", 2)],
  });
  const ahead = await find(file);
  const store = await openStore(join(folder, "kept"));
  const kept = { store, run: "test" };
  try {
    const video = await openVideo(file, kept);
    await scanVideo(video, kept);
    expect(await findTitleCards(video, kept)).toEqual(ahead);
    expect(ahead.cards.map(({ number }) => number)).toEqual([1, 2]);
  } finally {
    await store.close();
  }
});

test("numbers are returned as shown: repeated, missing, above nine, without a picture between", async () => {
  const numbers = [2, 2, 11, 12, 17, 7];
  const segments = [
    clip("before"),
    card("Clip 2"),
    clip("a"),
    card("Clip 2"),
    clip("b"),
    card("Clip 11"),
    card("Clip 12"),
    clip("c"),
    card("Clip 17"),
    clip("d"),
    card("CLIP 7"),
  ];
  const { file, composed, whole } = await made("odd", { segments });
  const found = await find(file);
  const truth = trueCards([null, 2, null, 2, null, 11, 12, null, 17, null, 7], composed);
  expect(differences(found.cards, truth, whole.fps)).toEqual([]);
  expect(found.cards.map((item) => item.number)).toEqual(numbers);
  expect(found.clips.map((item) => item.clip)).toEqual([2, 2, 12, 17]);
  expect(found.notes).toEqual([
    "The 0.52 s before the first card belong to no clip.",
    "No picture follows the card Clip 11 that ends at 3.36 s.",
    "No picture follows the card Clip 7 that ends at 6.20 s.",
    "Clip 2 is on 2 cards.",
    "No card was found for Clip 1, 3-6, 8-10, 13-16.",
  ]);
});

test("a variable frame rate and bars around the picture change nothing", async () => {
  const segments = [
    card("Clip 1", { background: 30 }),
    clip("a"),
    card("Clip 2", { background: 30 }),
    clip("b"),
  ];
  const { file, composed } = await made("even", { segments, width: 480 });
  const uneven = join(folder, "uneven.mp4");
  const filter = "pad=640:360:80:0,settb=1/1000,setpts='(if(lt(N,20),40*N,800+57*(N-20)))'";
  await runFfmpeg([...inputArgs(file), "-vf", filter, ...(await everyFrameArgs()), "-y", uneven]);
  const time = (t_s: number) => {
    const n = Math.round(t_s * 25);
    return (n < 20 ? 40 * n : 800 + 57 * (n - 20)) / 1000;
  };
  const truth = trueCards([1, null, 2, null], composed).map((item) => ({
    ...item,
    start_s: time(item.start_s),
    end_s: time(item.end_s),
  }));
  expect(differences((await find(uneven)).cards, truth, 1 / 0.057)).toEqual([]);
});

test.for([3, 6, 12])("random set %i", async (seed) => {
  const { spec, numbers } = randomSet(seed);
  const { file, composed } = await made(`random-${seed}`, spec);
  expect(differences((await find(file)).cards, trueCards(numbers, composed), spec.fps)).toEqual([]);
});

describeShared("real footage", () => {
  test("the shuffled steps of a kitchen video are found", async () => {
    const source = sharedFile("media/videos/kitchen_milk_ego.mp4");
    // Evidence times of the question kitchen-1: two seconds around each step, shuffled.
    const segments = [22.5, 4.5, 38, 11, 33.5].flatMap((at, i): Segment[] => [
      card(`Clip ${i + 1}`, { duration_s: 1 }),
      { kind: "clip", file: source, from_s: at - 1, to_s: at + 1 },
    ]);
    const { file, composed, whole } = await made("kitchen", { segments });
    const found = await find(file);
    const truth = trueCards([1, null, 2, null, 3, null, 4, null, 5, null], composed);
    expect(differences(found.cards, truth, whole.fps)).toEqual([]);
    expect(found.clips.map((item) => item.clip)).toEqual([1, 2, 3, 4, 5]);
    const again = await find(file);
    expect(again).toEqual(found);
  });

  test.for(["nasa_webb_subs", "car_lane_silent_audio", "lecture_stream_ciphers"])(
    "%s has none",
    async (name) => {
      expect((await find(sharedFile(`media/videos/${name}.mp4`))).cards).toEqual([]);
    },
  );
});
