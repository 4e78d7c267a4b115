import { z } from "zod";
import { unusable } from "../../attempt.ts";
import type { EmbeddingsReply, RequestLimits } from "../../define-provider.ts";
import { jsonOrText } from "../../json.ts";
import { postOnce } from "../../post.ts";
import type { Target } from "../../target.ts";

const OpenAIReply = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.int().nonnegative() }).nullish().catch(null),
});

/** One request to `/embeddings`, which Ollama, vLLM, llama.cpp and LM Studio have as well. */
export async function openaiEmbeddings(
  target: Target,
  texts: readonly string[],
  limits: RequestLimits,
): Promise<EmbeddingsReply> {
  const { baseUrl, model, key, headers } = target;
  const body = await postOnce(`${baseUrl}/embeddings`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...headers,
      "content-type": "application/json",
    },
    body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
    target,
    ...limits,
  });
  const read = OpenAIReply.safeParse(jsonOrText(body));
  if (!read.success) throw unusable("not a list of embeddings");
  const { data, usage } = read.data;
  return {
    vectors: data.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding),
    tokens: usage?.prompt_tokens ?? null,
  };
}
