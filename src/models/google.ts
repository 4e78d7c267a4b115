import type { ContentBlock } from "@langchain/core/messages";
import { z } from "zod";
import {
  AttemptError,
  answerOf,
  type Client,
  codeOf,
  type ReadMedia,
  type Received,
  unusable,
} from "./attempt.ts";
import type { ChatRequest, Finish, Part, ToolCall } from "./chat.ts";
import { toLangChain } from "./conversation.ts";
import { geminiTool } from "./gemini-schema.ts";
import { wordsWithout } from "./json.ts";
import type { Target } from "./target.ts";

/**
 * Gemini's generateContent, by LangChain's client. Frames, video and audio go as `inlineData`.
 * The client drops the signal on its way and hides replies without text behind an error, so each call has an instance
 * that hands the signal on and keeps the reply as it came.
 */
export async function googleClient(target: Target): Promise<Client> {
  const { ChatGoogleGenerativeAI } = await import("@langchain/google-genai");
  type Request = Parameters<InstanceType<typeof ChatGoogleGenerativeAI>["completionWithRetry"]>[0];

  class OneCall extends ChatGoogleGenerativeAI {
    readonly asked: ChatRequest;
    readonly stop: AbortSignal;
    reply: unknown;

    constructor(asked: ChatRequest, stop: AbortSignal) {
      super({
        model: target.model,
        apiKey: target.key,
        baseUrl: target.baseUrl,
        temperature: asked.temperature,
        maxOutputTokens: asked.maxTokens,
        maxRetries: 0,
        cache: false,
      });
      this.asked = asked;
      this.stop = stop;
    }

    override async completionWithRetry(request: Request) {
      const { seed } = this.asked;
      // The client has no seed of its own; its request is always an object with a `generationConfig`.
      if (seed !== undefined && typeof request === "object" && "generationConfig" in request)
        Object.assign(request.generationConfig ?? {}, { seed });
      const result = await super.completionWithRetry(request, { signal: this.stop });
      this.reply = result.response;
      return result;
    }
  }

  return async (request, media, signal) => {
    const messages = await toLangChain(request.messages, (parts) => contentOf(parts, media));
    signal.throwIfAborted();
    const tools = request.tools?.map(geminiTool) ?? [];
    const choice = request.toolChoice === "required" ? "any" : request.toolChoice;
    const call = new OneCall(request, signal);
    try {
      await call.invoke(messages, {
        signal,
        ...(tools.length > 0 ? { tools, tool_choice: choice ?? "auto" } : {}),
      });
    } catch (error) {
      signal.throwIfAborted();
      // A reply without candidates or content reaches us as an error of the client's, its body intact.
      if (call.reply === undefined) throw troubleOf(error, target);
    }
    return readReply(call.reply, messages.length);
  };
}

/** Parts in their order. `media` blocks, since the client refuses pictures to models whose names it does not know. */
async function contentOf(parts: Part[], media: ReadMedia): Promise<ContentBlock[]> {
  return Promise.all(
    parts.map(async (part): Promise<ContentBlock> => {
      if (part.type === "text") return { type: "text", text: part.text };
      const hash = part.type === "image" ? part.frame.hash : part.hash;
      const mimeType = part.type === "image" ? "image/jpeg" : part.mime;
      return { type: "media", mimeType, data: await media(hash) };
    }),
  );
}

const Reply = z.object({
  candidates: z
    .array(
      z.object({
        finishReason: z.string().optional(),
        content: z
          .object({
            parts: z
              .array(
                z.object({
                  text: z.string().optional(),
                  thought: z.boolean().optional(),
                  functionCall: z
                    .object({
                      id: z.string().optional(),
                      name: z.string(),
                      args: z.unknown(),
                    })
                    .optional(),
                }),
              )
              .optional(),
          })
          .optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z
    .object({ promptTokenCount: z.number().default(0), totalTokenCount: z.number().default(0) })
    .optional(),
});

const REFUSALS = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
]);

/** `turn` makes ids for calls, which come without: the same ones whenever the conversation is repeated. */
function readReply(raw: unknown, turn: number): Received {
  const read = Reply.safeParse(raw);
  if (
    !read.success ||
    (read.data.candidates === undefined &&
      read.data.usageMetadata === undefined &&
      read.data.promptFeedback === undefined)
  )
    throw unusable("no generateContent reply");
  const { candidates, promptFeedback, usageMetadata } = read.data;
  const parts = candidates?.[0]?.content?.parts ?? [];
  const text = parts.map((part) => (part.thought === true ? "" : (part.text ?? ""))).join("");
  const toolCalls = parts.flatMap(({ functionCall }, index): ToolCall[] =>
    functionCall === undefined
      ? []
      : [
          {
            id: functionCall.id ?? `call_${turn}_${index}`,
            name: functionCall.name,
            arguments: functionCall.args ?? {},
          },
        ],
  );
  const reason = candidates?.[0]?.finishReason ?? promptFeedback?.blockReason ?? "";
  const blocked = promptFeedback?.blockReason !== undefined || REFUSALS.has(reason);
  return {
    text: blocked && text === "" ? reason : text,
    finish: blocked ? "refused" : finishOf(reason, text, toolCalls),
    toolCalls,
    // Thinking tokens are billed as output, and only the total counts them.
    tokens: usageMetadata
      ? {
          input: usageMetadata.promptTokenCount,
          output: Math.max(0, usageMetadata.totalTokenCount - usageMetadata.promptTokenCount),
        }
      : null,
  };
}

function finishOf(reason: string, text: string, toolCalls: ToolCall[]): Finish {
  if (reason === "MAX_TOKENS") return "length";
  if (toolCalls.length > 0) return "tool-calls";
  if (text.trim() === "") return "empty";
  return reason === "STOP" || reason === "" || reason === "FINISH_REASON_UNSPECIFIED"
    ? "stop"
    : "broken";
}

/** What Google's client throws, in our terms. It hides headers, and tells how long to wait in the body's details. */
function troubleOf(error: unknown, target: Target): AttemptError {
  const words = wordsWithout(target.key, error).replace(
    /^.*Error fetching from \S+: (\[\d{3}[^\]]*\] ?)?/,
    "",
  );
  const answer = answerOf(error);
  if (answer !== undefined) {
    const { errorDetails } = answer.from as { errorDetails?: unknown };
    const retryAfter_s = delayOf(errorDetails);
    return new AttemptError({ kind: "status", status: answer.status, retryAfter_s }, words);
  }
  const code = codeOf(error);
  if (error instanceof SyntaxError) return unusable(`no JSON (${words})`);
  if (error instanceof TypeError && code === undefined) return unusable("no generateContent reply");
  return new AttemptError({ kind: "dropped" }, code ?? words);
}

const RetryInfo = z.array(z.object({ retryDelay: z.string().optional() }));

/** Seconds of `google.rpc.RetryInfo`, written `12.5s`. */
function delayOf(details: unknown): number | null {
  const read = RetryInfo.safeParse(details);
  const delay = read.data?.find((detail) => detail.retryDelay !== undefined)?.retryDelay;
  const seconds = Number.parseFloat(delay ?? "");
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
