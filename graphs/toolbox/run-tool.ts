import { codeFailure } from "../../src/core/code-failure.ts";
import type { ToolDefinition } from "../../tools/agent/define-tool.ts";
import { readArguments } from "../../tools/agent/read-arguments.ts";
import type { ToolContext } from "../../tools/agent/tool-context.ts";
import { withSeen } from "./offered-tools.ts";
import { type SearchSession, toolContext } from "./search-session.ts";
import { noFramesLeft, presentResult, type ShownResult } from "./tool-results.ts";

/**
 * Runs a tool with the frames that the budget allows, and turns its result into text and pictures for the model.
 * Throws what the tool throws, and `Failure` `wrong-usage` for arguments that cannot be read.
 */
export async function runTool(
  tool: ToolDefinition,
  given: unknown,
  session: SearchSession,
): Promise<ShownResult> {
  const { name, parameters, cost, repair } = tool;
  const args = readArguments(name, withSeen(parameters), given, repair);
  const context = toolContext(session);
  let allowed = 0;
  if (cost !== "nothing") {
    allowed = session.shownEvidence.allow(await cost.frames(args, context));
    if (allowed < (cost.atLeast ?? 1)) return noFramesLeft(session);
  }
  const result = await runCode(tool, args, { ...context, allowed });
  return presentResult(result, name, session);
}

/** Throws `Failure` `code-failed` if a tool throws anything other than a failure. */
async function runCode(tool: ToolDefinition, args: unknown, context: ToolContext) {
  try {
    return await tool.run(args as never, context);
  } catch (error) {
    throw context.job.signal?.aborted ? error : codeFailure(error, `The tool ${tool.name}`);
  }
}
