import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { McpTool } from "./define-mcp-tool.ts";

/** A tool as `tools/list` describes it. */
export function describeMcpTool({
  name,
  title,
  description,
  input,
  output,
  asksModels,
}: McpTool): Tool {
  return {
    name,
    title,
    description,
    inputSchema: jsonSchema(input, "input"),
    outputSchema: jsonSchema(output, "output"),
    // Tools write only to the store of this server.
    annotations: { readOnlyHint: true, openWorldHint: asksModels ?? false },
  };
}

function jsonSchema(schema: z.ZodObject, io: "input" | "output"): Tool["inputSchema"] {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io });
  return made as Tool["inputSchema"];
}
