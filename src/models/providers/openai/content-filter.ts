import { z } from "zod";
import type { AttemptReply } from "../../attempt.ts";

/* Some services refuse a prompt by an error, where others refuse in a reply. */

const FilterError = z.object({
  error: z.object({
    code: z.unknown().optional(),
    message: z.unknown().optional(),
    innererror: z.object({ code: z.unknown().optional() }).nullish().catch(null),
    metadata: z.object({ flagged_input: z.unknown().optional() }).nullish().catch(null),
  }),
});

/** Codes of Azure and Alibaba. */
const CODES: readonly unknown[] = ["content_filter", "data_inspection_failed"];

/**
 * Whether the body of an error says that a filter of content refused the prompt: on Azure, also behind LiteLLM, on
 * Alibaba, or on OpenRouter.
 */
export function isContentFilter(body: unknown): boolean {
  const { data } = FilterError.safeParse(body);
  if (data === undefined) return false;
  const { code, message, innererror, metadata } = data.error;
  return (
    CODES.includes(code) ||
    innererror?.code === "ResponsibleAIPolicyViolation" ||
    String(message).includes("litellm.ContentPolicyViolationError") ||
    metadata?.flagged_input !== undefined
  );
}

/** The reply to such a prompt. Azure bills the evaluation of the prompt and does not count its tokens. */
export const FILTERED_PROMPT: AttemptReply = {
  text: "content_filter",
  finish: "refused",
  toolCalls: [],
  tokens: { input: null, output: 0 },
};
