import { z } from "zod";
import { byTimeKindId } from "../../src/core/evidence.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { parseRequest } from "../parse-request.ts";
import type { Video } from "../video/video.ts";
import { readSubtitles, subtitleEvidence } from "./subtitles.ts";

export const SubtitlesInSpec = z.strictObject({
  from_s: z.number(),
  to_s: z.number(),
  /** As for `readSubtitles`. */
  file: z.string().optional(),
  language: z.string().optional(),
});
export type SubtitlesInSpec = z.input<typeof SubtitlesInSpec>;

/** What is said in a part of a video, by its subtitles; nothing where it has none. Throws as `readSubtitles`. */
export async function subtitlesIn(
  video: Video,
  spec: SubtitlesInSpec,
  job: JobContext,
): Promise<Evidence[]> {
  const { from_s, to_s, ...options } = parseRequest(SubtitlesInSpec, spec, "subtitles");
  const { cues, source } = await readSubtitles(video, options, job);
  if (source === null) return [];
  const all = subtitleEvidence(video.hash, cues, { who: "file", name: source.name });
  return subtitlesOf(all, from_s, to_s);
}

/** The subtitles among evidence that stand in a part of the video, in seconds, by time. */
export function subtitlesOf(
  evidence: readonly Evidence[],
  from_s: number,
  to_s: number,
): Evidence[] {
  return evidence
    .filter((item) => item.kind === "subtitle" && item.end_s >= from_s && item.start_s <= to_s)
    .sort(byTimeKindId);
}
