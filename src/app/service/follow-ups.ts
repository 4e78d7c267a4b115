import type { UploadRow } from "../../core/contracts.ts";
import { cutText } from "../../core/cut-text.ts";
import type { EarlierQuestion, Question } from "../../core/shapes.ts";
import { answerText, choiceText } from "../../pages/answer-words.js";
import { httpProblem } from "./problems.ts";
import type { StoredQuestion } from "./question-record.ts";

/** Most questions of a thread that the model is told of, and most characters of each. */
const MOST_EARLIER = 3;
const MOST_CHARACTERS = 500;

/**
 * What a follow-up of `before` is told of its thread. Throws a 409 problem without an answer, 422 for another video or
 * for an ordering.
 */
export function earlierAnswers(
  before: StoredQuestion,
  upload: Pick<UploadRow, "id">,
  asked: Question,
): EarlierQuestion[] {
  if (before.upload !== upload.id || asked.task === "order")
    throw httpProblem(
      422,
      "wrong-usage",
      asked.task === "order"
        ? "An ordering cannot follow another question. Ask it without `follows`."
        : "The question that `follows` names is about another video.",
    );
  const { record } = before;
  const { answer, review } = record;
  if (answer === null || answer.answer === null)
    throw httpProblem(
      409,
      "not-answered",
      "The question that `follows` names has no answer yet. Wait for it.",
    );
  const settled =
    review === null ? answerText(record.asked, answer) : choiceText(record.asked, review.answer);
  const last = {
    question: oneLine(record.asked.text || record.asked.goal || ""),
    answer: oneLine(settled),
  };
  return [...(record.earlier ?? []), last].slice(-MOST_EARLIER);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MOST_CHARACTERS ? `${cutText(line, MOST_CHARACTERS)}…` : line;
}
