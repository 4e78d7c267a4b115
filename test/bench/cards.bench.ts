import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose, type Segment } from "../../src/media/compose.ts";
import { inputArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import { openVideo } from "../../tools/video/video.ts";
import { makeClip } from "../support/clips.ts";

const CLIPS = 5;
const CLIP_S = 20;
const ROUNDS = 5;
const BAR = 1.3;

/** Finds the cards of a VCRBench-like set (107 s at 640x360) with a warm OCR worker; compared with decoding it once. */
export async function bench(): Promise<
  { name: string; value: number; unit: string; bar: string; ok: boolean }[]
> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    const file = join(folder, "set.mp4");
    const size = { width: 640, height: 360 };
    const frames = CLIPS * CLIP_S * 25;
    const source = await makeClip(folder, "source.mp4", {
      ...size,
      frames,
      filter: "noise=alls=6:allf=t",
    });
    const segments = Array.from({ length: CLIPS }, (_, i): Segment[] => [
      { kind: "card", text: `Clip ${i + 1}`, duration_s: 1.4 },
      { kind: "clip", file: source, from_s: i * CLIP_S, to_s: (i + 1) * CLIP_S },
    ]).flat();
    await compose({ ...size, fps: 25, segments, silent: true }, file);
    const decodes: number[] = [];
    const searches: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const store = await openStore(join(folder, String(round)));
      const work = { store, run: "bench" };
      const video = await openVideo(file, work);
      const decode = await timed(() =>
        runFfmpeg([...inputArgs(file), "-map", "0:v:0", "-f", "null", "-"]),
      );
      let found = 0;
      const search = await timed(async () => {
        found = (await findTitleCards(video, work)).cards.length;
      });
      await store.close();
      if (found !== CLIPS) throw new Error(`Expected ${CLIPS} cards, found ${found}.`);
      // The first round warms up the worker.
      if (round === 0) continue;
      decodes.push(decode);
      searches.push(search);
    }
    const value = median(searches) / median(decodes);
    const name = "cards of 107 s at 640x360, against one decode";
    return [{ name, value, unit: "x", bar: `<= ${BAR}`, ok: value <= BAR }];
  } finally {
    closeOcr();
    await rm(folder, { recursive: true, force: true });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
