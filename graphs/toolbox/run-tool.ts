import type { ToolDefinition } from "../../tools/agent/define-tool.ts";
import { readArguments } from "../../tools/agent/read-arguments.ts";
import { withSeen } from "./offered-tools.ts";
import { type SearchSession, toolContext } from "./search-session.ts";
import { noFramesLeft, presentResult, type ShownResult } from "./tool-results.ts";

/**
 * Runs a tool with the frames that the budget has for it, and puts what it returns into words and pictures for the model.
 * Throws what the tool throws, and `Failure` `wrong-usage` for arguments that cannot be read.
 */
export async function runTool(
  tool: ToolDefinition,
  given: unknown,
  session: SearchSession,
): Promise<ShownResult> {
  const { name, parameters, cost } = tool;
  const args = readArguments(name, withSeen(parameters), given);
  const context = toolContext(session);
  let allowed = 0;
  if (cost !== "nothing") {
    allowed = session.shownEvidence.allow(await cost.frames(args, context));
    if (allowed < (cost.atLeast ?? 1)) return noFramesLeft(session);
  }
  return presentResult(await tool.run(args, { ...context, allowed }), name, session);
}
