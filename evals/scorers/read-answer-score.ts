import { z } from "zod";
import { Failure, oneLine } from "../../src/core/errors.ts";
import type { AnswerScore } from "./define-scorer.ts";

const VALUE = "a number from 0 to 1, or null";
const ANSWER = "the answer as a text or a list of clip numbers, or null";

const Returned = z.object(
  {
    value: z.number({ error: VALUE }).min(0, { error: VALUE }).max(1, { error: VALUE }).nullable(),
    answer: z.union([z.string(), z.array(z.int())], { error: ANSWER }).nullable(),
    explanation: z.string({ error: "a text" }),
  },
  { error: "{ value, answer, explanation }" },
);

/**
 * The score that the code of a scorer returned. Truth values and numbers in texts are refused, because a score is stored as
 * it is. Throws `Failure` `code-failed` for anything but an `AnswerScore`; `scorer` names the scorer and the sample.
 */
export function readAnswerScore(returned: unknown, scorer: string): AnswerScore {
  const read = Returned.safeParse(returned);
  if (read.success) return read.data;
  const isPromise = returned instanceof Promise;
  // The message below tells that the scorer has to be synchronous.
  if (isPromise) returned.catch(() => {});
  const [issue] = read.error.issues;
  const member = issue?.path[0];
  const wrong = isPromise
    ? "a promise; `score` cannot be async, so return { value, answer, explanation }"
    : member === undefined
      ? `${shown(returned)}; return { value, answer, explanation }`
      : `${shown((returned as Record<PropertyKey, unknown>)[member])} as \`${String(member)}\`; return ${issue?.message}`;
  throw new Failure("code-failed", `${scorer} returned ${wrong}.`, { definition: scorer });
}

/** `true`, `"1"`, `NaN`, `undefined`. */
function shown(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint" || value === undefined)
    return value === undefined ? "nothing" : String(value);
  const json = JSON.stringify(value) ?? `a ${typeof value}`;
  return oneLine(json, 60);
}
