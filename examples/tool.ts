import { defineTool, viewFrames } from "video-rrd";
import { z } from "zod";

/** Frames that are compared. */
const LOOKED_AT = 8;

/** Motion blurs the frames that a search happens to see; the sharpest one of a part is worth a look of its own. */
export default defineTool({
  name: "my_tool",
  // What the model reads: when to call it, and what comes back.
  description:
    "Shows the sharpest frame of a part of the video. Call it if writing or a face is blurred by motion.",
  parameters: z.object({
    from_s: z.number().min(0).describe("start of the part, in seconds"),
    to_s: z.number().min(0).describe("end of the part, in seconds, after its start"),
  }),
  needs: ["pictures"],
  // Only what is shown to the model counts for the budget.
  cost: { frames: () => 1 },
  async run({ from_s, to_s }, { video, job }) {
    const frames = await viewFrames(video, { from_s, to_s, count: LOOKED_AT }, job);
    const sizes = await Promise.all(
      frames.map(async ({ hash }) => (await job.store.blobs.read(hash)).length),
    );
    // Blur removes detail, and JPEG needs fewer bytes for less detail.
    const sharpest = frames[sizes.indexOf(Math.max(...sizes))];
    return { type: "frames", frames: sharpest === undefined ? [] : [sharpest] };
  },
});
