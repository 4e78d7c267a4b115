import { Failure, isFailure } from "../../src/core/errors.ts";
import { meaningOf } from "../../src/core/failure-kinds.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { ShownFrame } from "../../src/models/chat.ts";
import type { ToolDefinition } from "../../tools/agent/define-tool.ts";
import type { GraphContext } from "../context.ts";
import { runTool } from "./run-tool.ts";
import { seenCaption } from "./seen-caption.ts";
import { type ShownState, trackShownEvidence } from "./shown-evidence.ts";
import { type ShownResult, text } from "./tool-results.ts";

export interface ToolboxOptions {
  /** Stage of events and progress. */
  stage: string;
  /** Evidence of the video before the first call. */
  evidence?: readonly Evidence[];
  /** The state of an earlier toolbox of the same conversation, which this one continues. It replaces `evidence`. */
  state?: ShownState;
  /** Recognises what tools search, before the first call of a tool that needs an index. Default: only `evidence` is searched. */
  index?: () => Promise<readonly Evidence[]>;
  /** Counts calls and frames in the ledger when a tool shows them. Default: the call of the model counts its frames. */
  counts?: boolean;
}

/** The tools of one conversation. It names what they show, and keeps their frames within the budget. */
export interface Toolbox {
  /** Runs a call. A failure that concerns only this call is its result; any other one is thrown, by later calls too. */
  run(tool: ToolDefinition, given: unknown): Promise<ShownResult>;
  /** Evidence shown so far. */
  state(): ShownState;
  /** Whether the state has what tools search. */
  indexed(): boolean;
  /** Evidence in the order of its names: the first is `E1`. */
  shown(): Evidence[];
  /** Evidence that the next model call shows for the first time. */
  takeFresh(): { shown: ShownFrame[]; evidence: string[] };
  /** Frames that may still be shown, in words for the model. */
  left(): string;
  /** Throws the failure that ended the tools, if one did. */
  throwIfFailed(): void;
  calls(): number;
}

export function createToolbox(context: GraphContext, options: ToolboxOptions): Toolbox {
  const { stage, index, counts = false } = options;
  let state: ShownState = options.state ?? {
    evidence: options.evidence ?? [],
    shown: [],
    fresh: [],
    pictured: [],
  };
  let indexed = index === undefined;
  let carried = 0;
  let calls = 0;
  /** Counted by the tools but not yet returned by `takeFresh`. */
  let counted: ShownFrame[] = [];
  let failed: Failure | undefined;
  // Calls of one turn run one after another, so that evidence is named in the same order every time.
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** The pictures that the model had been shown when it made the calls of this turn. */
  let seenPictures: readonly string[] = [];

  async function runNow(tool: ToolDefinition, given: unknown): Promise<ShownResult> {
    if (failed !== undefined) throw failed;
    context.signal?.throwIfAborted();
    calls++;
    const call = { id: "", name: tool.name, arguments: given };
    const described = { ...state, pictured: seenPictures };
    const seen = tool.external === undefined ? seenCaption([call], described, context) : [];
    if (seen.length > 0) seenPictures = [];
    state = { ...state, evidence: [...state.evidence, ...seen] };
    try {
      if (counts) countCall();
      if (!indexed && tool.needs.includes("index")) {
        const found = (await index?.()) ?? [];
        indexed = true;
        state = { ...state, evidence: [...state.evidence, ...found] };
      }
      const shownEvidence = trackShownEvidence(state, context);
      const session = { context, evidence: state.evidence, shownEvidence, stage };
      const result = await runTool(tool, given, session);
      const update = shownEvidence.update();
      state = { ...update, evidence: [...state.evidence, ...update.evidence] };
      if (counts) countFrames();
      return result;
    } catch (error) {
      if (!isFailure(error)) throw error;
      if (meaningOf(error.kind).scope === "call") return refused(error.message);
      failed = error;
      throw error;
    }
  }

  function refused(problem: string): ShownResult {
    const words = context.prompts.render("agent/refused-call", { problem }).text;
    return { parts: [text(words)], names: [], refused: problem };
  }

  function countCall(): void {
    const booked = context.ledger.reserve({ calls: 1, frames: 0, tokens: 0, cost: null });
    if ("refused" in booked)
      throw new Failure(
        "wrong-usage",
        `The budget of ${booked.refused} is used up. Answer from what you were shown.`,
        { limit: booked.refused },
      );
    booked.settle({ calls: 1, frames: 0, tokens: 0, cost: 0 });
  }

  function countFrames(): void {
    const frames = state.fresh.length;
    const booked = context.ledger.reserve({ calls: 0, frames, tokens: 0, cost: null });
    if ("settle" in booked) booked.settle({ calls: 0, frames, tokens: 0, cost: 0 });
    counted = [...counted, ...state.fresh];
    state = { ...state, fresh: [] };
  }

  return {
    run(tool, given) {
      if (waiting === 0) seenPictures = state.pictured;
      waiting++;
      const result = tail.then(() => runNow(tool, given)).finally(() => waiting--);
      tail = result.catch(() => undefined);
      return result;
    },
    state: () => state,
    indexed: () => indexed,
    shown() {
      const byId = new Map(state.evidence.map((item) => [item.id, item]));
      return state.shown.flatMap((id) => byId.get(id) ?? []);
    },
    takeFresh() {
      const shown = [...counted, ...state.fresh];
      const taken = { shown, evidence: state.shown.slice(carried) };
      counted = [];
      carried = state.shown.length;
      state = { ...state, fresh: [] };
      return taken;
    },
    left: () => trackShownEvidence(state, context).left(),
    throwIfFailed() {
      if (failed !== undefined) throw failed;
    },
    calls: () => calls,
  };
}
