import { wrongClaim } from "../../src/media/probe.ts";
import type { GraphContext } from "../context.ts";

/**
 * A diagnostic with a sentence that the video file ends before its header says, as a file does that was cut off. Empty
 * for other files.
 */
export function cutOff({ video }: Pick<GraphContext, "video">): { cut_off?: string } {
  const claim = wrongClaim(video.probe);
  if (claim === null || (video.probe.claimed_duration_s ?? 0) < video.probe.duration_s) return {};
  return {
    cut_off: `${claim} If the file was cut off, what came later is missing from this answer.`,
  };
}
