import { Annotation, type AnnotationRoot, type LastValue } from "@langchain/langgraph";
import type { Prompts } from "../prompts/load-prompts.ts";
import type { Store } from "../src/core/contracts.ts";
import { Failure } from "../src/core/errors.ts";
import type { Emit } from "../src/core/events.ts";
import type { JobContext } from "../src/core/job-context.ts";
import type { Ledger } from "../src/core/ledger.ts";
import type { ResolvedSettings } from "../src/core/settings.ts";
import type { Answer, Evidence, EvidenceSet, Question, Usage } from "../src/core/shapes.ts";
import type { Models } from "../src/models/chat.ts";
import type { Vector } from "../src/models/embeddings.ts";
import type { ToolDefinition } from "../tools/agent/define-tool.ts";
import type { Transcriber } from "../tools/speech/transcriber.ts";
import type { Video } from "../tools/video/video.ts";
import type { EventReplay } from "./replay-events.ts";
import type { Review } from "./stages/review/review.ts";
import type { Wording } from "./wording.ts";

/**
 * What every node receives in addition to the state, for one question in one epoch. It is passed as LangGraph's
 * `context` and never checkpointed: all of it can be rebuilt from settings and store.
 */
export interface GraphContext {
  store: Store;
  video: Video;
  /** With the strategy's defaults for the task filled in. */
  settings: ResolvedSettings;
  prompts: Prompts;
  models: Models;
  /**
   * Vectors of texts; null without embeddings, which is reported once. Within a question each text is embedded and
   * counted once.
   */
  embed: (texts: readonly string[], stage: string) => Promise<Vector[] | null>;
  /** Transcribes speech; null if no engine is named or speech is off. */
  transcriber: Transcriber | null;
  /** Of this question only. */
  ledger: Ledger;
  wording: Wording;
  /** Tools of the operator's MCP servers, in addition to the registered ones; absent: none. */
  serverTools?: readonly ToolDefinition[];
  /** The owner of the question; what a search saw is reused only for questions of the same owner. */
  owner?: string;
  emit: Emit;
  /** Where a person reviews the work, in a graph with a checkpointer; default: nowhere. */
  review?: Review;
  /** Of a graph with a checkpointer: what happened before it was interrupted. */
  replay?: EventReplay;
  /** The run to which memo steps belong. */
  run: string;
  epoch: number;
  signal?: AbortSignal;
  /** Usage of the calls made so far, repeated ones from the memo included. */
  usage(): Usage;
  /** Evidence that was emitted so far, in order. */
  emitted(): readonly Evidence[];
  /**
   * Lets another strategy answer, within the same run and budget. Its stages become events of this question; its answer
   * does not. Throws `Failure` `wrong-usage` for an unknown name.
   */
  ask(strategy: string, given?: AskGiven): Promise<StrategyAnswer>;
  /** The job context for the tools of a stage: their progress becomes events of that stage. */
  job(stage: string): JobContext;
}

/** The result of a strategy: an answer, and the evidence set that it cites. */
export interface StrategyAnswer {
  answer: Answer;
  set: EvidenceSet;
}

/** The input of another strategy. */
export interface AskGiven {
  /** Default: the same question. */
  question?: Question;
  /** Evidence that is known already. */
  evidence?: readonly Evidence[];
  diagnostics?: Record<string, unknown>;
  /**
   * Numbers repeated askings, below 1000: the model calls of each number get replies of their own. Default 0: the
   * replies are those of an asking without a number.
   */
  draw?: number;
  /** Values by path, such as `recognition.mode`, that differ from the settings of this question. */
  settings?: Readonly<Record<string, unknown>>;
}

/** The context as LangGraph types it. It is neither parsed nor stored there, so the schema is empty at run time. */
export const ContextSchema = Annotation.Root({}) as unknown as AnnotationRoot<{
  [Name in keyof GraphContext]: LastValue<GraphContext[Name]>;
}>;

/** LangGraph types the context as optional; our graphs require it. */
export function requireContext(context: GraphContext | undefined): GraphContext {
  if (context === undefined)
    throw new Failure(
      "wrong-usage",
      "No context: call graph.invoke(input, { context }) with a context from createContext().",
    );
  return context;
}
