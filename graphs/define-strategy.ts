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
import type { AskedWith } from "./answer-prompts.ts";
import type { GraphContext, StrategyAnswer } from "./context.ts";
import type { Outcome, Segment } from "./outcome.ts";
import type { PlannedQuestion, Shown, StagePlan } from "./planned-stages.ts";
import type { RunStrategy } from "./run-graph.ts";
import type { Wording } from "./wording.ts";

/**
 * How an answer comes about: everything in one call; recognition first and then reasoning over descriptions; a search
 * that the model steers with tools; or in another way, such as by code.
 */
export type Approach = "single-call" | "decomposed" | "search" | "other";

/** What of the video a model is shown before it answers. */
export type Shows = "video" | "one-frame" | "nothing";

/** What a strategy's graph begins with. */
export interface StrategyInput {
  question: Question;
  /** Evidence to reason over, with the clips and frames that it names. */
  evidence?: Evidence[];
  segments?: Segment[];
  frames?: FrameRef[];
  diagnostics?: Record<string, unknown>;
}

/** A compiled LangGraph graph, as far as a strategy needs it: it leaves `answer` and `set` in its state. */
export interface StrategyGraph {
  invoke(
    input: StrategyInput,
    config: { context: GraphContext; recursionLimit?: number },
  ): Promise<StrategyAnswer>;
}

export interface StrategyFacts extends SettingsReader {
  /** Letters, digits and dashes: what `--strategy` is given. */
  readonly name: string;
  /** One sentence for a person. */
  readonly summary: string;
  readonly approach: Approach;
  readonly shows: Shows;
  /** Kinds of question that it can answer; it leaves others unanswered. */
  readonly tasks: readonly Task[];
  /** Roles of the models that it may call; none: it needs no model. */
  readonly roles: readonly Role[];
  /** Which of its roles some settings use; default: all of them. */
  readonly usesRole?: (role: Role, settings: Settings) => boolean;
  /**
   * How it reasons over evidence that is given, with nothing recognised. Absent: it cannot, since it does not choose what
   * it cites.
   */
  readonly overEvidence?: () => Promise<StrategyGraph>;
  /**
   * The answer from the question only, for a strategy that never looks at a video: benchmarks then ask without one.
   * `clips` are the numbers of the clips that are to be ordered.
   */
  readonly withoutVideo?: (
    question: Question,
    asked: { clips: readonly number[]; seed: number; epoch: number },
  ) => Outcome;
  /** The model calls of one question, at most, for `--dry-run`. Absent: none. */
  readonly plan?: (
    settings: ResolvedSettings,
    question: PlannedQuestion,
    shown: Shown,
  ) => StagePlan[];
  /** Every prompt that it can send for such a question; null if that depends on the video. Absent: none. */
  readonly prompts?: (settings: ResolvedSettings, asked: AskedWith) => string[] | null;
  /** The prompts whose replies are taken for the answer. Absent: code writes every answer. */
  readonly answerPrompts?: (
    kind: QuestionKind,
    wording: Wording,
    settings: Settings,
  ) => AnswerPrompt[];
}

/** Everything that there is to know of a strategy. */
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
 * Defines a strategy: a way to answer a question about a video. To be added to `strategies`, or named by its file where
 * a strategy's name is asked for.
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

const known = createRegistry<StrategyDefinition>("a strategy");

/** Every strategy, by name. The settings engine learns of each what it has to know. */
export const strategies: Registry<StrategyDefinition> = {
  ...known,
  add(...definitions) {
    known.add(...definitions);
    settingsReaders.add(...definitions);
  },
};

/** Whether a strategy asks a model at all; false for a name that is not known. */
export function needsModel(name: string): boolean {
  return (strategies.find(name)?.roles.length ?? 0) > 0;
}

/** Whether a strategy answers from the question only, as a control: it asks a model, and shows it nothing. */
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

/** The strategy that is taken if none is named. Throws `Failure` `wrong-usage` if there is none. */
export function standard(which: "with-model" | "without-model"): StrategyDefinition {
  const words = which === "with-model" ? "that asks a model by default" : "that asks no model";
  return strategyThat(words, (definition) => definition.standard === which);
}
