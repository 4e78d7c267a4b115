import { neutraliseQuestion } from "../prompts/caller-text.ts";
import { Failure, toFailure } from "../src/core/errors.ts";
import { makeEvidenceSet } from "../src/core/evidence.ts";
import { meaningOf } from "../src/core/failure-kinds.ts";
import type { Strategy } from "../src/core/settings.ts";
import type { Answer, Evidence, EvidenceSet, Question } from "../src/core/shapes.ts";
import { evidenceSearchGraph } from "./agent/graph.ts";
import type { GraphContext } from "./context.ts";
import { directGraph } from "./direct/graph.ts";
import { extractiveGraph, extractiveReasoningGraph } from "./extractive/graph.ts";
import { randomGraph } from "./random/graph.ts";
import { videoQaGraph } from "./rrd/graph.ts";
import { reasoningGraph, segmentsOf } from "./rrd/reasoning.ts";
import { overshootOf } from "./stages/cite.ts";

/** The graph of each strategy. All take `{ question }` and a context, and leave `answer` and `set`. */
export const strategies = {
  direct: directGraph,
  blind: directGraph,
  "key-frame": directGraph,
  rrd: videoQaGraph,
  agent: evidenceSearchGraph,
  extractive: extractiveGraph,
  random: randomGraph,
} satisfies Record<Strategy, unknown>;

/** More nodes than any strategy goes through; what bounds an agent is its budget. */
const MOST_STEPS = 1000;

/**
 * Answers one question by the strategy of the context's settings; with `given` evidence nothing is recognised, and
 * the reasoning works on that, pictures included.
 * What goes wrong with this question alone becomes an `Answer` with status `error` that keeps the usage so far; every
 * other `Failure` (`cancelled`, `missing-key`, `unknown-model`, `disk-full` ...) is thrown.
 */
export async function answerQuestion(
  asked: Question,
  context: GraphContext,
  given: readonly Evidence[] | null = null,
): Promise<{ answer: Answer; set: EvidenceSet }> {
  checkQuestion(asked);
  const question = neutraliseQuestion(asked, context.prompts.neutralise);
  const found: Evidence[] = [];
  const { emit } = context;
  const watched: GraphContext = {
    ...context,
    emit: (stage, body) => {
      if (body.type === "evidence") found.push(body.item);
      emit(stage, body);
    },
  };
  try {
    if (given !== null) {
      const frames = given.flatMap(({ kind, frame }) => (kind === "frame" && frame ? [frame] : []));
      const state = { question, evidence: [...given], segments: segmentsOf(given), frames };
      const graph =
        context.settings.strategy === "extractive" ? extractiveReasoningGraph : reasoningGraph;
      return await graph.invoke(state, { context: watched });
    }
    const graph = strategies[context.settings.strategy];
    const { answer, set } = await graph.invoke(
      { question },
      { context: watched, recursionLimit: MOST_STEPS },
    );
    return { answer, set };
  } catch (error) {
    const failure = failureOf(error, context.signal);
    if (failure === null) throw error;
    emit("cite", { type: "failed", kind: failure.kind, message: failure.message });
    const { scope, exit } = meaningOf(failure.kind);
    if (scope === "run" || exit === "usage") throw failure;
    const set = makeEvidenceSet(found);
    const answer = failedAnswer(failure, set, context);
    emit("cite", { type: "answer", answer });
    return { answer, set };
  }
}

/** A `Failure`, or null for an error that is a mistake of ours and must not look like a result. */
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
      `Expected a choice question to have at least two options with letters of their own, got ${letters.length === 0 ? "none" : letters.join(", ")}.`,
      { question: question.id },
    );
}
