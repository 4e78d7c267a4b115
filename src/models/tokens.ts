import type { TokenCount } from "./chat.ts";

/** A count without optional members of 0; a part of another number is never larger than that number. */
export function countOf({
  input,
  output,
  reasoning = 0,
  cached_input = 0,
}: TokenCount): TokenCount {
  return {
    input,
    output,
    ...(reasoning > 0 ? { reasoning: Math.min(reasoning, output) } : {}),
    ...(cached_input > 0 ? { cached_input: Math.min(cached_input, input) } : {}),
  };
}

export const NO_TOKENS: TokenCount = { input: 0, output: 0 };

export function addTokens(a: TokenCount, b: TokenCount): TokenCount {
  return countOf({
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: (a.reasoning ?? 0) + (b.reasoning ?? 0),
    cached_input: (a.cached_input ?? 0) + (b.cached_input ?? 0),
  });
}
