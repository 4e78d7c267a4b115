import { z } from "zod";
import { unusable } from "./attempt.ts";
import { jsonOrText } from "./json.ts";
import { postOnce } from "./post.ts";
import type { Target } from "./target.ts";

/** What one request brings back: a vector for each text, in their order; `tokens` null where they were not counted. */
export interface Embedded {
  vectors: number[][];
  tokens: number | null;
}

/** Texts that one request may carry: Google takes 100. */
export const TEXTS_AT_ONCE = 100;

const OpenAIReply = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.number().nonnegative() }).nullish().catch(null),
});

const GoogleReply = z.object({
  embeddings: z.array(z.object({ values: z.array(z.number()).min(1) })),
});

/**
 * One request to OpenAI's `/embeddings` (also Ollama, vLLM, llama.cpp, LM Studio) or Gemini's `batchEmbedContents`.
 * Throws `AttemptError`, or the signal's reason.
 */
export async function embedOnce(
  target: Target,
  texts: readonly string[],
  options: { timeout_s: number; signal: AbortSignal },
): Promise<Embedded> {
  const isOpenAI = target.provider === "openai";
  const embedded = isOpenAI
    ? await fromOpenAI(target, texts, options)
    : await fromGoogle(target, texts, options);
  const [first] = embedded.vectors;
  const isWhole =
    embedded.vectors.length === texts.length &&
    embedded.vectors.every((vector) => vector.length === first?.length);
  if (!isWhole) throw unusable(`no embedding of one length for each of ${texts.length} texts`);
  return embedded;
}

async function fromOpenAI(
  target: Target,
  texts: readonly string[],
  options: { timeout_s: number; signal: AbortSignal },
): Promise<Embedded> {
  const { baseUrl, model, key, headers } = target;
  const body = await postOnce(`${baseUrl}/embeddings`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...headers,
      "content-type": "application/json",
    },
    body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
    target,
    ...options,
  });
  const read = OpenAIReply.safeParse(jsonOrText(body));
  if (!read.success) throw unusable("no list of embeddings");
  const { data, usage } = read.data;
  return {
    vectors: data.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding),
    tokens: usage?.prompt_tokens ?? null,
  };
}

async function fromGoogle(
  target: Target,
  texts: readonly string[],
  options: { timeout_s: number; signal: AbortSignal },
): Promise<Embedded> {
  const { baseUrl, model, key, headers } = target;
  const name = `models/${model.replace(/^models\//, "")}`;
  const body = await postOnce(`${baseUrl}/v1beta/${name}:batchEmbedContents`, {
    headers: { "x-goog-api-key": key, ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      requests: texts.map((text) => ({ model: name, content: { parts: [{ text }] } })),
    }),
    target,
    ...options,
  });
  const read = GoogleReply.safeParse(jsonOrText(body));
  if (!read.success) throw unusable("no list of embeddings");
  return { vectors: read.data.embeddings.map(({ values }) => values), tokens: null };
}
