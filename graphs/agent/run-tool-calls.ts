import { isFailure } from "../../src/core/errors.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import { meaningOf } from "../../src/core/failure-kinds.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { Message, ToolCall } from "../../src/models/chat.ts";
import { isTool, readArguments } from "../../tools/agent/arguments.ts";
import type { GraphContext } from "../context.ts";
import { onOneLine } from "../replies/reply-text.ts";
import { type AgentTool, toolsFor } from "./offered-tools.ts";
import { beginShowing } from "./shown-evidence.ts";
import type { Search, SearchUpdate } from "./state.ts";
import { type Desk, type Result, text } from "./tool-results.ts";
import { TOOLS } from "./tools.ts";

const STAGE = "look";

/** Calls of one turn that are carried out. */
const MOST_AT_ONCE = 8;

/** Carries out the calls of the last turn one after another, so that names come in the same order every time. */
export async function act(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const calls = callsOf(state.messages);
  const noted = seenIn(calls, state, context);
  const evidence = [...state.evidence, ...noted];
  const showing = beginShowing({ ...state, evidence }, context);
  const desk: Desk = { context, evidence, showing, stage: STAGE };
  const made = { ...state.made };
  const results: Message[] = [];
  const tally = { unknown_tools: 0, refused_calls: 0, repeated_calls: 0 };
  let ranOut = false;
  for (const [index, call] of calls.entries()) {
    const key = keyOf(call);
    const before = made[key];
    let result: Result;
    if (index >= MOST_AT_ONCE) result = remark("agent/not-run", {}, context);
    else if (before !== undefined) {
      tally.repeated_calls++;
      result = remark("agent/repeated", { names: before.join(", ") || "nothing" }, context);
    } else {
      const { kind, ...carriedOut } = await carryOut(call, desk);
      result = carriedOut;
      if (kind === "unknown") tally.unknown_tools++;
      if (kind === "refused") tally.refused_calls++;
      if (result.spent) ranOut = true;
      else made[key] = result.names;
    }
    results.push({ role: "tool", toolCallId: call.id, name: call.name, parts: result.parts });
  }
  const update = showing.update();
  return {
    ...update,
    evidence: [...noted, ...(update.evidence ?? [])],
    messages: [...state.messages, ...results],
    made,
    repeated: state.repeated + tally.repeated_calls,
    spent: ranOut ? "frames" : state.spent,
    diagnostics: added(state.diagnostics, tally),
    next: "think",
  };
}

/** The calls of the last turn. */
export function callsOf(messages: readonly Message[]): ToolCall[] {
  const last = messages.at(-1);
  return last?.role === "assistant" ? last.toolCalls : [];
}

async function carryOut(
  call: ToolCall,
  desk: Desk,
): Promise<Result & { kind: "done" | "unknown" | "refused" }> {
  const { context } = desk;
  const tools = toolsFor(context);
  const name = tools.find((tool) => tool === call.name);
  if (name === undefined || !isTool(name)) {
    const variables = { called: call.name, tools: [...tools, "answer"].join(", ") };
    return { ...remark("agent/unknown-tool", variables, context), kind: "unknown" };
  }
  try {
    return { ...(await run(name, call.arguments, desk)), kind: "done" };
  } catch (error) {
    if (!isFailure(error) || meaningOf(error.kind).scope !== "call") throw error;
    const refused = remark("agent/refused-call", { problem: error.message }, context);
    return { ...refused, kind: "refused" };
  }
}

async function run<N extends AgentTool>(name: N, given: unknown, desk: Desk): Promise<Result> {
  return TOOLS[name](readArguments(name, given), desk);
}

function remark(
  name: "agent/not-run" | "agent/repeated" | "agent/unknown-tool" | "agent/refused-call",
  variables: Record<string, string>,
  { prompts }: GraphContext,
): Result {
  return { parts: [text(prompts.render(name, variables as never).text)], names: [] };
}

/** Equal for calls that would show the same: what the model says it saw is no part of it, nor what it leaves empty. */
function keyOf({ name, arguments: given }: Pick<ToolCall, "name" | "arguments">): string {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return hashOf([name, given]);
  const told = Object.entries(given).filter(([key, value]) => key !== "seen" && value !== null);
  return hashOf([name, Object.fromEntries(told)]);
}

/**
 * What the model says it saw in the pictures it was shown last, as a caption of the time they cover: found by later
 * searches, of this question and of others, and never evidence that this answer can rest on unless a search shows it.
 * It refines the captions that cover the time more broadly, and names them.
 */
export function seenIn(
  calls: readonly ToolCall[],
  { pictured, evidence }: Search,
  context: GraphContext,
): Evidence[] {
  const words = calls.map(({ arguments: given }) => seenOf(given)).find((said) => said !== "");
  const pictures = evidence.filter((item) => pictured.includes(item.id));
  if (words === undefined || pictures.length === 0) return [];
  const start_s = Math.min(...pictures.map((picture) => picture.start_s));
  const end_s = Math.max(...pictures.map((picture) => picture.end_s));
  const refined = evidence.filter(
    (item) => item.kind === "caption" && item.start_s <= start_s && item.end_s >= end_s,
  );
  const item = makeEvidence({
    video: context.video.hash,
    kind: "caption",
    start_s,
    end_s,
    text: words,
    frame: pictures[Math.floor(pictures.length / 2)]?.frame,
    by: { who: "model", name: context.models.nameOf("reasoner") ?? "unnamed" },
    confidence: null,
    from: [...pictures, ...refined].map(({ id }) => id),
  });
  return [item];
}

function seenOf(given: unknown): string {
  if (typeof given !== "object" || given === null || !("seen" in given)) return "";
  return typeof given.seen === "string" ? onOneLine(given.seen).slice(0, 2000) : "";
}

/** Counts of the whole search. */
export function added(
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
