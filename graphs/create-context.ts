import { neutraliseQuestion } from "../prompts/caller-text.ts";
import type { Emit, Event } from "../src/core/events.ts";
import {
  type ResolvedSettings,
  type Settings,
  setValueAt,
  type TaskDefaults,
} from "../src/core/settings.ts";
import { addUsage, type Evidence, NO_USAGE, type Question } from "../src/core/shapes.ts";
import type { Models } from "../src/models/chat.ts";
import type { Embeddings, Vector } from "../src/models/embeddings.ts";
import type { Transcriber } from "../tools/speech/transcriber.ts";
import type { GraphContext } from "./context.ts";
import { invokeStrategy, withoutCheckpoints } from "./invoke-strategy.ts";
import { resolveQuestion } from "./question-settings.ts";
import { createReplay } from "./replay-events.ts";
import { ASK_WORDING, type Wording } from "./wording.ts";

type CreatedPart =
  | "usage"
  | "emitted"
  | "ask"
  | "job"
  | "models"
  | "embed"
  | "transcriber"
  | "replay"
  | "settings"
  | "wording";

/** What a context is made of. */
export type ContextParts = Omit<GraphContext, CreatedPart> & {
  /** Default: `ASK_WORDING`. */
  wording?: Wording;
  /** As they were read, without the defaults of the strategy. */
  settings: Settings;
  /** Its task decides which defaults apply. */
  question: Question;
  /** The defaults of an earlier run that continues; default: the current ones. */
  defaults?: TaskDefaults;
  /**
   * The events of the same run so far, for a graph with a checkpointer: what they say was spent counts, and what a
   * repeated node emits again becomes no second event.
   */
  recorded?: readonly Event[];
  /** Creates the models with an `emit` that counts their usage. */
  createModels: (emit: Emit) => Models;
  /** The same for embeddings, with the defaults filled in; default: none. */
  createEmbeddings?: (emit: Emit, settings: ResolvedSettings) => Embeddings;
  /** The same for the engine that transcribes speech; default: none. */
  createTranscriber?: (emit: Emit, settings: ResolvedSettings) => Transcriber | null;
};

/** Creates the context that every stage of one question receives. */
export function createContext({
  createModels,
  createEmbeddings,
  createTranscriber,
  settings,
  question,
  defaults,
  wording = ASK_WORDING,
  recorded,
  ...parts
}: ContextParts): GraphContext {
  let usage = NO_USAGE;
  const replay = recorded === undefined ? undefined : createReplay(recorded, parts.ledger);
  const emitted: Evidence[] = [...(replay?.evidence ?? [])];
  const emit: Emit = (stage, body) => {
    if (replay?.claims(stage, body)) return;
    if (body.type === "call") usage = addUsage(usage, body.call.usage);
    if (body.type === "evidence") emitted.push(body.item);
    parts.emit(stage, body);
  };
  const resolved = resolveQuestion(settings, question.task, wording, defaults);
  const context: Omit<GraphContext, "ask"> = {
    ...parts,
    wording,
    settings: resolved,
    emit,
    models: createModels(emit),
    embed: embedOnce(createEmbeddings?.(emit, resolved) ?? null, parts.video.hash, emit),
    transcriber: createTranscriber?.(emit, resolved) ?? null,
    ...(replay === undefined ? {} : { replay }),
    usage: () => (replay === undefined ? usage : addUsage(replay.usage(), usage)),
    emitted: () => emitted,
    job: (stage) => ({
      store: parts.store,
      run: parts.run,
      signal: parts.signal,
      progress: (done, total, unit) => emit(stage, { type: "progress", done, total, unit }),
    }),
  };
  return withAsk(context, settings, question, DRAWS_OF_ONE);
}

/** More draws than the calls of one strategy number. */
const DRAWS_OF_ONE = 1000;

/** Adds `ask` to a context. `step` keeps the draws of askings within askings apart. */
function withAsk(
  outer: Omit<GraphContext, "ask">,
  settings: Settings,
  question: Question,
  step: number,
): GraphContext {
  const ask: GraphContext["ask"] = (strategy, given = {}) => {
    const { evidence = [], diagnostics = {}, draw = 0 } = given;
    const asked = neutraliseQuestion(given.question ?? question, outer.prompts.neutralise);
    const changed = { ...structuredClone(settings), strategy };
    for (const [path, value] of Object.entries(given.settings ?? {}))
      setValueAt(changed, path.split("."), value);
    const inner = {
      ...outer,
      review: undefined,
      replay: undefined,
      settings: resolveQuestion(changed, asked.task, outer.wording),
      models: draw === 0 ? outer.models : drawnAgain(outer.models, draw * step),
      emit: ((stage, body) => {
        // The strategy that asked gives the one answer of the question.
        if (body.type === "answer") return;
        // Several askings find the same evidence; it becomes one event.
        const isKnown =
          body.type === "evidence" && outer.emitted().some(({ id }) => id === body.item.id);
        if (!isKnown) outer.emit(stage, body);
      }) satisfies Emit,
    };
    const work = () =>
      invokeStrategy(
        strategy,
        { question: asked, evidence: [...evidence], diagnostics },
        withAsk(inner, changed, asked, step * DRAWS_OF_ONE),
      );
    // It is repeated as a whole if the node that asks is, so it has no checkpoints of its own.
    return outer.replay === undefined ? work() : withoutCheckpoints(work);
  };
  return { ...outer, ask };
}

function drawnAgain(models: Models, by: number): Models {
  return { ...models, call: (call) => models.call({ ...call, draw: (call.draw ?? 0) + by }) };
}

function embedOnce(
  embeddings: Embeddings | null,
  video: string,
  emit: Emit,
): GraphContext["embed"] {
  const known = new Map<string, Vector>();
  let isReported = false;
  return async (texts, stage) => {
    if (embeddings === null || embeddings.name === null) return null;
    const missing = [...new Set(texts)].filter((text) => !known.has(text));
    const result = await embeddings.embed(missing, { stage, label: "what texts mean", video });
    if (result.status === "embedded") {
      for (const [index, text] of missing.entries())
        known.set(text, result.vectors[index] as Vector);
      return texts.map((text) => known.get(text) as Vector);
    }
    const why = result.status === "none" ? result.why : `The limit of ${result.limit} was met.`;
    if (!isReported) emit(stage, { type: "note", text: `Searching by words only. ${why}` });
    isReported = true;
    return null;
  };
}
