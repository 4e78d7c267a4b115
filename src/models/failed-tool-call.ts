import { z } from "zod";
import type { AttemptReply } from "./attempt.ts";

/* Groq checks the calls of tools that a model writes, and refuses a wrong one by status 400. Other servers send it. */

const CODE = "tool_use_failed";

/** The model wrote words where a call was required, which another sample would not change. */
const NO_CALL = /\bdid not call a tool\b/i;

const CHARACTERS_PER_TOKEN = 4;

const ToolError = z.object({
  error: z.object({
    code: z.unknown().optional(),
    message: z.string().catch(""),
    failed_generation: z.string().nullish().catch(null),
  }),
});

/**
 * The broken reply that the body of an error stands for, if it says that the model failed to write a call: on Groq, also
 * behind LiteLLM, which puts the whole error into its message. Null for any other body.
 */
export function failedToolCall(body: unknown): AttemptReply | null {
  const { data } = ToolError.safeParse(body);
  if (data === undefined) return null;
  const { code, message, failed_generation } = data.error;
  if (code !== CODE && !message.includes(CODE)) return null;
  if (NO_CALL.test(message)) return null;
  const written = failed_generation ?? "";
  return {
    text: "",
    finish: "broken",
    toolCalls: [],
    // Groq does not count the tokens of a refusal.
    tokens: { input: null, output: Math.ceil(written.length / CHARACTERS_PER_TOKEN) },
  };
}
