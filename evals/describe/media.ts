import { join } from "node:path";
import pLimit from "p-limit";
import { isFailure } from "../../src/core/errors.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { openVideo, type Video } from "../../tools/video/video.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { repeated } from "./duplicates.ts";
import { countsOf, type Spread, spreadOf } from "./spread.ts";

/** What the video files of a set are. */
export interface MediaDescription {
  opened: number;
  /** Files that could not be opened, with the reason. */
  unreadable: { video: string; why: string }[];
  bytes: number;
  /** Seconds of all videos, and of one. */
  total_s: number;
  duration_s: Spread | null;
  /** Upright frames in pixels, `1280x720`, the most frequent first. */
  sizes: { size: string; videos: number }[];
  frames_per_second: Spread | null;
  with_sound: number;
  with_embedded_subtitles: number;
  /** Files with the same content. */
  same_content: string[][];
  /** Ids of samples with evidence after the end of their video. */
  evidence_outside: string[];
}

const OPENED_AT_ONCE = 4;

/** Opens every video that exists. Throws `Failure` `cancelled`. */
export async function describeMedia(
  samples: readonly Sample[],
  folder: string,
  job: JobContext,
): Promise<MediaDescription> {
  const paths = [...new Set(samples.filter(({ hasVideo }) => hasVideo).map(({ video }) => video))];
  const unreadable: MediaDescription["unreadable"] = [];
  const found = new Map<string, Video>();
  const limit = pLimit(OPENED_AT_ONCE);
  let done = 0;
  await Promise.all(
    paths.map((path) =>
      limit(async () => {
        try {
          found.set(path, await openVideo(join(folder, path), job));
        } catch (error) {
          if (!isFailure(error) || error.kind === "cancelled") throw error;
          unreadable.push({ video: path, why: error.message });
        }
        job.progress?.(++done, paths.length, "videos");
      }),
    ),
  );
  const videos = paths.flatMap((path) => {
    const video = found.get(path);
    return video === undefined ? [] : [{ ...video, path }];
  });
  const probes = videos.map(({ probe }) => probe);
  const durations = probes.map(({ duration_s }) => duration_s);
  return {
    opened: videos.length,
    unreadable: unreadable.sort((a, b) => a.video.localeCompare(b.video)),
    bytes: probes.reduce((sum, { size }) => sum + size, 0),
    total_s: durations.reduce((sum, seconds) => sum + seconds, 0),
    duration_s: spreadOf(durations),
    sizes: countsOf(probes, ({ video }) =>
      video === null ? "no picture" : `${video.width}x${video.height}`,
    ).map(([size, count]) => ({ size, videos: count })),
    frames_per_second: spreadOf(probes.flatMap(({ video }) => video?.fps ?? [])),
    with_sound: probes.filter(({ audio }) => audio.length > 0).length,
    with_embedded_subtitles: probes.filter(({ subtitles }) => subtitles.length > 0).length,
    same_content: repeated(videos, ({ hash }) => hash).map((of) => of.map(({ path }) => path)),
    evidence_outside: samples
      .filter(({ video, evidence_s = [] }) => {
        const end = found.get(video)?.probe.duration_s ?? Infinity;
        return evidence_s.some(([, to]) => to > end + 0.5);
      })
      .map(({ id }) => id),
  };
}
