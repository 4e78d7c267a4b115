import { z } from "zod";
import type { ReportedTokens } from "../../tokens.ts";

const Tokens = z.int().nonnegative().nullish().catch(null);

/** The tokens of a completion as servers count them; any member may be missing or malformed. */
export const Usage = z.object({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  total_tokens: Tokens,
  completion_tokens_details: z.object({ reasoning_tokens: Tokens }).nullish().catch(null),
  prompt_tokens_details: z.object({ cached_tokens: Tokens }).nullish().catch(null),
  /** DeepSeek's name. */
  prompt_cache_hit_tokens: Tokens,
});

/** The counted tokens; a side that only the total counts is the rest of the total. */
export function reportedTokens(usage: z.infer<typeof Usage>): ReportedTokens {
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  // Some servers write 0 for what they did not count.
  const input = (prompt_tokens || rest(total_tokens, completion_tokens)) ?? prompt_tokens ?? null;
  const written = rest(total_tokens, prompt_tokens);
  // xAI and Gemini count reasoning in the total only.
  const least = prompt_tokens ? (written ?? 0) : 0;
  return {
    input,
    output: completion_tokens == null ? written : Math.max(completion_tokens, least),
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    cached_input: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
  };
}

function rest(total: number | null | undefined, known: number | null | undefined): number | null {
  return total == null || known == null || total < known ? null : total - known;
}
