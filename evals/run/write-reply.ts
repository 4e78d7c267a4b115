import type { AnswerFormat } from "../../graphs/answer-formats.ts";
import type { Answer } from "../../src/core/shapes.ts";

/** Writes an answer in the format that a prompt requests: `Correct order: 3, 1, 2`, `[[B]]`, `B`; empty without an answer. */
export function writeReply(format: AnswerFormat, answer: Answer["answer"]): string {
  if (answer === null) return "";
  if (Array.isArray(answer)) return `Correct order: ${answer.join(", ")}`;
  if (format === "brackets") return `[[${answer}]]`;
  return format === "answer-line" ? `Answer: ${answer}` : answer;
}

/**
 * The reply that the extractors read: the model's reply, unchanged, or a reply written by code if the answer results from
 * several calls or from none. Null after an error.
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
