import { Annotation, type AnnotationRoot, type LastValue } from "@langchain/langgraph";
import type { Prompts } from "../prompts/load.ts";
import type { Store } from "../src/core/contracts.ts";
import { Failure } from "../src/core/errors.ts";
import type { Emit } from "../src/core/events.ts";
import type { Work } from "../src/core/job-context.ts";
import type { Ledger } from "../src/core/ledger.ts";
import type { Settings } from "../src/core/settings.ts";
import { addUsage, NO_USAGE, type Usage } from "../src/core/shapes.ts";
import type { Models } from "../src/models/chat.ts";
import type { Embeddings, Vector } from "../src/models/embeddings.ts";
import type { Video } from "../tools/video/video.ts";

/** Whose answer format and order of text and pictures a question is put in. */
export const WORDINGS = ["ask", "vcrbench", "mmr-v", "videomathqa"] as const;
export type Wording = (typeof WORDINGS)[number];

/**
 * What every node is given beside the state: the tools of one question in one epoch. It travels as LangGraph's
 * `context` and is never checkpointed; all that it holds can be made again from settings and store.
 */
export interface GraphContext {
  store: Store;
  video: Video;
  settings: Settings;
  prompts: Prompts;
  models: Models;
  /**
   * What texts mean, as vectors; null where no embeddings are to be had, which is told once. Within a question each
   * text is asked for and counted once.
   */
  embed: (texts: readonly string[], stage: string) => Promise<Vector[] | null>;
  /** Of this question alone. */
  ledger: Ledger;
  wording: Wording;
  /** Whose question it is, where what a search saw must not reach the questions of others. */
  owner?: string;
  emit: Emit;
  /** The run that pays for memo steps. */
  run: string;
  epoch: number;
  signal?: AbortSignal;
  /** Usage of the calls made so far, repeated ones from the memo included. */
  usage(): Usage;
  /** What a tool is given that works for a stage: its progress becomes events of that stage. */
  work(stage: string): Work;
}

/**
 * The context as LangGraph types it. It is neither parsed nor kept there, so the schema has nothing to say at run time.
 */
export const ContextSchema = Annotation.Root({}) as unknown as AnnotationRoot<{
  [Name in keyof GraphContext]: LastValue<GraphContext[Name]>;
}>;

export type ContextParts = Omit<GraphContext, "usage" | "work" | "models" | "embed"> & {
  /** Makes the models out of the emit whose calls are counted. */
  createModels: (emit: Emit) => Models;
  /** The same for embeddings; default: none. */
  createEmbeddings?: (emit: Emit) => Embeddings;
};

export function createContext({
  createModels,
  createEmbeddings,
  ...parts
}: ContextParts): GraphContext {
  let usage = NO_USAGE;
  const emit: Emit = (stage, body) => {
    if (body.type === "call") usage = addUsage(usage, body.call.usage);
    parts.emit(stage, body);
  };
  return {
    ...parts,
    emit,
    models: createModels(emit),
    embed: eachOnce(createEmbeddings?.(emit) ?? null, parts.video.hash, emit),
    usage: () => usage,
    work: (stage) => ({
      store: parts.store,
      run: parts.run,
      signal: parts.signal,
      progress: (done, total, unit) => emit(stage, { type: "progress", done, total, unit }),
    }),
  };
}

/** LangGraph types the context as optional; a graph of ours cannot run without one. */
export function requireContext(context: GraphContext | undefined): GraphContext {
  if (context === undefined)
    throw new Failure(
      "wrong-usage",
      "Expected graph.invoke(input, { context }) with a context from createContext(), but there was none.",
    );
  return context;
}

function eachOnce(embeddings: Embeddings | null, video: string, emit: Emit): GraphContext["embed"] {
  const known = new Map<string, Vector>();
  let told = false;
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
    if (!told) emit(stage, { type: "note", text: `Searching by words alone. ${why}` });
    told = true;
    return null;
  };
}
