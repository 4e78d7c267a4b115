import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { AT_S, BOX } from "./parameters.ts";

export const zoom = defineTool({
  name: "zoom",
  description: new URL("./zoom.md", import.meta.url),
  parameters: z.object({ at_s: AT_S, box: BOX }),
  needs: ["pictures"],
  cost: { frames: () => 1 },
  async run(spec, { video, job }) {
    const { zoomCrop } = await import("../video/zoom.ts");
    const { frame, box } = await zoomCrop(video, spec, job);
    return { type: "frames", frames: [frame], box };
  },
});
