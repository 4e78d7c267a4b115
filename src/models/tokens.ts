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

/** A count that a server or a client reports; null unless it is a whole number of at least 0. */
function counted(reported: number | null | undefined): number | null {
  return Number.isSafeInteger(reported) && (reported as number) >= 0 ? (reported as number) : null;
}

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
  // No request is empty.
  const sent = counted(reported?.input) || null;
  const written = counted(reported?.output);
  const known = written === 0 && isSaid ? null : written;
  const thought = reply.reasoning?.length ?? 0;
  const reasoned = counted(reported?.reasoning) ?? 0;
  const reasoning = reasoned || Math.ceil(thought / CHARACTERS);
  return {
    tokens: countOf({
      input: sent ?? input(),
      output: known ?? Math.ceil((said - thought) / CHARACTERS) + reasoning,
      reasoning: known === null ? reasoning : reasoned,
      cached_input: counted(reported?.cached_input) ?? 0,
    }),
    estimated: sent === null || known === null,
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
