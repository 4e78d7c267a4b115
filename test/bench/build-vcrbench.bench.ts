import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildVcrbench } from "../../evals/datasets/build-vcrbench/build.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import { openVideo } from "../../tools/video/video.ts";
import { makeClip } from "../support/clips.ts";

const CLIPS = 5;
const CLIP_S = 19;

/** Makes a video of 100 s at 720p from a source of 95 s; compared with its length. */
export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const store = await openStore(join(folder, "store"));
  try {
    const file = await makeClip(folder, "source.mp4", {
      frames: CLIPS * CLIP_S * 25,
      width: 1280,
      height: 720,
      filter: "noise=alls=6:allf=t",
    });
    const steps = Array.from({ length: CLIPS }, (_, index) => ({
      name: `step ${index + 1}`,
      start_s: index * CLIP_S,
      end_s: (index + 1) * CLIP_S,
    }));
    const began = performance.now();
    await buildVcrbench([{ file, name: "source", goal: "Go on", steps }], join(folder, "set"));
    const seconds = (performance.now() - began) / 1000;
    const work = { store, run: "bench" };
    const video = await openVideo(join(folder, "set", "videos", "video_1.mp4"), work);
    const { cards } = await findTitleCards(video, work);
    const value = seconds / video.probe.duration_s;
    return [
      {
        name: "build-vcrbench, 100 s at 720p, relative to its length",
        value,
        unit: "x",
        bar: "under 1",
        ok: value < 1,
      },
      {
        name: "title cards found",
        value: cards.length,
        unit: "",
        bar: String(CLIPS),
        ok: cards.map(({ number }) => number).join() === "1,2,3,4,5",
      },
    ];
  } finally {
    await store.close();
    closeOcr();
    await rm(folder, { recursive: true, force: true });
  }
}
