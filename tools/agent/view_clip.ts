import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { Span } from "../video/span-media.ts";
import type { ViewSpec } from "../video/view-frames.ts";
import { defineTool } from "./define-tool.ts";
import { clipLabel, frameSize, MOST_LOOKED_AT, soundOf } from "./look.ts";
import { FROM_S, TO_S } from "./parameters.ts";
import type { ToolContext } from "./tool-context.ts";

/** Longest clip, and the shortest: a moment is shown with what follows it. Seconds. */
const LONGEST_CLIP_S = 120;
const SHORTEST_CLIP_S = 1;

export const viewClip = defineTool({
  name: "view_clip",
  description: new URL("./view_clip.md", import.meta.url),
  parameters: z.object({ from_s: FROM_S, to_s: TO_S }),
  needs: ["pictures"],
  cost: {
    async frames(span, context) {
      const { from_s, to_s } = span;
      if (to_s - from_s > LONGEST_CLIP_S)
        throw new Failure(
          "wrong-usage",
          `A clip lasts at most ${LONGEST_CLIP_S} s, and ${from_s} s to ${to_s} s is longer.`,
          { from_s, to_s },
        );
      return framesOfClip(await clipSpan(span, context), context.settings);
    },
  },
  look: "video",
  async run(given, context) {
    const { spanClip } = await import("../video/span-media.ts");
    const { viewFrames } = await import("../video/view-frames.ts");
    const { video, settings, allowed, job } = context;
    const span = await clipSpan(given, context);
    const spec: ViewSpec = { ...span, count: allowed, ...frameSize(settings) };
    const moments = await viewFrames(video, spec, job);
    const clip = await spanClip(video, span, settings.recognition.max_side, job);
    const media = [{ ...clip, label: clipLabel(span) }, ...(await soundOf(span, context))];
    return { type: "clip", moments, media };
  },
});

/** The part as far as the video has it; a moment near the end is shown with what comes before it. */
async function clipSpan(
  { from_s, to_s }: Span,
  { video, job }: Pick<ToolContext, "video" | "job">,
): Promise<Span> {
  const { frameTable } = await import("../video/video.ts");
  const { end_s } = await frameTable(video, job);
  // Times outside the video are refused when frames of the part are looked for.
  if (from_s > end_s || to_s < from_s) return { from_s, to_s };
  const begin_s = Math.max(0, Math.min(from_s, end_s - SHORTEST_CLIP_S));
  return { from_s: begin_s, to_s: Math.min(Math.max(to_s, begin_s + SHORTEST_CLIP_S), end_s) };
}

/** Frames that a clip counts for: as many as the server takes of it, at most as many as one look shows. */
function framesOfClip({ from_s, to_s }: Span, { recognition }: Settings): number {
  const { video_fps, video_frames } = recognition;
  const taken = Math.max(1, Math.ceil((to_s - from_s) * (video_fps ?? 1)));
  return Math.min(taken, video_frames ?? MOST_LOOKED_AT, MOST_LOOKED_AT);
}
