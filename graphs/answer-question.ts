import { neutraliseQuestion } from "../prompts/caller-text.ts";
import { Failure, toFailure } from "../src/core/errors.ts";
import { type EvidenceNames, makeEvidenceSet } from "../src/core/evidence.ts";
import { meaningOf } from "../src/core/failure-kinds.ts";
import type { Answer, Evidence, EvidenceSet, Question } from "../src/core/shapes.ts";
import type { GraphContext, StrategyAnswer } from "./context.ts";
import { strategies } from "./define-strategy.ts";
import { invokeStrategy } from "./invoke-strategy.ts";
import { overshootOf } from "./stages/cite.ts";
import { type Segment, segmentsOf } from "./state.ts";

/** Evidence that replaces recognition. */
export interface GivenEvidence {
  items: readonly Evidence[];
  /** Names that were given already; default: names in the order of time. */
  names?: EvidenceNames | null;
  /** Whether all of it is shown to the reasoner, without a search. Default: false. */
  showsAll?: boolean;
  /** Numbers of further clips, which have no caption. Default: none. */
  undescribed?: readonly number[];
}

/**
 * Answers one question by the strategy of the context's settings. The reasoning
 * works on `given` evidence, pictures included. A failure of only this question becomes an `Answer` with status `error`
 * that keeps the usage so far; every other `Failure` (`cancelled`, `missing-key`, `unknown-model`, `disk-full` ...) is thrown.
 */
export async function answerQuestion(
  asked: Question,
  context: GraphContext,
  given: GivenEvidence | null = null,
): Promise<StrategyAnswer> {
  checkQuestion(asked);
  const question = neutraliseQuestion(asked, context.prompts.neutralise);
  const { emit } = context;
  const { strategy } = context.settings;
  try {
    return given === null
      ? await invokeStrategy(strategy, { question }, context)
      : await reasonOver(given, question, context);
  } catch (error) {
    const failure = failureOf(error, context.signal);
    // After an invalid review the graph is still paused, so the question has not failed.
    if (failure === null || failure.facts.resumable === true) throw error;
    emit("cite", { type: "failed", kind: failure.kind, message: failure.message });
    const { scope, exit } = meaningOf(failure.kind);
    if (scope === "run" || exit === "usage") throw failure;
    const set = makeEvidenceSet(context.emitted());
    const answer = failedAnswer(failure, set, context);
    emit("cite", { type: "answer", answer });
    return { answer, set };
  }
}

/** Throws `Failure` `wrong-usage` for a strategy that cannot reason over given evidence. */
async function reasonOver(
  { items: given, names = null, showsAll = false, undescribed = [] }: GivenEvidence,
  question: Question,
  context: GraphContext,
): Promise<StrategyAnswer> {
  const { name, overEvidence } = strategies.get(context.settings.strategy);
  if (overEvidence === undefined)
    throw new Failure(
      "wrong-usage",
      `The strategy ${name} cannot reason over given evidence: choose one of ${namesOverEvidence().join(", ")}.`,
      { strategy: name },
    );
  const frames = given.flatMap(({ kind, frame }) => (kind === "frame" && frame ? [frame] : []));
  const found = showsAll ? { found: given.map(({ id }) => id) } : {};
  const segments = segmentsOf(given, undescribed.map(unseenClip));
  const input = { question, evidence: [...given], names, segments, frames, ...found };
  const { answer, set } = await (await overEvidence()).invoke(input, { context });
  return { answer, set };
}

/** A clip of which nothing is known but its number: without a length, no pictures of it are shown. */
function unseenClip(number: number): Segment {
  return { number, kind: "clip", start_s: 0, end_s: 0 };
}

/** Names of the strategies that can reason over given evidence. */
export function namesOverEvidence(): string[] {
  return strategies.all().flatMap(({ name, overEvidence }) => (overEvidence ? [name] : []));
}

/** A `Failure`, or null for a programming error, which must not look like a result. */
function failureOf(error: unknown, signal: AbortSignal | undefined): Failure | null {
  if (signal?.aborted || (error instanceof Error && error.name === "AbortError"))
    return new Failure(
      "cancelled",
      "Cancelled while answering the question.",
      {},
      { cause: error },
    );
  const failure = toFailure(error, "wrong-usage", "answering the question");
  return failure === error || failure.kind !== "wrong-usage" ? failure : null;
}

function failedAnswer(failure: Failure, set: EvidenceSet, context: GraphContext): Answer {
  return {
    status: "error",
    answer: null,
    cites: [],
    cited_by: "code",
    set: set.id,
    limits_met: context.ledger.met(),
    confidence: null,
    confidence_basis: null,
    diagnostics: overshootOf(context),
    usage: context.usage(),
    error: { kind: failure.kind, message: failure.message },
  };
}

/** Throws `Failure` `wrong-usage` for a choice without options to choose from. */
function checkQuestion(question: Question): void {
  if (question.task !== "choice") return;
  const letters = (question.options ?? []).map((option) => option.letter);
  if (letters.length < 2 || new Set(letters).size < letters.length)
    throw new Failure(
      "wrong-usage",
      `A choice question needs at least two options with different letters; this one has ${letters.length === 0 ? "none" : letters.join(", ")}.`,
      { question: question.id },
    );
}
