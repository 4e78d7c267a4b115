import { z } from "zod";
import type { AttemptReply } from "../../attempt.ts";

/* Azure refuses a prompt by status 400, where other services refuse in a reply. */

const FilterError = z.object({
  error: z.object({
    code: z.unknown().optional(),
    innererror: z.object({ code: z.unknown().optional() }).nullish().catch(null),
  }),
});

/** Whether the body of an error says that a filter of content refused the prompt. */
export function isContentFilter(body: unknown): boolean {
  const { data } = FilterError.safeParse(body);
  if (data === undefined) return false;
  const { code, innererror } = data.error;
  return code === "content_filter" || innererror?.code === "ResponsibleAIPolicyViolation";
}

/** The reply to such a prompt. Azure bills the evaluation of the prompt and does not count its tokens. */
export const FILTERED_PROMPT: AttemptReply = {
  text: "content_filter",
  finish: "refused",
  toolCalls: [],
  tokens: { input: null, output: 0 },
};
