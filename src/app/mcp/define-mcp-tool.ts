import type { z } from "zod";
import type { Part } from "../../models/chat.ts";
import type { McpCall } from "./mcp-call.ts";
import type { McpSession } from "./session.ts";

/** What a tool returns: data for programs, and the same as text and pictures for a model. */
export interface McpResult {
  /** Fits the output schema of the tool. */
  data: Record<string, unknown>;
  /** Texts of videos are quoted as data. */
  parts: readonly Part[];
  /** The call is an error to the client, which still gets the data. */
  failed?: boolean;
}

/** A tool as MCP clients see it. */
export interface McpTool<I extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For the model. */
  readonly description: string;
  /** Every member has a description. */
  readonly input: I;
  readonly output: z.ZodObject;
  /** It decodes or reads a video, so that only a few calls run at once. */
  readonly heavy?: true;
  /** It asks models, which are other machines. */
  readonly asksModels?: true;
  /** It shows files of the operator: over HTTP, only a key with the role `operate` may call it. */
  readonly operator?: true;
  /** Parses the arguments. Default: by `input`. Throws `Failure` `wrong-usage`. */
  read?(given: unknown): z.output<I>;
  /** Throws `Failure`. */
  run(given: z.output<I>, call: McpCall, session: McpSession): Promise<McpResult>;
}

/** Defines a tool for MCP clients. */
export function defineMcpTool<I extends z.ZodObject>(tool: McpTool<I>): McpTool {
  return tool as unknown as McpTool;
}
