import type { NewReview, Review } from "./api.ts";
import { refuse } from "./problems.ts";
import type { Record } from "./record.ts";

/** A review of an answer. Throws a problem 409 (nothing to review) or 422 (an answer that cannot be one). */
export function readReview(record: Record, given: NewReview, by: string): Review {
  const { answer, asked } = record;
  if (answer === null)
    throw refuse(409, "not-answered", "Expected a question that came to an answer.");
  if (given.verdict === "approved" && answer.answer === null)
    throw refuse(
      409,
      "not-answered",
      "Expected an answer to approve, but none was found: correct it.",
    );
  if (given.verdict === "corrected" && given.answer === undefined)
    throw refuse(422, "wrong-answer", "Expected the right answer with the verdict corrected.");
  const right = given.verdict === "approved" ? answer.answer : given.answer;
  const problem = problemWith(right ?? null, record);
  if (problem !== null) throw refuse(422, "wrong-answer", problem);
  const said = asked.task === "choice" && typeof right === "string" ? right.toUpperCase() : right;
  return {
    verdict: given.verdict,
    answer: said ?? "",
    note: given.note ?? null,
    by,
    at: Date.now(),
  };
}

function problemWith(
  answer: string | number[] | null,
  { asked, answer: own }: Record,
): string | null {
  const letters = (asked.options ?? []).map(({ letter }) => letter);
  if (asked.task === "choice")
    return typeof answer === "string" && letters.includes(answer.toUpperCase())
      ? null
      : `Expected one of the letters ${letters.join(", ")}.`;
  if (asked.task === "open")
    return typeof answer === "string" ? null : "Expected the right answer in words.";
  const clips = Array.isArray(own?.answer) ? own.answer.length : null;
  const whole =
    Array.isArray(answer) &&
    answer.length >= 2 &&
    new Set(answer).size === answer.length &&
    Math.max(...answer) === answer.length;
  if (whole && (clips === null || clips === answer.length)) return null;
  return `Expected the numbers of all ${clips ?? ""} clips, each once, in their right order.`.replace(
    "  ",
    " ",
  );
}
