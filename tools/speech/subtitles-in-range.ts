import { z } from "zod";
import { byTimeKindId, isSpoken } from "../../src/core/evidence.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { parseRequest } from "../parse-request.ts";
import type { Video } from "../video/video.ts";
import { readSubtitles, subtitleEvidence } from "./subtitles.ts";

export const SubtitlesInSpec = z.strictObject({
  from_s: z.number(),
  to_s: z.number(),
  /** As in `readSubtitles`. */
  file: z.string().optional(),
  language: z.string().optional(),
});
export type SubtitlesInSpec = z.input<typeof SubtitlesInSpec>;

/**
 * Returns the subtitles of a range of a video as evidence; empty if the video has none. Throws what `readSubtitles`
 * throws.
 */
export async function subtitlesIn(
  video: Video,
  spec: SubtitlesInSpec,
  job: JobContext,
): Promise<Evidence[]> {
  const { from_s, to_s, ...options } = parseRequest(SubtitlesInSpec, spec, "subtitles");
  const { cues, source } = await readSubtitles(video, options, job);
  if (source === null) return [];
  const all = subtitleEvidence(video.hash, cues, { who: "file", name: source.name });
  return saidIn(all, from_s, to_s);
}

/** Returns what is said (subtitles or speech) among evidence, as far as it overlaps a range of the video, in seconds, in order of time. */
export function saidIn(evidence: readonly Evidence[], from_s: number, to_s: number): Evidence[] {
  return evidence
    .filter((item) => isSpoken(item) && item.end_s >= from_s && item.start_s <= to_s)
    .sort(byTimeKindId);
}
