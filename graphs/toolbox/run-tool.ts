import { codeFailure } from "../../src/core/code-failure.ts";
import { Failure } from "../../src/core/errors.ts";
import type { ToolDefinition } from "../../tools/agent/define-tool.ts";
import { readArguments } from "../../tools/agent/read-arguments.ts";
import type { ToolContext } from "../../tools/agent/tool-context.ts";
import { checkResult } from "./check-result.ts";
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
  const { name, parameters, cost, repair, external } = tool;
  const args =
    external === undefined ? readArguments(name, withSeen(parameters), given, repair) : given;
  const context = toolContext(session);
  let allowed = 0;
  if (cost !== "nothing") {
    allowed = session.shownEvidence.allow(await cost.frames(args as never, context));
    if (allowed < (cost.atLeast ?? 1)) return noFramesLeft(session);
  }
  const call = { ...context, allowed };
  const result =
    external === undefined
      ? await runCode(tool, args, call, session)
      : await withinSeconds(call, session, (limited) => runCode(tool, args, limited, session));
  return presentResult(result, name, session);
}

/** Ends a call when the budget has no seconds left: a server may never answer. */
async function withinSeconds<T>(
  toolContext: ToolContext,
  { context }: SearchSession,
  call: (limited: ToolContext) => Promise<T>,
): Promise<T> {
  const { seconds } = context.ledger.left();
  if (seconds === null) return call(toolContext);
  const { job } = toolContext;
  const timeUp = new AbortController();
  const failure = new Failure("mcp-server", "The budget of seconds is used up.");
  const timer = setTimeout(() => timeUp.abort(failure), Math.min(seconds * 1000, 2 ** 31 - 1));
  const signals = [timeUp.signal, ...(job.signal === undefined ? [] : [job.signal])];
  try {
    return await call({ ...toolContext, job: { ...job, signal: AbortSignal.any(signals) } });
  } finally {
    clearTimeout(timer);
  }
}

/** Throws `Failure` `code-failed` if a tool throws anything other than a failure. */
async function runCode(
  tool: ToolDefinition,
  args: unknown,
  toolContext: ToolContext,
  { context, stage }: SearchSession,
) {
  const { name } = tool;
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  try {
    const result = await tool.run(args as never, toolContext);
    checkResult(result, name);
    context.emit(stage, { type: "tool", name, seconds: seconds() });
    return result;
  } catch (error) {
    if (context.signal?.aborted) throw error;
    const failure = codeFailure(error, `The tool ${name}`);
    const kind = failure instanceof Failure ? failure.kind : "code-failed";
    context.emit(stage, { type: "tool", name, seconds: seconds(), error: kind });
    throw failure;
  }
}
