import { z } from "zod";
import type { CompareSpec } from "../video/compare-frames.ts";
import { defineTool } from "./define-tool.ts";
import { frameSize } from "./look.ts";
import { Time } from "./parameters.ts";

const FEWEST_COMPARED = 2;

export const compareFrames = defineTool({
  name: "compare_frames",
  description: new URL("./compare_frames.md", import.meta.url),
  parameters: z.object({
    times_s: z
      .array(Time)
      .min(FEWEST_COMPARED)
      .max(6)
      .describe("times of the frames, in seconds, two to six"),
  }),
  needs: ["pictures"],
  cost: { frames: ({ times_s }) => times_s.length, atLeast: FEWEST_COMPARED },
  async run({ times_s }, { video, settings, allowed, job }) {
    const { compareSheet } = await import("../video/compare-frames.ts");
    const spec: CompareSpec = { times_s: times_s.slice(0, allowed), ...frameSize(settings) };
    return { type: "sheets", sheets: [await compareSheet(video, spec, job)] };
  },
});
