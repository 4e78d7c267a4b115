import { AsyncResource } from "node:async_hooks";
import {
  type BaseCheckpointSaver,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { z } from "zod";
import type { Store } from "../src/core/contracts.ts";
import { Failure } from "../src/core/errors.ts";
import { hashOf } from "../src/core/hash.ts";
import { readSettings } from "../src/core/settings.ts";
import { Answer, EvidenceSet, TASKS } from "../src/core/shapes.ts";
import { type AskInStore, type AskOptions, askInStore, askOpened } from "./ask.ts";
import { withChosenStrategy } from "./choose-strategy.ts";
import { type StrategyGraph, strategies } from "./define-strategy.ts";
import { REVIEW_EVIDENCE, Review } from "./stages/review/review.ts";

/*
 * Asks a question in LangGraph, for LangGraph Studio, servers and checkpointers: each strategy is a node that opens the
 * video and runs the strategy's graph as its subgraph.
 *
 *   START -+- rrd: recognise -> search and reason -> cite -+-> END
 *          +- agent: ... ----------------------------------+
 *          +- ... -----------------------------------------+
 */

const QuestionInput = z.strictObject({
  text: z.string(),
  task: z.enum(TASKS).optional(),
  goal: z.string().optional().describe("what the shuffled clips add up to"),
  options: z.array(z.string()).optional().describe("texts of the options of a choice question"),
});

const inputFields = {
  video: z.string().describe("path of a video file"),
  question: z
    .union([z.string(), QuestionInput], {
      error: "use a text, or { text, options?, goal?, task? }",
    })
    .describe("words, or words with options or a goal"),
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('as in a settings file: { "model": "openai:gpt-4.1" }'),
  review: Review.nullish().describe("where the graph pauses for a person"),
};
const Input = new StateSchema(inputFields);
const Output = new StateSchema({ answer: Answer, evidence: EvidenceSet });
const State = new StateSchema({ ...inputFields, answer: Answer, evidence: EvidenceSet });
type Asked = typeof Input.State;

/** With what the graph is made. */
export interface AskGraphOptions {
  /** Keeps threads; a review needs one. A server of LangGraph sets its own. */
  checkpointer?: BaseCheckpointSaver;
  /** Default: the store in `settings.runtime.data`, opened for each question. */
  store?: Store;
  /** Default: the real ones. */
  createModels?: AskOptions["createModels"];
  /**
   * Turns the path and settings of the input into those that are used, or throws to refuse them; default: as they are
   * given. An input that comes from others over a network must be checked.
   */
  admit?: (asked: {
    video: string;
    settings: Record<string, unknown>;
  }) => Promise<{ video: string; settings: Record<string, unknown> }>;
}

/**
 * The graph that answers `{ video, question, settings?, review? }` with `{ answer, evidence }`. Events of the question
 * are the `custom` stream. With `review`, it pauses by `interrupt()` before it reasons over the evidence or before the
 * answer is final, and continues with a person's corrections, in this process or another.
 *
 * @example
 * const graph = await askGraph({ checkpointer });
 * const thread = { configurable: { thread_id: "1" } };
 * await graph.invoke({ video: "talk.mp4", question: "What is x?", review: "evidence" }, thread);
 * const corrections = [{ do: "change", id, change: { text: "x = 4" } }];
 * const { answer } = await graph.invoke(new Command({ resume: { corrections } }), thread);
 */
export async function askGraph(options: AskGraphOptions = {}) {
  const { admit = async (asked) => asked } = options;
  const names = strategies.names();
  async function strategyOf({ video, question, settings = {} }: Partial<Asked>) {
    if (video === undefined || question === undefined)
      throw new Failure(
        "wrong-usage",
        `The input has no ${video === undefined ? "video" : "question"}. Pass { video, question }.`,
      );
    const asked = await admit({ video, settings });
    return readSettings(withChosenStrategy(asked.settings)).strategy as typeof END;
  }
  const builder = new StateGraph({ input: Input, output: Output, state: State });
  for (const name of names) {
    const graph = await strategies.get(name).graph();
    builder.addNode(name, (asked, config) => answer(asked as Asked, config, graph, options), {
      // Every strategy's graph is a compiled one, which `StrategyGraph` says less of.
      subgraphs: [graph as never],
    });
    builder.addEdge(name as typeof START, END);
  }
  return builder
    .addConditionalEdges(START, strategyOf, names as (typeof END)[])
    .compile({ checkpointer: options.checkpointer });
}

async function answer(
  { video, question, settings = {}, review }: Asked,
  config: LangGraphRunnableConfig,
  graph: StrategyGraph,
  { store, createModels, admit = async (asked) => asked }: AskGraphOptions,
): Promise<Partial<typeof State.State>> {
  const run = checkpointedRun(config);
  if (review != null) checkReview(review, run, graph);
  const asked = await admit({ video, settings });
  const opened = {
    ...{ store, createModels, settings: asked.settings, signal: config.signal },
    // The events of inner nodes are the stream of this one.
    onEvent: config.writer === undefined ? undefined : AsyncResource.bind(config.writer),
  };
  const { answer, evidence } = await askOpened(asked.video, question, opened, async (parts) =>
    askInStore(
      run === null ? parts : { ...(await continued(parts, run)), review: review ?? undefined },
    ),
  );
  return { answer, evidence };
}

/** The question with what an earlier process did for the same task of the same thread. */
async function continued(parts: AskInStore, run: string): Promise<AskInStore> {
  const { store, question, video } = parts;
  // The events are removed with the video.
  await store.catalogue.putQuestion({ id: run, video: video.hash, json: JSON.stringify(question) });
  return { ...parts, run, events: run, recorded: await store.events.after(run, 0) };
}

/** Identifies the task in its thread, also in another process; null without a checkpointer. */
function checkpointedRun({ configurable = {} }: LangGraphRunnableConfig): string | null {
  const { thread_id, checkpoint_ns, __pregel_checkpointer } = configurable;
  if (thread_id === undefined || __pregel_checkpointer == null) return null;
  return hashOf(["langgraph", String(thread_id), String(checkpoint_ns)]);
}

function checkReview(review: Review, run: string | null, graph: StrategyGraph): void {
  if (run === null)
    throw new Failure(
      "wrong-usage",
      "A review needs a checkpointer and a thread: askGraph({ checkpointer }), and configurable.thread_id.",
    );
  const nodes = "nodes" in graph ? Object.keys(graph.nodes as object) : [];
  if (review === "evidence" && !nodes.includes(REVIEW_EVIDENCE))
    throw new Failure(
      "wrong-setting",
      'This strategy recognises nothing before it reasons: use "review": "answer".',
    );
}
