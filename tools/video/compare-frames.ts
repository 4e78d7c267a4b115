import { z } from "zod";
import type { JobContext } from "../../src/core/job-context.ts";
import { checked } from "../read-request.ts";
import { makeSheet, type Sheet } from "./sheet.ts";
import type { Video } from "./video.ts";
import { framesAt } from "./view-frames.ts";

export const CompareSpec = z.strictObject({
  times_s: z.array(z.number().min(0)).min(2).max(6),
  /** Longest side in pixels of the single frames. */
  max_side: z.int().min(16).nullable().default(768),
  /** JPEG quality. */
  quality: z.int().min(1).max(100).default(85),
});
export type CompareSpec = z.input<typeof CompareSpec>;

/** Frames this wide for their height stand two in a row, not three, so that each stays large. */
const WIDE = 1.2;

/**
 * The frames on screen at two to six times side by side on one sheet, in the order asked for.
 * Throws as `framesAt`.
 */
export async function compareSheet(
  video: Video,
  spec: CompareSpec,
  job: JobContext,
): Promise<Sheet> {
  const read = checked(CompareSpec, spec, "a comparison of frames");
  const tiles = await framesAt(video, read, job);
  const { width = 1, height = 1 } = tiles[0] ?? {};
  const columns = width / height > WIDE ? 2 : 3;
  return makeSheet(tiles, { columns, quality: read.quality }, job);
}
