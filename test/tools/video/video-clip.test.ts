import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashOf } from "../../../src/core/hash.ts";
import type { JobContext } from "../../../src/core/job-context.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { videoClip } from "../../../tools/video/video-clip.ts";
import { makeClip } from "../../support/clips.ts";
import { scanCodes } from "../../support/codes.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
let job: JobContext;
beforeAll(async () => {
  folder = await tempFolder();
  job = { store: await openStore(join(folder, "store")), run: "test" };
});
afterAll(() => job.store.close());

/** The clip of a part of a film, and the numbers of its frames. */
async function clipOf(name: string, rate: number, from_s: number, to_s: number) {
  const path = await makeClip(folder, name, { frames: 30, rate, width: 240, height: 64 });
  const video = await openVideo(path, job);
  const clip = await videoClip(video, { from_s, to_s, max_side: null }, job);
  const file = join(folder, `clip of ${name}`);
  await writeFile(file, await job.store.blobs.read(clip.hash));
  const codes = await scanCodes(file);
  return { video, made: clip.made, codes };
}

test("a clip within the time of one picture shows it throughout", async () => {
  const { video, made, codes } = await clipOf("slides.mp4", 0.1, 12, 14);
  expect(codes).toEqual(Array(50).fill(1));
  expect(made).toBe(hashOf(["video clip", 2, video.hash, 12, 14, null, "held", 10]));
});

test("the key of a clip of moving pictures does not change, nor do its frames", async () => {
  const { video, made, codes } = await clipOf("moving.mp4", 10, 1.02, 2);
  expect(codes).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(made).toBe(hashOf(["video clip", 2, video.hash, 1.02, 2, null]));
});
