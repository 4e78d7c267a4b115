import { z } from "zod";
import { unusable } from "../../attempt.ts";
import type { EmbeddingsReply, RequestLimits } from "../../define-provider.ts";
import { jsonOrText } from "../../json.ts";
import { postOnce } from "../../post.ts";
import type { Target } from "../../target.ts";
import { modelPath } from "./model-path.ts";

const GoogleReply = z.object({
  embeddings: z.array(z.object({ values: z.array(z.number()).min(1) })),
});

/** One request to Gemini's `batchEmbedContents`. It does not count tokens. */
export async function geminiEmbeddings(
  target: Target,
  texts: readonly string[],
  limits: RequestLimits,
): Promise<EmbeddingsReply> {
  const { baseUrl, model, key, headers } = target;
  const name = modelPath(model);
  const body = await postOnce(`${baseUrl}/v1beta/${name}:batchEmbedContents`, {
    headers: { "x-goog-api-key": key, ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      requests: texts.map((text) => ({ model: name, content: { parts: [{ text }] } })),
    }),
    target,
    ...limits,
  });
  const read = GoogleReply.safeParse(jsonOrText(body));
  if (!read.success) throw unusable("not a list of embeddings");
  return { vectors: read.data.embeddings.map(({ values }) => values), tokens: null };
}
