import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { SCAN_VERSION } from "../../src/media/scan.ts";
import { parseRequest } from "../parse-request.ts";
import { MOST_TILES, makeSheet, type Sheet } from "./contact-sheet.ts";
import { sampleFrames } from "./frames.ts";
import { representativeTimes } from "./overview/representative-times.ts";
import { scanVideo } from "./scan.ts";
import { detectShots, SHOTS_VERSION } from "./shots.ts";
import { frameTable, type Video } from "./video.ts";
import { withinVideo } from "./view-frames.ts";

/** How many frames an overview shows, and of which part. */
export const OverviewSpec = z.strictObject({
  /** Number of frames on all sheets together. */
  count: z.int().min(1).max(288),
  /** The range to show, in seconds. Default: the whole video. */
  from_s: z.number().min(0).default(0),
  to_s: z.number().optional(),
  /**
   * Times already shown, in seconds. Frames near them are skipped, and the next most informative frames are shown.
   */
  shown_s: z.array(z.number()).default([]),
  /** Longest side of each frame in pixels. The size of a tile depends on the number of tiles. */
  max_side: z.int().min(16).nullable().default(768),
  /** JPEG quality of frames and sheets. */
  quality: z.int().min(1).max(100).default(85),
});
export type OverviewSpec = z.input<typeof OverviewSpec>;

/** Raise when the same scan and shots would give other times. */
const TIMES_VERSION = 7;
const VERSIONS = [TIMES_VERSION, SHOTS_VERSION, SCAN_VERSION];

/**
 * Returns the most informative frames of a video on contact sheets of equal size (at most 36 frames each), in order
 * of time. `overview/representative-times.ts` describes how they are chosen. The result is stored by the video's content.
 * Throws `Failure`: `wrong-usage`, `no-video`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export async function overviewSheets(
  video: Video,
  spec: OverviewSpec,
  job: JobContext,
): Promise<{ sheets: Sheet[] }> {
  const { count, from_s, shown_s, max_side, quality, ...rest } = parseRequest(
    OverviewSpec,
    spec,
    "an overview",
  );
  const table = await frameTable(video, job);
  withinVideo(table, from_s);
  const to_s = Math.min(rest.to_s ?? table.end_s, table.end_s);
  if (to_s <= from_s)
    throw new Failure(
      "wrong-usage",
      `Expected the part to show to end after it begins, got ${from_s} s to ${to_s} s.`,
      { from_s, to_s },
    );
  const { value: times_s } = await job.store.memo.once<number[]>(
    {
      key: hashOf(["telling moments", VERSIONS, video.hash, count, from_s, to_s, shown_s]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    async (signal) => {
      const scan = await scanVideo(video, { ...job, signal });
      const shots = await detectShots(video, { ...job, signal });
      const moments = representativeTimes(scan, shots, { from_s, to_s });
      return shown_s.length === 0 ? moments.first(count) : moments.next(shown_s, count);
    },
  );
  const look = { sampler: "times", times_s, max_side, max_area: null, quality } as const;
  const frames = await sampleFrames(video, look, job);
  const sheets = Math.ceil(frames.length / MOST_TILES);
  const cut = (place: number) => Math.round((place * frames.length) / sheets);
  return {
    sheets: await Promise.all(
      Array.from({ length: sheets }, (_, i) =>
        makeSheet(frames.slice(cut(i), cut(i + 1)), { quality }, job),
      ),
    ),
  };
}
