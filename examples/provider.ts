import {
  type Client,
  defineProvider,
  Failure,
  jsonOrText,
  type Message,
  NO_MEDIA,
  type Part,
  postOnce,
  type Target,
  unusable,
} from "video-rrd";
import { z } from "zod";

const Reply = z.object({
  message: z.object({ content: z.string() }),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number(),
  eval_count: z.number(),
});

/** One request to Ollama's own chat endpoint. Retries, limits, stored replies and costs are not its business. */
const client =
  (target: Target): Client =>
  async ({ messages, tools = [], temperature, maxTokens, seed }, media, signal) => {
    if (tools.length > 0) throw new Failure("wrong-usage", "My Provider cannot call tools.");
    const asked = messages.map((message) => {
      const parts = partsOf(message);
      const content = parts.map((part) => ("text" in part ? part.text : part.label)).join("\n");
      const frames = parts.flatMap((part) => (part.type === "image" ? part.frame : []));
      return { role: message.role, content, images: frames.map(({ hash }) => media.mark(hash)) };
    });
    const options = { temperature, num_predict: maxTokens, seed };
    const request = { model: target.model, messages: asked, options, stream: false };
    const { body, headers: filled } = await media.fill(JSON.stringify(request));
    const headers = { "content-type": "application/json", ...target.headers, ...filled };
    const sent = { target, body, headers, signal };
    const reply = Reply.safeParse(jsonOrText(await postOnce(`${target.baseUrl}/api/chat`, sent)));
    if (!reply.success) throw unusable("not a reply of /api/chat");
    const { message, done_reason, prompt_eval_count: input, eval_count: output } = reply.data;
    const { content: text } = message;
    const finish = text.trim() === "" ? "empty" : done_reason === "length" ? "length" : "stop";
    return { text, finish, toolCalls: [], tokens: { input, output } };
  };

const partsOf = (message: Message): Part[] =>
  "parts" in message ? message.parts : [{ type: "text", text: message.text }];

export default defineProvider({
  name: "my-provider",
  title: "My Provider",
  example: "my-provider:qwen3-vl",
  server: { home: "http://127.0.0.1:11434", isCompatible: true },
  key: { variables: [], header: "authorization" },
  chat: async (target) => client(target),
  prices: {},
  media: () => NO_MEDIA,
  generationProblem: () => null,
});
