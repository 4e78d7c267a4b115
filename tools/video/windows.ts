import { basename } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameTable } from "../../src/media/frame-table.ts";
import { frameTable, type Video } from "./video.ts";

/** A stretch of a video, in seconds: the frames that begin at `start_s` or later and before `end_s`. */
export interface Window {
  start_s: number;
  end_s: number;
}

/** Most windows of one video. A model that describes all of them in one reply numbers them with up to three digits. */
export const MOST_WINDOWS = 999;

/** Share of a window below which what remains at the end is joined with the window before it. */
const LEAST_REMAINDER = 1 / 4;

/** Frames closer than this have the same time for a sampler, so no window can begin between them. In seconds. */
const SAME_S = 0.0012;

/**
 * Returns the windows of `every_s` seconds, counted from the first frame. Each begins with the time of a frame, and
 * together they hold every frame once: a frame that is on screen for longer than a window makes its window longer.
 * The last window may be shorter, but a remainder shorter than a quarter of `every_s` is joined with the window before.
 */
export function windowsOf({ pts_s, end_s }: FrameTable, every_s: number): Window[] {
  const first_s = pts_s[0] ?? 0;
  const starts: number[] = [first_s];
  let last = 0;
  for (let frame = 1; frame < pts_s.length; frame++) {
    const t_s = pts_s[frame] ?? 0;
    const place = Math.floor((t_s - first_s + SAME_S / 2) / every_s);
    if (place <= last) continue;
    const isApart =
      t_s - (pts_s[frame - 1] ?? 0) > SAME_S && (pts_s[frame + 1] ?? end_s) - t_s > SAME_S;
    if (!isApart) continue;
    starts.push(t_s);
    last = place;
  }
  const latest_s = end_s - every_s * LEAST_REMAINDER + SAME_S / 2;
  while (starts.length > 1 && (starts.at(-1) ?? 0) > latest_s) starts.pop();
  return starts.map((start_s, index) => ({ start_s, end_s: starts[index + 1] ?? end_s }));
}

/**
 * The windows of a video, from the times of its frames. Throws `Failure` `media-limit` for more than `MOST_WINDOWS`,
 * and what `frameTable` throws.
 */
export async function fixedWindows(
  video: Video,
  every_s: number,
  job: JobContext,
): Promise<Window[]> {
  const table = await frameTable(video, job);
  const windows = windowsOf(table, every_s);
  if (windows.length <= MOST_WINDOWS) return windows;
  const seconds = table.end_s - (table.pts_s[0] ?? 0);
  throw new Failure(
    "media-limit",
    `Windows of ${every_s} s divide ${basename(video.path)} into ${windows.length} parts, but the limit is ${MOST_WINDOWS}: use \`--segments every:${Math.ceil(seconds / MOST_WINDOWS)}\` or longer windows.`,
    { path: video.path, every_s, windows: windows.length, limit: MOST_WINDOWS },
  );
}
