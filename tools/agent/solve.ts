import { z } from "zod";
import { defineTool } from "./define-tool.ts";

export const solve = defineTool({
  name: "solve",
  description: new URL("./solve.md", import.meta.url),
  parameters: z.object({
    equations: z
      .array(z.string().min(1).max(500))
      .min(1)
      .max(8)
      .describe("one to eight equations, such as 2x + y = 11"),
    for: z
      .array(z.string().min(1).max(20))
      .min(1)
      .max(8)
      .describe("one to eight unknowns to solve for, such as x"),
  }),
  needs: [],
  cost: "nothing",
  async run(given, { video, job: { signal } }) {
    const { solve: solutionsOf } = await import("../mathematics/calculate.ts");
    const { calculationEvidence } = await import("../mathematics/calculation-evidence.ts");
    const result = await solutionsOf(given, { signal });
    return { type: "items", items: [calculationEvidence(video.hash, result, [])] };
  },
});
