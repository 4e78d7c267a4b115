import { z } from "zod";
import { defineTool } from "./define-tool.ts";

export const calculate = defineTool({
  name: "calculate",
  description: new URL("./calculate.md", import.meta.url),
  parameters: z.object({
    expression: z.string().min(1).max(1000).describe("expression, such as (3 + 5)^2 / 4"),
  }),
  needs: [],
  cost: "nothing",
  async run({ expression }, { video, job: { signal } }) {
    const { calculate: calculateExactly } = await import("../mathematics/calculate.ts");
    const { calculationEvidence } = await import("../mathematics/calculation-evidence.ts");
    const result = await calculateExactly({ expression }, { signal });
    return { type: "items", items: [calculationEvidence(video.hash, result, [])] };
  },
});
