import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { FROM_S, TO_S } from "./parameters.ts";

/** Subtitles that one call returns at most. */
const MOST_CUES = 40;

export const subtitles = defineTool({
  name: "subtitles",
  description: new URL("./subtitles.md", import.meta.url),
  parameters: z.object({ from_s: FROM_S, to_s: TO_S }),
  needs: ["index"],
  cost: "nothing",
  async run({ from_s, to_s }, { evidence }) {
    const { saidIn } = await import("../speech/subtitles-in-range.ts");
    const said = saidIn(evidence, from_s, to_s);
    const items = said.slice(0, MOST_CUES);
    return { type: "items", items, more_from_s: said[MOST_CUES]?.start_s };
  },
});
