import { z } from "zod";
import { AttemptError, unusable } from "../../attempt.ts";
import type { EmbeddingsReply, RequestLimits } from "../../define-provider.ts";
import { jsonOrText } from "../../json.ts";
import { postOnce } from "../../post.ts";
import type { Target } from "../../target.ts";

const OpenAIReply = z.object({
  data: z.array(
    z.object({
      // Gemini leaves out a 0.
      index: z.int().min(0).nullish(),
      embedding: z.array(z.number()).min(1),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int().nonnegative() }).nullish().catch(null),
});

/** What servers say that accept fewer texts at once. */
const TOO_MANY = /\b(?:batch(?:es)?|too many (?:inputs|texts)|number of (?:inputs|texts))\b/i;
/** llama.cpp, of a single text with too many tokens. */
const PHYSICAL = /\bphysical batch\b/i;

/** Models of servers that refuse `encoding_format`, or its usual value. */
const withoutFormat = new Set<string>();

/**
 * One request to `/embeddings`, which Ollama, vLLM, llama.cpp and LM Studio have as well. `encoding_format` is left out
 * if the server refuses it: a refusal is not billed, and not asked for again in this process.
 */
export async function openaiEmbeddings(
  target: Target,
  texts: readonly string[],
  limits: RequestLimits,
): Promise<EmbeddingsReply> {
  const server = `${target.baseUrl} ${target.model}`;
  if (!withoutFormat.has(server)) {
    try {
      return readEmbeddings(await post(target, texts, { encoding_format: "float" }, limits));
    } catch (error) {
      if (!refusesFormat(error)) throw error;
    }
  }
  const body = await post(target, texts, {}, limits);
  withoutFormat.add(server);
  return readEmbeddings(body);
}

function refusesFormat(error: unknown): boolean {
  if (!(error instanceof AttemptError) || error.trouble.kind !== "status") return false;
  const { status } = error.trouble;
  return (status === 400 || status === 422) && /\bencoding_format\b/.test(error.message);
}

function post(
  target: Target,
  texts: readonly string[],
  format: { encoding_format?: "float" },
  limits: RequestLimits,
): Promise<string> {
  const { baseUrl, model, key, headers } = target;
  return postOnce(`${baseUrl}/embeddings`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...headers,
      "content-type": "application/json",
    },
    body: JSON.stringify({ model, input: texts, ...format }),
    target,
    ...limits,
    refusal: (words) => ({
      words,
      retryAfter_s: null,
      ...(TOO_MANY.test(words) && !PHYSICAL.test(words) ? { tooMany: true } : {}),
    }),
  });
}

/** Throws `AttemptError` `unusable`. */
function readEmbeddings(body: string): EmbeddingsReply {
  const read = OpenAIReply.safeParse(jsonOrText(body));
  if (!read.success) throw unusable("not a list of embeddings");
  const { data, usage } = read.data;
  const placed = data.map(({ index, embedding }, place) => ({ index: index ?? place, embedding }));
  return {
    vectors: placed.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding),
    tokens: usage?.prompt_tokens ?? null,
  };
}
