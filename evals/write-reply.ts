import type { Answer } from "../src/core/shapes.ts";
import type { BenchmarkName } from "./benchmarks/benchmark.ts";

/** An answer as the benchmark asks for it: `Correct order: 3, 1, 2`, `[[B]]`, `B`; empty where there is none. */
export function writeReply(benchmark: BenchmarkName, answer: Answer["answer"]): string {
  if (answer === null) return "";
  if (Array.isArray(answer)) return `Correct order: ${answer.join(", ")}`;
  return benchmark === "mmr-v" ? `[[${answer}]]` : answer;
}

/**
 * What the extractors read of an answer: the text of the model reply that it was read from, word for word, or the
 * answer written by code where many calls, or none, made it. Nothing came of an error: null.
 */
export function replyOfAnswer(
  benchmark: BenchmarkName,
  answer: Answer,
): { reply: string; reply_by: "model" | "code" } | { reply: null; reply_by: null } {
  if (answer.status === "error") return { reply: null, reply_by: null };
  if (answer.reply !== undefined) return { reply: answer.reply, reply_by: "model" };
  const settled = answer.status === "answered" ? answer.answer : null;
  return { reply: writeReply(benchmark, settled), reply_by: "code" };
}
