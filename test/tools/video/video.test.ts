import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashFile, hashOf } from "../../../src/core/hash.ts";
import type { JobContext } from "../../../src/core/job-context.ts";
import { bestAudio } from "../../../src/media/container-header.ts";
import { PROBE_VERSION, probe } from "../../../src/media/probe.ts";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { makeClip } from "../../support/clips.ts";
import { isRecentFfmpeg } from "../../support/ffmpeg-build.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
let job: JobContext;
beforeAll(async () => {
  folder = await tempFolder();
  job = { store: await openStore(join(folder, "store")), run: "test" };
});
afterAll(() => job.store.close());

test("a store that does not know how tracks are marked looks again, once, and only if there are several", async () => {
  const path = join(folder, "two.mkv");
  const tone = ["-f", "lavfi", "-i", "sine=d=1"];
  await runFfmpeg([
    ...[...tone, ...tone, "-map", "0:a", "-map", "1:a"],
    ...["-disposition:a:0", "0", "-disposition:a:1", "default", path],
  ]);
  const found = await probe(path);
  const audio = found.audio.map(({ default: _mark, ...stream }) => stream);
  const hash = await hashFile(path);
  const older = { key: hashOf(["probe", PROBE_VERSION, hash]), tags: [hash], run: "older" };
  await job.store.memo.once(older, async () => ({ ...found, audio }));
  const { probe: opened } = await openVideo(path, job);
  expect(opened.audio.map((stream) => stream.default)).toEqual([false, true]);
  expect(bestAudio(opened.audio)?.index).toBe(1);
  const marks = { ...older, key: hashOf(["probe", PROBE_VERSION, hash, "marks"]) };
  const { cached } = await job.store.memo.once(marks, async () => found);
  expect(cached).toBe(true);
});

test.runIf(isRecentFfmpeg)(
  "a store that does not know of clocks that begin again looks again at a recording, once",
  async () => {
    const once = await makeClip(folder, "once.ts", { frames: 50 });
    const path = join(folder, "joined.ts");
    await writeFile(path, Buffer.concat(Array(2).fill(await readFile(once))));
    const found = await probe(path);
    const hash = await hashFile(path);
    const older = { key: hashOf(["probe", PROBE_VERSION, hash]), tags: [hash], run: "older" };
    await job.store.memo.once(older, async () => ({ ...found, notes: [] }));
    const { probe: opened } = await openVideo(path, job);
    expect(opened.notes).toEqual([
      expect.stringMatching(/^The clock of the file begins again once/),
    ]);
    const clock = { ...older, key: hashOf(["probe", PROBE_VERSION, hash, "clock"]) };
    const { cached } = await job.store.memo.once(clock, async () => found);
    expect(cached).toBe(true);
  },
);

test("a duration that counts from before the first sound is no irregularity", async () => {
  const path = join(folder, "late.mkv");
  const late = ["-f", "lavfi", "-i", "sine=d=2", "-af", "asetpts=PTS+8/TB", "-copyts", path];
  await runFfmpeg(late);
  const found = await probe(path);
  expect(found.origin_s).toBeCloseTo(8, 1);
  expect(found.claimed_duration_s).toBeCloseTo(10, 1);
  expect(found.duration_s).toBeCloseTo(2, 1);
  expect(found.notes).toEqual([]);
});
