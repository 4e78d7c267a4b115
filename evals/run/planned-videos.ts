import { join } from "node:path";
import pLimit from "p-limit";
import { isFailure } from "../../src/core/errors.ts";
import { type Settings, windowSeconds } from "../../src/core/settings.ts";
import type { Probe } from "../../src/media/probe.ts";
import { openStore } from "../../src/storage/open.ts";
import { findSidecars } from "../../tools/speech/subtitles/sidecars.ts";
import { openVideo } from "../../tools/video/video.ts";
import { fixedWindows, MOST_WINDOWS } from "../../tools/video/windows.ts";
import type { Note, Sample } from "../benchmarks/sample.ts";

/** What a plan knows of a video. */
export interface PlannedVideo {
  probe: Probe;
  /** Number of fixed windows, if the settings ask for them. */
  parts?: number;
  /** Whether there are subtitles with the video, so that its speech is not transcribed unless asked for. */
  subtitled: boolean;
}

const OPENED_AT_ONCE = 4;

/** Opens every video that exists. One that cannot be opened or divided becomes an error of its samples in the run. */
export async function openPlannedVideos(
  samples: readonly Sample[],
  folder: string,
  settings: Settings,
  { signal, onOpened }: { signal?: AbortSignal; onOpened?: (done: number, total: number) => void },
): Promise<{ videos: Map<string, PlannedVideo>; notes: Note[] }> {
  const paths = [...new Set(samples.filter(({ hasVideo }) => hasVideo).map(({ video }) => video))];
  const every_s = windowSeconds(settings);
  const store = await openStore(settings.runtime.data);
  const job = { store, run: "plan", signal };
  const videos = new Map<string, PlannedVideo>();
  const limit = pLimit(OPENED_AT_ONCE);
  let done = 0;
  const tooLong: string[] = [];
  try {
    await Promise.all(
      paths.map((path) =>
        limit(async () => {
          try {
            const video = await openVideo(join(folder, path), job);
            const parts =
              every_s === null ? {} : { parts: (await fixedWindows(video, every_s, job)).length };
            const subtitled =
              video.probe.subtitles.some(({ kind }) => kind === "text") ||
              (await findSidecars(video.path)).length > 0;
            videos.set(path, { probe: video.probe, ...parts, subtitled });
          } catch (error) {
            if (!isFailure(error) || error.kind === "cancelled") throw error;
            if ("windows" in error.facts) tooLong.push(path);
          }
          onOpened?.(++done, paths.length);
        }),
      ),
    );
  } finally {
    await store.close();
  }
  const what = `videos that windows of ${every_s} s divide into more than ${MOST_WINDOWS} parts`;
  const count = tooLong.length;
  return { videos, notes: count === 0 ? [] : [{ what, count, examples: tooLong.slice(0, 5) }] };
}
