import type { GraphContext } from "../context.ts";
import { standard } from "../define-strategy.ts";
import type { Search, SearchUpdate } from "./state.ts";

const WHY_ORDER =
  "Shuffled clips are put in order by recognition and comparison, not by a search for frames.";

/**
 * Falls back to the default strategy with a model: for clips to put in order, and if the server or its model supports
 * no tool calls. The diagnostics of the answer report it.
 */
export async function fallBack(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const { question, evidence } = state;
  const isOrder = question.task === "order";
  if (isOrder) noteFallback(WHY_ORDER, context);
  return context.ask(standard("with-model").name, {
    question,
    evidence,
    diagnostics: isOrder ? fallbackDiagnostics(WHY_ORDER) : state.diagnostics,
    settings: withinBudget(context),
  });
}

export function noteFallback(why: string, context: GraphContext): void {
  const text = `The strategy ${standard("with-model").name} takes over: ${why}`;
  context.emit("search", { type: "note", text });
}

export function fallbackDiagnostics(why: string): Record<string, unknown> {
  return { handed_over: standard("with-model").name, why_handed_over: why };
}

/** With a budget of calls, one call describes all parts. */
function withinBudget({ ledger }: GraphContext): Record<string, unknown> {
  return ledger.left().calls === null ? {} : { "recognition.mode": "all-at-once" };
}
