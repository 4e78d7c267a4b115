import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { SCAN_VERSION } from "../../src/media/scan.ts";
import { checked } from "../read-request.ts";
import { sampleFrames } from "./frames.ts";
import { tellingMoments } from "./overview/moments.ts";
import { scanVideo } from "./scan.ts";
import { MOST_TILES, makeSheet, type Sheet } from "./sheet.ts";
import { detectShots, SHOTS_VERSION } from "./shots.ts";
import { frameTable, type Video } from "./video.ts";
import { withinVideo } from "./view-frames.ts";

export const OverviewSpec = z.strictObject({
  /** Frames on all sheets together. */
  count: z.int().min(1).max(288),
  /** The part of the video to show, seconds; default: all of it. */
  from_s: z.number().min(0).default(0),
  to_s: z.number().optional(),
  /** Times that were shown before, in seconds: frames near them are passed over, and the next most telling shown. */
  beside_s: z.array(z.number()).default([]),
  /** Longest side in pixels of the single frames; what a tile of a sheet has depends on their number. */
  max_side: z.int().min(16).nullable().default(768),
  /** JPEG quality of frames and sheets. */
  quality: z.int().min(1).max(100).default(85),
});
export type OverviewSpec = z.input<typeof OverviewSpec>;

/** Raised whenever the same scan and shots would give other moments. */
const MOMENTS_VERSION = 6;
const VERSIONS = [MOMENTS_VERSION, SHOTS_VERSION, SCAN_VERSION];

/**
 * The frames that say most about a video, on sheets of equal numbers (at most 36 each), in order of time: see
 * `overview/moments.ts` for how they are chosen. Kept by the video's content.
 * Throws `Failure`: `wrong-usage`, `no-video`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export async function overviewSheets(
  video: Video,
  spec: OverviewSpec,
  job: JobContext,
): Promise<{ sheets: Sheet[] }> {
  const { count, from_s, beside_s, max_side, quality, ...rest } = checked(
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
      key: hashOf(["telling moments", VERSIONS, video.hash, count, from_s, to_s, beside_s]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    async (signal) => {
      const scan = await scanVideo(video, { ...job, signal });
      const shots = await detectShots(video, { ...job, signal });
      const moments = tellingMoments(scan, shots, { from_s, to_s });
      return beside_s.length === 0 ? moments.first(count) : moments.next(beside_s, count);
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
