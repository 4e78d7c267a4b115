import { z } from "zod";
import { readReturned } from "../src/core/read-returned.ts";
import { Answer, Evidence, EvidenceSet } from "../src/core/shapes.ts";
import type { StrategyAnswer } from "./context.ts";
import type { RunResult } from "./outcome.ts";

/* Checks what the code of a strategy returned, before it becomes an answer. */

const STORABLE = "data that JSON can hold";

function isStorable(diagnostics: unknown): boolean {
  try {
    JSON.stringify(diagnostics);
    return true;
  } catch {
    // A bigint, or a member that contains itself.
    return false;
  }
}

const { shape } = Answer;
const ANSWER = "a text, a list of clip numbers, or null";

const Result = z.object({
  status: shape.status.optional(),
  answer: z.union([z.string(), z.array(z.int())], { error: ANSWER }).nullish(),
  reply: shape.reply,
  reasoning: shape.reasoning,
  cites: z.array(z.string()).optional(),
  cited_by: shape.cited_by.optional(),
  error: shape.error,
  confidence: shape.confidence.optional(),
  confidence_basis: shape.confidence_basis.optional(),
  support: shape.support,
  moments: shape.moments,
  evidence: z.array(Evidence).optional(),
  diagnostics: shape.diagnostics.refine(isStorable, { error: STORABLE }),
});

const Whole = z.object({
  answer: Answer.refine(({ diagnostics }) => isStorable(diagnostics), {
    path: ["diagnostics"],
    error: STORABLE,
  }),
  set: EvidenceSet,
});

/**
 * The result of a strategy's `run`, without members that are none of a `RunResult`. Throws `Failure` `code-failed` that
 * names the strategy and the wrong member.
 */
export function readRunResult(returned: unknown, strategy: string): RunResult {
  const { answer, ...rest } = readReturned(
    Result,
    returned,
    `The strategy ${strategy}`,
    RUN_EXPECTED,
  );
  return answer === undefined ? rest : { ...rest, answer };
}

const RUN_EXPECTED =
  "return { status, answer, cites, evidence }, all of them optional, or a result of context.ask()";

/** Checks the final state of a strategy's graph. Throws `Failure` `code-failed` as `readRunResult`. */
export function readFinalState(state: StrategyAnswer, strategy: string): StrategyAnswer {
  const expected = "end with a state that has `answer` and `set`";
  readReturned(Whole, state, `The strategy ${strategy}`, expected);
  const { answer, set } = state;
  return { answer, set };
}
