import type { ChatReply, Finish } from "./chat.ts";

/** Reasons for a limit of tokens: OpenAI's, Anthropic's and Gemini's, Mistral's, Zhipu's. */
const TRUNCATED = /^(length|max_?tokens|model_length|model_context_window_exceeded)$/i;
/** Reasons of filters and refusals, of Gemini also by its compatible endpoint and by routers (`content_filter: SAFETY`). */
const REFUSED =
  /^(refusal|content_?filter(ed)?\b.*|guardrail_intervened|(image_)?(safety|recitation|prohibited_content)|blocklist|spii|sensitive|error_toxic)$/i;
/** Reasons of replies that their server gave up. */
const BROKEN =
  /^(error|abort|load|unload|malformed_.*|insufficient_system_resource|network_error)$/i;

/** How a reply ended, by the reason that its server gives. Servers and integrations have many names for few of them. */
export function finishOf(
  reason: string,
  { text, toolCalls }: Pick<ChatReply, "text" | "toolCalls">,
): Finish {
  if (REFUSED.test(reason)) return "refused";
  if (TRUNCATED.test(reason)) return "length";
  if (toolCalls.length > 0) return "tool-calls";
  if (BROKEN.test(reason)) return "broken";
  return text.trim() === "" ? "empty" : "stop";
}
