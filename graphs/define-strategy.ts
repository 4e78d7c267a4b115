import type { DefinedPrompt } from "../prompts/catalogue.ts";
import { Failure } from "../src/core/errors.ts";
import type { Role } from "../src/core/events.ts";
import { createRegistry, type Registry } from "../src/core/registry.ts";
import {
  type ResolvedSettings,
  type Settings,
  type SettingsReader,
  settingsReaders,
} from "../src/core/settings.ts";
import type { Evidence, FrameRef, Question, Task } from "../src/core/shapes.ts";
import type { AnswerPrompt, QuestionKind } from "./answer-formats.ts";
import type { QuestionSetup } from "./answer-prompts.ts";
import type { GraphContext, StrategyAnswer } from "./context.ts";
import type { Outcome, Segment } from "./outcome.ts";
import type { PlannedQuestion, ShownAmount, StagePlan } from "./planned-stages.ts";
import type { RunStrategy } from "./run-graph.ts";
import type { Wording } from "./wording.ts";

/**
 * How a strategy answers: in one call; by recognition and then reasoning over descriptions; by a search that the model
 * controls with tools; or in another way, such as by code.
 */
export type Approach = "single-call" | "decomposed" | "search" | "other";

/** What a model sees of the video before it answers. */
export type Shows = "video" | "one-frame" | "nothing";

/** The input of a strategy's graph. */
export interface StrategyInput {
  question: Question;
  /** Evidence to reason over, with the clips and frames that it names. */
  evidence?: Evidence[];
  segments?: Segment[];
  frames?: FrameRef[];
  /** Ids of the evidence that is shown to the reasoner, which is then not searched for. */
  found?: string[];
  diagnostics?: Record<string, unknown>;
}

/** The part of a compiled LangGraph graph that a strategy needs: its final state has `answer` and `set`. */
export interface StrategyGraph {
  invoke(
    input: StrategyInput,
    config: { context: GraphContext; recursionLimit?: number; runName?: string },
  ): Promise<StrategyAnswer>;
}

/** What a strategy says of itself. */
export interface StrategyFacts extends SettingsReader {
  /** Letters, digits and dashes: the value of `--strategy`. */
  readonly name: string;
  /** One sentence for a person. */
  readonly summary: string;
  readonly approach: Approach;
  readonly shows: Shows;
  /**
   * Whether it answers as the papers of the benchmarks measured. Absent: it is a variant or an addition, whose results
   * are not comparable with published ones.
   */
  readonly published?: true;
  /** Kinds of question that it can answer; it leaves others unanswered. */
  readonly tasks: readonly Task[];
  /** Roles of the models that it may call; none: it needs no model. */
  readonly roles: readonly Role[];
  /** Whether settings use one of its roles; default: they use all. */
  readonly usesRole?: (role: Role, settings: Settings) => boolean;
  /**
   * Loads the graph that reasons over given evidence, without recognition. Absent: not supported, since the strategy
   * does not choose what it cites.
   */
  readonly overEvidence?: () => Promise<StrategyGraph>;
  /**
   * The answer from the question only, for a strategy that never looks at a video: benchmarks then need no video.
   * `clips` are the numbers of the clips that are to be ordered.
   */
  readonly withoutVideo?: (
    question: Question,
    asked: { clips: readonly number[]; seed: number; epoch: number },
  ) => Outcome;
  /**
   * Whether benchmarks look into the video file. False: its `probe` has no streams and a duration of 0, and a file that is
   * no video is no error. Default: true.
   */
  readonly opensVideo?: boolean;
  /** The model calls of one question, at most, for `--dry-run`. Absent: not known; none if it has no roles. */
  readonly plan?: (
    settings: ResolvedSettings,
    question: PlannedQuestion,
    shown: ShownAmount,
  ) => StagePlan[];
  /** Every prompt that it can send for such a question; null if that depends on the video. Absent: none. */
  readonly prompts?: (settings: ResolvedSettings, asked: QuestionSetup) => string[] | null;
  /** The sampling temperature of its calls. Absent: `reasoning.temperature`. */
  readonly temperature?: (settings: Settings) => number;
  /** Prompts in files next to its definition, which `--prompts` can replace: `context.prompts.render(prompt, { ... })`. */
  readonly ownPrompts?: readonly DefinedPrompt[];
  /** The prompts whose replies state the answer. Absent: code writes every answer. */
  readonly answerPrompts?: (
    kind: QuestionKind,
    wording: Wording,
    settings: Settings,
  ) => AnswerPrompt[];
}

/** A complete strategy. */
export interface StrategyDefinition extends StrategyFacts {
  /** Loads its graph. */
  readonly graph: () => Promise<StrategyGraph>;
}

type Loaded<T> = T | (() => T | Promise<T>);

/** How it answers: a graph, or a function for strategies that need no stages of their own. */
type StrategyCode =
  | {
      /** A compiled graph, or a function that loads one, so that commands which do not need it start fast. */
      graph: Loaded<StrategyGraph>;
      run?: never;
    }
  | { run: RunStrategy; graph?: never };

/**
 * Defines a strategy: a way to answer a question about a video. Add it to `strategies`, or pass its file
 * instead of a strategy's name.
 *
 * @example
 * export default defineStrategy({
 *   name: "check-blind",
 *   summary: "Asks with the video and without it, and answers only if the video makes a difference.",
 *   approach: "single-call",
 *   shows: "video",
 *   tasks: ["choice"],
 *   reads: ["model", "generation", "budget", "recognition.frames"],
 *   roles: ["reasoner"],
 *   async run(question, context) {
 *     const seeing = await context.ask("direct");
 *     const blind = await context.ask("blind");
 *     const same = seeing.answer.answer === blind.answer.answer;
 *     return same ? { status: "not-answered" } : seeing;
 *   },
 * });
 */
export function defineStrategy({
  graph,
  run,
  ...facts
}: StrategyFacts & StrategyCode): StrategyDefinition {
  if (run !== undefined)
    return {
      ...facts,
      graph: async () => (await import("./run-graph.ts")).runGraph(facts, run),
    };
  return { ...facts, graph: async () => (typeof graph === "function" ? graph() : graph) };
}

/** The registered strategies. */
export interface StrategyRegistry extends Registry<StrategyDefinition> {
  /** Adds strategies of this program, whose results need no check. Throws as `add`. */
  addBuiltIn(...definitions: readonly StrategyDefinition[]): void;
  isBuiltIn(name: string): boolean;
}

const known = createRegistry<StrategyDefinition>("a strategy");
const builtIn = new Set<string>();

/** Every strategy, by name. Adding one also registers its settings. */
export const strategies: StrategyRegistry = {
  ...known,
  add,
  addBuiltIn(...definitions) {
    add(...definitions);
    for (const { name } of definitions) builtIn.add(name);
  },
  isBuiltIn: (name) => builtIn.has(name),
};

function add(...definitions: readonly StrategyDefinition[]): void {
  known.add(...definitions);
  settingsReaders.add(...definitions);
}

/** Whether a strategy calls a model; false for an unknown name. */
export function needsModel(name: string): boolean {
  return (strategies.find(name)?.roles.length ?? 0) > 0;
}

/** Whether a strategy answers from the question only, as a control: it calls a model and sends no media. */
export function isBlind(name: string): boolean {
  return needsModel(name) && strategies.find(name)?.shows === "nothing";
}

/** The first strategy with these properties. Throws `Failure` `wrong-usage` if there is none. */
export function strategyThat(
  what: string,
  fits: (definition: StrategyDefinition) => boolean,
): StrategyDefinition {
  const found = strategies.all().find(fits);
  if (found === undefined) throw new Failure("wrong-usage", `No strategy ${what} is known.`);
  return found;
}

/** The default strategy. Throws `Failure` `wrong-usage` if there is none. */
export function standard(which: "with-model" | "without-model"): StrategyDefinition {
  const words = which === "with-model" ? "that asks a model by default" : "that asks no model";
  return strategyThat(words, (definition) => definition.standard === which);
}
