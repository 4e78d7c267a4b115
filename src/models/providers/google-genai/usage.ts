import { z } from "zod";
import type { ReportedTokens } from "../../tokens.ts";

const Tokens = z.int().nonnegative().nullish().catch(null);

/** Tokens as Gemini counts them; counts of 0 may be missing, and gateways leave out others. */
export const UsageMetadata = z.object({
  promptTokenCount: Tokens,
  candidatesTokenCount: Tokens,
  totalTokenCount: Tokens,
  thoughtsTokenCount: Tokens,
  cachedContentTokenCount: Tokens,
});

/** The counted tokens. Thinking is billed as output, which is all of the total that is not the prompt. */
export function reportedTokens(usage: z.infer<typeof UsageMetadata>): ReportedTokens {
  const { promptTokenCount, candidatesTokenCount, totalTokenCount, thoughtsTokenCount } = usage;
  const total = totalTokenCount || null;
  const said =
    candidatesTokenCount == null ? null : candidatesTokenCount + (thoughtsTokenCount ?? 0);
  const input = promptTokenCount || (total === null || said === null ? null : total - said);
  const output = total === null || !promptTokenCount ? said : total - promptTokenCount;
  return {
    input: input === null ? null : Math.max(0, input),
    output: output === null ? null : Math.max(0, output),
    reasoning: thoughtsTokenCount ?? 0,
    cached_input: usage.cachedContentTokenCount ?? 0,
  };
}
