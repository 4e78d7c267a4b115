import { z } from "zod";
import { readReturned } from "../../src/core/read-returned.ts";
import { Evidence } from "../../src/core/shapes.ts";
import type { ToolResult } from "../../tools/agent/tool-context.ts";

const frames = z.array(z.looseObject({ hash: z.string(), t_s: z.number() }));
const Result = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("items"),
    items: z.array(Evidence),
    more_from_s: z.number().optional(),
  }),
  z.looseObject({ type: z.literal("frames"), frames }),
  z.looseObject({ type: z.literal("sheets"), sheets: z.array(z.looseObject({})) }),
  z.looseObject({ type: z.literal("clip"), moments: frames, media: z.array(z.looseObject({})) }),
  z.looseObject({ type: z.literal("quoted"), text: z.string(), pictures: frames.optional() }),
]);

/** Checks what the code of a tool returned. Throws `Failure` `code-failed` that names the tool and the wrong member. */
export function checkResult(result: ToolResult, tool: string): void {
  readReturned(Result, result, `The tool ${tool}`, EXPECTED);
}

const EXPECTED =
  'return { type: "items", items }, { type: "frames", frames } or another result of a tool';
