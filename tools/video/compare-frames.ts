import { z } from "zod";
import type { JobContext } from "../../src/core/job-context.ts";
import { parseRequest } from "../parse-request.ts";
import { makeSheet, type Sheet } from "./contact-sheet.ts";
import type { Video } from "./video.ts";
import { framesAt } from "./view-frames.ts";

/** Which frames are shown together. Seconds from the start of the container. */
export const CompareSpec = z.strictObject({
  times_s: z.array(z.number().min(0)).min(2).max(6),
  /** Longest side of each frame in pixels. */
  max_side: z.int().min(16).nullable().default(768),
  /** JPEG quality. */
  quality: z.int().min(1).max(100).default(85),
});
export type CompareSpec = z.input<typeof CompareSpec>;

/** Aspect ratio above which two frames share a row instead of three, so that each stays large. */
const WIDE = 1.2;

/**
 * Returns a contact sheet of the frames on screen at two to six times, in the order requested.
 * Throws what `framesAt` throws.
 */
export async function compareSheet(
  video: Video,
  spec: CompareSpec,
  job: JobContext,
): Promise<Sheet> {
  const read = parseRequest(CompareSpec, spec, "a comparison of frames");
  const tiles = await framesAt(video, read, job);
  const { width = 1, height = 1 } = tiles[0] ?? {};
  const columns = width / height > WIDE ? 2 : 3;
  return makeSheet(tiles, { columns, quality: read.quality }, job);
}
