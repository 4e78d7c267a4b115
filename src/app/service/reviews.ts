import type { NewReview } from "./api.ts";
import { httpProblem } from "./problems.ts";
import type { QuestionRecord, StoredReview } from "./question-record.ts";

/** Validates a review of an answer. Throws a 409 problem (no answer to review) or 422 (an invalid corrected answer). */
export function readReview(record: QuestionRecord, given: NewReview, by: string): StoredReview {
  const { answer, asked } = record;
  if (answer === null)
    throw httpProblem(409, "not-answered", "The question has no answer yet. Wait for it to end.");
  if (given.verdict === "approved" && answer.answer === null)
    throw httpProblem(409, "not-answered", "There is no answer to approve. Correct it instead.");
  if (given.verdict === "corrected" && given.answer === undefined)
    throw httpProblem(
      422,
      "wrong-answer",
      "The verdict `corrected` needs the right answer in `answer`.",
    );
  const right = given.verdict === "approved" ? answer.answer : given.answer;
  const problem = problemWith(right ?? null, record);
  if (problem !== null) throw httpProblem(422, "wrong-answer", problem);
  const normalised =
    asked.task === "choice" && typeof right === "string" ? right.toUpperCase() : right;
  return {
    verdict: given.verdict,
    answer: normalised ?? "",
    note: given.note ?? null,
    by,
    at: Date.now(),
  };
}

function problemWith(
  answer: string | number[] | null,
  { asked, answer: own, clips = [] }: QuestionRecord,
): string | null {
  const letters = (asked.options ?? []).map(({ letter }) => letter);
  if (asked.task === "choice")
    return typeof answer === "string" && letters.includes(answer.toUpperCase())
      ? null
      : `Invalid answer: use one of the letters ${letters.join(", ")}.`;
  if (asked.task === "open")
    return typeof answer === "string" ? null : "Invalid answer: use a string.";
  const named = Array.isArray(own?.answer) ? own.answer : [];
  const all = clips.length > 0 ? clips.map(({ number }) => number) : null;
  const isOrder = Array.isArray(answer);
  if (isOrder && (isPermutation(answer, named) || (all !== null && isPermutation(answer, all))))
    return null;
  if (all !== null)
    return `Invalid answer: use the clips ${all.join(", ")}, each once, in the right order.`;
  const whole = isOrder && answer.length >= Math.max(2, named.length);
  if (
    whole &&
    isPermutation(
      answer,
      Array.from(answer, (_clip, place) => place + 1),
    )
  )
    return null;
  return "Invalid answer: use the numbers of all clips, each once, in the right order.";
}

/** Whether both name the same clips, each once. */
function isPermutation(order: readonly number[], clips: readonly number[]): boolean {
  const named = new Set(order);
  return (
    order.length > 0 &&
    order.length === clips.length &&
    named.size === order.length &&
    clips.every((clip) => named.has(clip))
  );
}
