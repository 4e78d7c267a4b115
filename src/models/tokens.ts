import type { ChatReply, TokenCount } from "./chat.ts";

/** Tokens as a server counted them. `input` and `output` are null where it did not. */
export type ReportedTokens = Omit<TokenCount, "input" | "output"> & {
  input: number | null;
  output: number | null;
};

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

/** The estimate of a number of characters: a token per 4. */
const CHARACTERS = 4;

/**
 * The tokens of a reply, with an estimate of what the server did not count, or counted as 0 although there was something
 * to count. `input`: estimates the tokens of the request.
 */
export function completedTokens(
  reported: ReportedTokens | null,
  reply: Pick<ChatReply, "text" | "reasoning" | "toolCalls" | "finish">,
  input: () => number,
): { tokens: TokenCount; estimated: boolean } {
  const said = lengthOf(reply);
  // The text of a refusal may be its reason, which the model did not write.
  const isSaid = said > 0 && reply.finish !== "refused";
  const counted = {
    // No request is empty.
    input: reported?.input || null,
    output: reported?.output === 0 && isSaid ? null : (reported?.output ?? null),
  };
  const thought = reply.reasoning?.length ?? 0;
  const reasoning = reported?.reasoning || Math.ceil(thought / CHARACTERS);
  const output = counted.output ?? Math.ceil((said - thought) / CHARACTERS) + reasoning;
  return {
    tokens: countOf({
      input: counted.input ?? input(),
      output,
      reasoning: counted.output === null ? reasoning : (reported?.reasoning ?? 0),
      cached_input: reported?.cached_input ?? 0,
    }),
    estimated: counted.input === null || counted.output === null,
  };
}

/** Characters that a model wrote: text, reasoning, and its calls of tools. */
function lengthOf({
  text,
  reasoning = "",
  toolCalls,
}: Pick<ChatReply, "text" | "reasoning" | "toolCalls">): number {
  const calls = toolCalls.map((call) => `${call.name}${JSON.stringify(call.arguments) ?? ""}`);
  return text.length + reasoning.length + calls.join("").length;
}
