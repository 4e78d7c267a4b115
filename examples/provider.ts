import { type Client, defineProvider, jsonOrText, NO_MEDIA, postOnce, type Target, unusable } from "video-rrd";
import { z } from "zod";

const Reply = z.object({
  message: z.object({ content: z.string() }),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number(),
  eval_count: z.number(),
});

/** One request to Ollama's own chat endpoint. Retries, limits, stored replies and costs are taken care of. */
function client({ baseUrl, model, key, headers: own, ...target }: Target): Client {
  return async (request, media, signal) => {
    const messages = request.messages.map((message) => {
      const parts = "parts" in message ? message.parts : [{ type: "text" as const, text: message.text }];
      return {
        role: message.role,
        content: parts.map((part) => (part.type === "text" ? part.text : (part.label ?? ""))).join("\n"),
        // A mark becomes the picture's base64 while the body is sent.
        images: parts.flatMap((part) => (part.type === "image" ? media.mark(part.frame.hash) : [])),
      };
    });
    const { temperature, maxTokens: num_predict, seed } = request;
    const options = { temperature, num_predict, seed };
    const sent = await media.fill(JSON.stringify({ model, messages, options, stream: false }));
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}`, ...own };
    const text = await postOnce(`${baseUrl}/api/chat`, {
      target: { key, headers: own, limits: target.limits },
      headers: { ...headers, ...sent.headers },
      body: sent.body,
      signal,
    });
    const reply = Reply.safeParse(jsonOrText(text));
    if (!reply.success) throw unusable("not a reply of /api/chat");
    const { message, done_reason, prompt_eval_count: input, eval_count: output } = reply.data;
    const finish = message.content.trim() === "" ? "empty" : done_reason === "length" ? "length" : "stop";
    return { text: message.content, finish, toolCalls: [], tokens: { input, output } };
  };
}

export default defineProvider({
  name: "my-provider",
  title: "My Provider",
  example: "my-provider:qwen3-vl",
  server: { home: "http://127.0.0.1:11434", variable: "MY_PROVIDER_URL", isCompatible: true },
  key: { variables: ["MY_PROVIDER_API_KEY"], header: "authorization" },
  chat: async (target) => client(target),
  prices: {},
  media: () => NO_MEDIA,
  generationProblem: () => null,
});
