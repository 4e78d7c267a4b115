import { z } from "zod";
import { ocrLanguages } from "../../src/core/settings/ocr-languages.ts";
import { defineTool } from "./define-tool.ts";
import { AT_S, BOX_OR_WHOLE } from "./parameters.ts";

export const readText = defineTool({
  name: "read_text",
  description: new URL("./read_text.md", import.meta.url),
  parameters: z.object({ at_s: AT_S, box: BOX_OR_WHOLE }),
  needs: ["pictures"],
  cost: "nothing",
  async run({ at_s, box }, { video, settings, job }) {
    const { readTextAt } = await import("../text/read-text-at.ts");
    const items = await readTextAt(
      video,
      { at_s, box: box ?? undefined, ...ocrLanguages(settings.recognition) },
      job,
    );
    return { type: "items", items: items.filter((item) => item.text !== "") };
  },
});
