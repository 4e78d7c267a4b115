import { z } from "zod";
import type { ViewSpec } from "../video/view-frames.ts";
import { defineTool } from "./define-tool.ts";
import { frameSize, MOST_LOOKED_AT, soundOf } from "./look.ts";
import { FROM_S, TO_S } from "./parameters.ts";

export const viewFrames = defineTool({
  name: "view_frames",
  description: new URL("./view_frames.md", import.meta.url),
  parameters: z.object({
    from_s: FROM_S,
    to_s: TO_S,
    count: z.int().min(1).max(MOST_LOOKED_AT).describe("number of frames, evenly spread, 1 to 16"),
  }),
  needs: ["pictures"],
  cost: { frames: ({ count }) => count },
  look: "frames",
  async run({ from_s, to_s }, context) {
    const { viewFrames: framesOfPart } = await import("../video/view-frames.ts");
    const { video, settings, allowed, job } = context;
    const spec: ViewSpec = { from_s, to_s, count: allowed, ...frameSize(settings) };
    const frames = await framesOfPart(video, spec, job);
    return { type: "frames", frames, media: await soundOf({ from_s, to_s }, context) };
  },
});
