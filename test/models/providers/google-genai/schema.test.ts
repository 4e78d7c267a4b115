import { expect, test } from "vitest";
import { z } from "zod";
import { geminiTool } from "../../../../src/models/providers/google-genai/schema.ts";

test("a schema keeps its meaning with Gemini's keywords", () => {
  const { function: described } = geminiTool({
    name: "view_frames",
    description: "looks",
    schema: z.object({
      from_s: z.number().positive().describe("seconds"),
      count: z.number().min(1).max(32).default(4),
      kind: z.literal("caption"),
      kinds: z.array(z.enum(["caption", "text"])).optional(),
      box: z.object({ x: z.number() }).nullable().describe("pixels"),
      at: z.union([z.number(), z.string()]),
      to_s: z.number().max(9).nullable(),
      pair: z.tuple([z.number(), z.number()]),
    }),
  });
  expect(described.parameters).toEqual({
    type: "object",
    properties: {
      from_s: { type: "number", minimum: 0, description: "seconds" },
      count: { type: "number", minimum: 1, maximum: 32, default: 4 },
      kind: { type: "string", enum: ["caption"] },
      kinds: { type: "array", items: { type: "string", enum: ["caption", "text"] } },
      box: {
        type: "object",
        properties: { x: { type: "number" } },
        required: ["x"],
        nullable: true,
        description: "pixels",
      },
      at: { anyOf: [{ type: "number" }, { type: "string" }] },
      to_s: { type: "number", maximum: 9, nullable: true },
      pair: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
    },
    required: ["from_s", "kind", "box", "at", "to_s", "pair"],
  });
});
