import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { vcrbench } from "../../../../evals/benchmarks/vcrbench/benchmark.ts";
import type { AnnotatedVideo } from "../../../../evals/datasets/build-vcrbench/annotated-video.ts";
import { buildVcrbench } from "../../../../evals/datasets/build-vcrbench/build.ts";
import type { Store } from "../../../../src/core/contracts.ts";
import { compose } from "../../../../src/media/compose.ts";
import { findFfmpeg } from "../../../../src/media/find-ffmpeg.ts";
import { runFfmpeg } from "../../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { closeOcr } from "../../../../tools/text/ocr.ts";
import { findTitleCards } from "../../../../tools/video/title-cards.ts";
import { openVideo } from "../../../../tools/video/video.ts";
import { makeClip } from "../../../support/clips.ts";
import { describeShared, sharedFile } from "../../../support/shared.ts";
import { tempFolder } from "../../../support/temp.ts";

interface BuiltClip {
  clip: number;
  step: number;
  name: string;
  card: { start_s: number; end_s: number };
  start_s: number;
  end_s: number;
}
interface BuiltRow {
  ground_truth: number[];
  steps: string[];
  provenance: { clips: BuiltClip[]; source: string; duration_s: number };
}

let folder: string;
let store: Store;
let videos: AnnotatedVideo[];

const step = (name: string, start_s: number, end_s: number) => ({ name, start_s, end_s });

beforeAll(async () => {
  folder = await tempFolder();
  store = await openStore(join(folder, "store"));
  const wide = await makeClip(folder, "wide.mp4", {
    frames: 150,
    width: 426,
    height: 240,
    rate: 30,
  });
  const tall = await turned(
    await makeClip(folder, "stored.mp4", { frames: 75, width: 426, height: 240, rate: 12.5 }),
    join(folder, "tall.mov"),
  );
  const heard = join(folder, "heard.mp4");
  await compose(
    {
      width: 320,
      height: 240,
      fps: 10,
      segments: ["#aa3333", "#33aa33", "#3333aa"].map((background, index) => ({
        kind: "picture",
        duration_s: 2,
        picture: { background, shapes: [] },
        sound: { frequency: 300 + 200 * index },
      })),
    },
    heard,
  );
  const goal = "Make tea";
  videos = [
    {
      file: wide,
      name: "wide",
      goal,
      steps: [step("boil", 0, 1.5), step("pour", 2, 3), step("stir", 3.2, 4.8)],
    },
    {
      file: tall,
      name: "tall",
      goal,
      steps: [step("boil", 0.5, 1.5), step("pour", 2, 3), step("pour", 3.4, 4), step("stir", 4, 5)],
    },
    { file: heard, name: "heard", goal, steps: [step("boil", 0, 1.9), step("pour", 2.1, 3.9)] },
    { file: null, name: "gone", goal, steps: [step("boil", 0, 1), step("pour", 1, 2)] },
  ];
});
afterAll(async () => {
  await store.close();
  closeOcr();
});

/** The same file with rotation metadata of 90 degrees. */
async function turned(stored: string, file: string): Promise<string> {
  const { major } = await findFfmpeg();
  const mark =
    (major ?? 0) >= 6
      ? ["-display_rotation", "90", "-i", stored]
      : ["-i", stored, "-metadata:s:v:0", "rotate=90"];
  await runFfmpeg([...mark, "-c", "copy", file]);
  return file;
}

async function rowsOf(out: string): Promise<BuiltRow[]> {
  return JSON.parse(await readFile(join(out, "data.json"), "utf8")) as BuiltRow[];
}

/** Checks that every card is at its time in the set, and that the loader reads ground truth and names. */
async function checkSet(out: string) {
  const { samples, notes } = await vcrbench.load(out);
  const rows = await rowsOf(out);
  expect(notes).toEqual([]);
  expect(samples).toHaveLength(rows.length);
  for (const [index, sample] of samples.entries()) {
    const { ground_truth, steps, provenance } = rows[index] as BuiltRow;
    expect(sample).toMatchObject({ hasVideo: true, answer: ground_truth.map((clip) => clip + 1) });
    expect(sample.steps).toEqual(steps);
    expect(ground_truth).not.toEqual(ground_truth.toSorted());
    const right = (sample.answer as number[]).map((clip) => provenance.clips[clip - 1]?.step);
    expect(right).toEqual(right.toSorted());
    const work = { store, run: "test" };
    const { cards, clips } = await findTitleCards(
      await openVideo(join(out, sample.video), work),
      work,
    );
    expect(cards.map((card) => card.number)).toEqual(provenance.clips.map(({ clip }) => clip));
    for (const [place, { card, end_s }] of provenance.clips.entries()) {
      expect(cards[place]?.start_s).toBeCloseTo(card.start_s, 1);
      expect(cards[place]?.end_s).toBeCloseTo(card.end_s, 1);
      expect(clips[place]?.end_s).toBeCloseTo(end_s, 1);
    }
  }
  return { samples, rows };
}

test("sources of different size, rate, rotation and sound become one set in which every card is found", async () => {
  const out = join(folder, "set");
  const built = await buildVcrbench(videos, out, { shuffles: 2, seed: 5 });
  expect(built).toMatchObject({ kept: [], failed: [] });
  expect(built.made).toHaveLength(5);
  expect(built.notes).toEqual([
    { what: "videos with fewer arrangements than wanted", count: 1, examples: ["heard"] },
    { what: "videos missing", count: 1, examples: ["gone"] },
  ]);
  const { samples } = await checkSet(out);
  const work = { store, run: "test" };
  const probes = await Promise.all(
    samples.map(async ({ video }) => (await openVideo(join(out, video), work)).probe),
  );
  expect(
    probes.map(({ video, audio }) => [video?.width, video?.height, video?.fps, audio.length]),
  ).toEqual([
    [426, 240, 30, 0],
    [426, 240, 30, 0],
    [240, 426, 12.5, 0],
    [240, 426, 12.5, 0],
    [320, 240, 10, 1],
  ]);
});

test("a second call makes only what is missing or changed", async () => {
  const out = join(folder, "again");
  const [wide, , heard] = videos as [AnnotatedVideo, AnnotatedVideo, AnnotatedVideo];
  await buildVcrbench([wide, heard], out);
  const first = await stat(join(out, "videos", "video_1.mp4"));
  await rm(join(out, "videos", "video_2.mp4"));
  const again = await buildVcrbench([wide, heard], out);
  expect(again).toMatchObject({ made: ["video_2.mp4"], kept: ["video_1.mp4"] });
  expect((await stat(join(out, "videos", "video_1.mp4"))).mtimeMs).toBe(first.mtimeMs);
  const dropped = await buildVcrbench([wide, heard], out, { sound: "drop" });
  expect(dropped).toMatchObject({ made: ["video_2.mp4"], kept: ["video_1.mp4"] });
  const { probe } = await openVideo(join(out, "videos", "video_2.mp4"), { store, run: "test" });
  expect(probe.audio).toEqual([]);
});

test("a stopped build keeps what was finished and resumes", async () => {
  const out = join(folder, "stopped");
  const stop = new AbortController();
  const build = buildVcrbench(videos.slice(0, 3), out, {
    signal: stop.signal,
    progress: (done) => {
      if (done > 8) stop.abort();
    },
  });
  await expect(build).rejects.toThrow();
  expect(await rowsOf(out)).toHaveLength(1);
  // Files that a killed process leaves.
  const half = join(out, "videos", ".compose-killed");
  await mkdir(half);
  const rest = await buildVcrbench(videos.slice(0, 3), out);
  expect(rest).toMatchObject({ kept: ["video_1.mp4"], made: ["video_2.mp4", "video_3.mp4"] });
  await expect(stat(half)).rejects.toMatchObject({ code: "ENOENT" });
});

test("an unreadable source fails alone; a folder with other contents is not changed", async () => {
  const broken = join(folder, "broken.mp4");
  await writeFile(broken, "no video");
  const out = join(folder, "partly");
  const [wide] = videos as [AnnotatedVideo];
  const built = await buildVcrbench([{ ...wide, file: broken, name: "broken" }, wide], out);
  expect(built).toMatchObject({ made: ["video_2.mp4"], failed: [{ video: "broken" }] });
  const late = { ...wide, name: "late", steps: [step("a", 0, 1), step("b", 90, 95)] };
  const { failed } = await buildVcrbench([late], join(folder, "late"));
  expect(failed[0]?.message).toContain("begins at 90 s");
  const other = join(folder, "other");
  await mkdir(other);
  await writeFile(join(other, "data.json"), '[{"qid": "1", "goal": "released"}]');
  await expect(buildVcrbench([wide], other)).rejects.toMatchObject({ kind: "wrong-usage" });
});

describeShared("a set from a real video", () => {
  test("the steps of making a mug of milk", async () => {
    const out = join(folder, "kitchen");
    const built = await buildVcrbench(
      [
        {
          file: sharedFile("media/videos/kitchen_milk_ego.mp4"),
          name: "kitchen",
          goal: "Pour a mug of milk",
          steps: [
            step("take the mug from the cabinet", 3.5, 5.5),
            step("hold the mug under the tap", 10, 12),
            step("take the milk jug from the refrigerator", 21.5, 23.5),
            step("uncap the jug", 32.5, 34.5),
            step("pour milk into the mug", 37, 39),
          ],
        },
      ],
      out,
      { max_side: 480 },
    );
    expect(built.failed).toEqual([]);
    const { rows } = await checkSet(out);
    expect(rows[0]?.provenance.duration_s).toBeCloseTo(15, 1);
  });
});
