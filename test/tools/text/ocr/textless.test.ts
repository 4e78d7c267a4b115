import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import type { FrameRef } from "../../../../src/core/shapes.ts";
import { runFfmpeg } from "../../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { closeOcr, recognise, warmOcr } from "../../../../tools/text/ocr.ts";
import { picturesToRead } from "../../../../tools/text/pictures-to-read.ts";
import { readText } from "../../../../tools/text/read-text.ts";
import { suggestLanguage } from "../../../../tools/text/suggest-language.ts";
import { openVideo, type Video } from "../../../../tools/video/video.ts";
import { scene } from "../../../support/scenes.ts";
import { tempFolder } from "../../../support/temp.ts";

afterAll(closeOcr);

/** Seconds that a scene is on screen. */
const SHOWN_S = 2;

/** A film that moves everywhere. */
const WAVES = "nullsrc=s=160x90:r=10,geq=lum='128+100*sin(N/2+X/9+Y/7)':cb=128:cr=128";

/** A camera that pans over each of the scenes in turn. */
async function footage(seeds: readonly number[]): Promise<string> {
  const folder = await tempFolder();
  const inputs = await Promise.all(
    seeds.map(async (seed) => {
      const path = join(folder, `${seed}.jpg`);
      await writeFile(path, await scene(`footage ${seed}`));
      return ["-loop", "1", "-framerate", "10", "-t", String(SHOWN_S), "-i", path];
    }),
  );
  const pans = seeds.map(
    (_, index) =>
      `[${index}]scale=704:528,crop=640:480:x='min(60,t*25)':y='min(40,t*15)',setsar=1[v${index}]`,
  );
  const joined = seeds.map((_, index) => `[v${index}]`).join("");
  const graph = [...pans, `${joined}concat=n=${seeds.length}[out]`].join(";");
  const path = join(folder, "footage.mp4");
  await runFfmpeg([
    ...inputs.flat(),
    ...["-filter_complex", graph, "-map", "[out]", "-pix_fmt", "yuv420p"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", path],
  ]);
  return path;
}

/** How many threads are started while `work` is done: tesseract runs on threads of its own. */
async function threadsOf(work: () => Promise<unknown>): Promise<number> {
  closeOcr();
  let threads = 0;
  const count = () => threads++;
  subscribe("worker_threads", count);
  try {
    await work();
  } finally {
    unsubscribe("worker_threads", count);
  }
  return threads;
}

test("footage without writing starts no tesseract, although its textures are found as lines", async () => {
  const path = await footage([8, 9, 10]);
  const store = await openStore(await tempFolder());
  const work = { store, run: "textless" };
  try {
    const threads = await threadsOf(async () =>
      expect(await readText(await openVideo(path, work), {}, work)).toEqual([]),
    );
    expect(threads).toBe(0);
  } finally {
    await store.close();
  }
});

test("moments of a moving film are known while it is scanned, and those of a still one are not", async () => {
  const folder = await tempFolder();
  const store = await openStore(join(folder, "store"));
  const work = { store, run: "textless" };
  const made = async (name: string, source: string) => {
    const path = join(folder, name);
    const encoder = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast"];
    await runFfmpeg(["-f", "lavfi", "-i", source, "-t", "25", ...encoder, path]);
    return openVideo(path, work);
  };
  const momentsOf = async (video: Video) => {
    const early: Promise<FrameRef | undefined>[] = [];
    const { scan, states } = await picturesToRead(video, null, work, (frame) => early.push(frame));
    const frames = await Promise.all(early);
    return {
      early_s: frames.map((frame) => frame?.t_s),
      read_s: states.map(({ read }) => scan.pts_s[read]),
    };
  };
  try {
    const moving = await momentsOf(await made("moving.mp4", WAVES));
    expect(moving.read_s).toHaveLength(3);
    expect(moving.early_s.toSorted()).toEqual(moving.read_s);
    const still = await momentsOf(await made("still.mp4", "color=c=gray:s=160x90:r=10"));
    expect(still.early_s).toEqual([]);
  } finally {
    await store.close();
  }
});

test("a worker that was started early reads the image that comes, and starts once", async () => {
  const image = await scene("early");
  const threads = await threadsOf(async () => {
    warmOcr({});
    warmOcr({});
    await recognise(image);
    warmOcr({});
  });
  expect(threads).toBe(1);
});

test("a worker that is closed while it starts ends", async () => {
  const ended = Promise.withResolvers<void>();
  const watch = (message: unknown) =>
    (message as { worker: Worker }).worker.once("exit", () => ended.resolve());
  closeOcr();
  subscribe("worker_threads", watch);
  try {
    warmOcr({});
    // It is made in one of the next turns.
    await setTimeout(50);
    closeOcr();
    await ended.promise;
  } finally {
    unsubscribe("worker_threads", watch);
  }
});

test("a texture with few marks that look like letters starts no search for a script", async () => {
  const folder = await tempFolder();
  const path = join(folder, "texture.jpg");
  await writeFile(path, await scene("scores 69"));
  const store = await openStore(join(folder, "store"));
  const work = { store, run: "textless" };
  try {
    const threads = await threadsOf(async () =>
      expect(await suggestLanguage(await openVideo(path, work), [], {}, work)).toBeNull(),
    );
    expect(threads).toBe(0);
  } finally {
    await store.close();
  }
});
