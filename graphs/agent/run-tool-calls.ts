import { isFailure } from "../../src/core/errors.ts";
import { meaningOf } from "../../src/core/failure-kinds.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { Message, ToolCall } from "../../src/models/chat.ts";
import type { ToolDefinition } from "../../tools/agent/define-tool.ts";
import type { GraphContext } from "../context.ts";
import { offeredTools } from "../toolbox/offered-tools.ts";
import { reportToolCall } from "../toolbox/report-tool-call.ts";
import { runTool } from "../toolbox/run-tool.ts";
import type { SearchSession } from "../toolbox/search-session.ts";
import { seenCaption } from "../toolbox/seen-caption.ts";
import { trackShownEvidence } from "../toolbox/shown-evidence.ts";
import { type ShownResult, text } from "../toolbox/tool-results.ts";
import type { Search, SearchUpdate } from "./state.ts";
import { namesOf } from "./tool-specs.ts";
import { keptForVerifying } from "./turn-budget.ts";

const STAGE = "look";

/** Most calls of one turn that are run. */
const MOST_AT_ONCE = 8;

/** Runs the calls of the last turn one after another, so that evidence is named in the same order every time. */
export async function runToolCalls(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const calls = lastCalls(state.messages);
  const offered = offeredTools(context);
  const toolOf = ({ name }: ToolCall) => offered.find((tool) => tool.name === name);
  const describing = calls.filter((call) => toolOf(call)?.external === undefined);
  const seen = seenCaption(describing, state, context);
  const evidence = [...state.evidence, ...seen];
  const shownEvidence = trackShownEvidence(
    { ...state, evidence },
    context,
    keptForVerifying(context),
  );
  const session: SearchSession = { context, evidence, shownEvidence, stage: STAGE };
  const made = { ...state.made };
  const results: Message[] = [];
  const tally = { unknown_tools: 0, refused_calls: 0, repeated_calls: 0 };
  let ranOut = false;
  for (const [index, call] of calls.entries()) {
    const tool = toolOf(call);
    const key = keyOf(call, tool?.varies?.(session));
    // A server may tell something else the next time.
    const varies = tool?.external?.pure === false;
    const before = varies ? undefined : made[key];
    let result: ShownResult;
    if (index >= MOST_AT_ONCE) result = remark("agent/not-run", {}, context);
    else if (before !== undefined) {
      tally.repeated_calls++;
      result = remark("agent/repeated", { names: before.join(", ") || "nothing" }, context);
    } else {
      const { end, ...shown } = await runCall(call, tool, offered, session);
      result = shown;
      if (end === "unknown") tally.unknown_tools++;
      if (end === "refused") tally.refused_calls++;
      if (result.spent) ranOut = true;
      else made[key] = result.names;
    }
    results.push({ role: "tool", toolCallId: call.id, name: call.name, parts: result.parts });
  }
  const update = shownEvidence.update();
  return {
    ...update,
    evidence: [...seen, ...(update.evidence ?? [])],
    messages: [...state.messages, ...results],
    made,
    repeated: state.repeated + tally.repeated_calls,
    spent: ranOut ? "frames" : state.spent,
    diagnostics: addCounts(state.diagnostics, tally),
    next: "turn",
  };
}

/** The calls of the last turn. */
export function lastCalls(messages: readonly Message[]): ToolCall[] {
  const last = messages.at(-1);
  return last?.role === "assistant" ? last.toolCalls : [];
}

async function runCall(
  call: ToolCall,
  tool: ToolDefinition | undefined,
  offered: readonly ToolDefinition[],
  session: SearchSession,
): Promise<ShownResult & { end: "done" | "unknown" | "refused" }> {
  const { context } = session;
  if (tool === undefined) {
    const variables = { called: call.name, tools: namesOf(offered) };
    return { ...remark("agent/unknown-tool", variables, context), end: "unknown" };
  }
  try {
    const work = () => runTool(tool, call.arguments, session);
    return { ...(await reportToolCall(call, work)), end: "done" };
  } catch (error) {
    if (!isFailure(error) || meaningOf(error.kind).scope !== "call") throw error;
    const refused = remark("agent/refused-call", { problem: error.message }, context);
    return { ...refused, end: "refused" };
  }
}

function remark(
  name: "agent/not-run" | "agent/repeated" | "agent/unknown-tool" | "agent/refused-call",
  variables: Record<string, string>,
  { prompts }: GraphContext,
): ShownResult {
  return { parts: [text(prompts.render(name, variables as never).text)], names: [] };
}

/** Equal for calls that show the same: `seen` and members that are null make no difference. */
function keyOf(
  { name, arguments: given }: Pick<ToolCall, "name" | "arguments">,
  varying: number | undefined,
): string {
  const more = varying === undefined ? [] : [varying];
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return hashOf([name, given, ...more]);
  const members = Object.entries(given).filter(([key, value]) => key !== "seen" && value !== null);
  return hashOf([name, Object.fromEntries(members), ...more]);
}

/** Counts of the whole search. */
function addCounts(
  diagnostics: Record<string, unknown>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(more).flatMap(([name, count]) => {
      const sum = count + (typeof diagnostics[name] === "number" ? diagnostics[name] : 0);
      return sum === 0 ? [] : [[name, sum]];
    }),
  );
}
