import type { AnswerFormat } from "../../graphs/answer-formats.ts";
import type { Answer } from "../../src/core/shapes.ts";

/** An answer as a prompt of that form asks for it: `Correct order: 3, 1, 2`, `[[B]]`, `B`; empty if there is none. */
export function writeReply(format: AnswerFormat, answer: Answer["answer"]): string {
  if (answer === null) return "";
  if (Array.isArray(answer)) return `Correct order: ${answer.join(", ")}`;
  if (format === "brackets") return `[[${answer}]]`;
  return format === "answer-line" ? `Answer: ${answer}` : answer;
}

/**
 * What the extractors read of an answer: the text of the model reply that it was read from, word for word, or the
 * answer written by code if many calls, or none, made it. Null after an error.
 */
export function replyOfAnswer(
  format: AnswerFormat,
  answer: Answer,
): { reply: string; reply_by: "model" | "code" } | { reply: null; reply_by: null } {
  if (answer.status === "error") return { reply: null, reply_by: null };
  if (answer.reply !== undefined) return { reply: answer.reply, reply_by: "model" };
  const settled = answer.status === "answered" ? answer.answer : null;
  return { reply: writeReply(format, settled), reply_by: "code" };
}
