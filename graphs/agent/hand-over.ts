import type { GraphContext } from "../context.ts";
import { videoQaGraph } from "../rrd/graph.ts";
import type { Search, SearchUpdate } from "./state.ts";

const WHY_ORDER =
  "Shuffled clips are put in order by recognition and comparison, not by a search for frames.";

/**
 * The strategy `rrd` answers in the agent's place: for clips to be put in order, and where a server or its model calls
 * no tools. The answer's diagnostics say so.
 */
export async function handOver(state: Search, context: GraphContext): Promise<SearchUpdate> {
  const { question, evidence } = state;
  const asOrder = question.task === "order";
  if (asOrder)
    context.emit("search", { type: "note", text: `The strategy rrd takes over: ${WHY_ORDER}` });
  const diagnostics = asOrder
    ? { handed_over: "rrd", why_handed_over: WHY_ORDER }
    : state.diagnostics;
  const settings = { ...context.settings, strategy: "rrd" as const };
  const { answer, set } = await videoQaGraph.invoke(
    { question, evidence, diagnostics },
    { context: { ...context, settings: withinBudget(settings, context) } },
  );
  return { answer, set };
}

/** One call describes all parts where the calls that are left would not do for one each. */
function withinBudget(settings: GraphContext["settings"], { ledger }: GraphContext) {
  const { calls } = ledger.left();
  if (calls === null || settings.recognition.mode === "all-at-once") return settings;
  const mode = "all-at-once" as const;
  return { ...settings, recognition: { ...settings.recognition, mode } };
}
