import type { ContentBlock } from "@langchain/core/messages";
import { z } from "zod";
import { type AttemptReply, type Client, type MediaSource, unusable } from "../../attempt.ts";
import type { ChatRequest, Finish, Part, ToolCall } from "../../chat.ts";
import { toLangChain } from "../../conversation.ts";
import { jsonOrText, wordsWithout } from "../../json.ts";
import type { Fetch } from "../../model-fetch.ts";
import { notAReply } from "../../not-a-reply.ts";
import { postOnce, type RefusalWords } from "../../post.ts";
import { checkArguments } from "../../reply-limits.ts";
import { secretsOf, type Target } from "../../target.ts";
import { addSampling, geminiMime, type VideoMetadata, videoMetadata } from "./media.ts";
import { modelPath } from "./model-path.ts";
import { completeGeminiBody } from "./request-body.ts";
import { geminiTool } from "./schema.ts";
import { reportedTokens, UsageMetadata } from "./usage.ts";

/**
 * Gemini's generateContent. LangChain's client builds the request; it is sent from here, because Google's client gives
 * up after 300 s at any limit, and hides headers and replies without text. Media are sent as `inlineData`, or as
 * `fileData` if they were uploaded before (`remote-files.ts`).
 */
export async function googleClient(target: Target): Promise<Client> {
  const { ChatGoogleGenerativeAI } = await import("@langchain/google-genai");
  type Sending = InstanceType<typeof ChatGoogleGenerativeAI>["completionWithRetry"];

  class OneCall extends ChatGoogleGenerativeAI {
    readonly asked: ChatRequest;
    readonly media: MediaSource;
    readonly stop: AbortSignal;
    readonly fetch: Fetch | undefined;
    /** Metadata of each video, in the order in which they are sent. */
    readonly cuts: VideoMetadata[] = [];
    reply: unknown;

    constructor(...[asked, media, stop, fetch]: Parameters<Client>) {
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
      this.media = media;
      this.stop = stop;
      this.fetch = fetch;
    }

    override async completionWithRetry(request: Parameters<Sending>[0]) {
      // What the client makes is always an object with `contents`.
      completeGeminiBody(request as Parameters<typeof completeGeminiBody>[0], this.asked);
      addSampling(request, this.asked.video, this.cuts);
      const { media, stop: signal, fetch } = this;
      this.reply = await generate(request, media, target, { signal, fetch });
      return { response: this.reply } as Awaited<ReturnType<Sending>>;
    }
  }

  return async (request, media, signal, fetch) => {
    const call = new OneCall(request, media, signal, fetch);
    const messages = await toLangChain(request.messages, (parts) => {
      call.cuts.push(...videoMetadata(parts, request.video));
      return contentOf(parts, media);
    });
    signal.throwIfAborted();
    const tools = request.tools?.map(geminiTool) ?? [];
    const choice = request.toolChoice === "required" ? "any" : request.toolChoice;
    try {
      await call.invoke(messages, {
        signal,
        runName: target.name,
        ...(tools.length > 0 ? { tools, tool_choice: choice ?? "auto" } : {}),
      });
    } catch (error) {
      signal.throwIfAborted();
      // LangChain's client throws for a reply without candidates or content; the body is intact.
      if (call.reply === undefined) throw error;
    }
    const { own, ...reply } = readReply(call.reply, messages.length, target);
    return tools.length > 0 && own !== undefined ? { ...reply, own } : reply;
  };
}

/** One request; returns its body for `readReply`. */
async function generate(
  request: unknown,
  media: MediaSource,
  target: Target,
  sending: { signal: AbortSignal; fetch: Fetch | undefined },
): Promise<unknown> {
  const filled = await media.fill(JSON.stringify(request));
  const { baseUrl, model, key, headers } = target;
  const secrets = secretsOf(target);
  const body = await postOnce(`${baseUrl}/v1beta/${modelPath(model)}:generateContent`, {
    headers: {
      "x-goog-api-key": key,
      ...headers,
      ...filled.headers,
      "content-type": "application/json",
    },
    body: filled.body,
    target,
    ...sending,
    refusal: readRefusal,
  });
  try {
    return JSON.parse(body);
  } catch (error) {
    throw unusable(`not JSON (${wordsWithout(secrets, error)})`);
  }
}

/** Parts in their order. `media` blocks, since the client refuses pictures to models whose names it does not know. */
async function contentOf(parts: Part[], media: MediaSource): Promise<ContentBlock[]> {
  return Promise.all(
    parts.map(async (part): Promise<ContentBlock> => {
      if (part.type === "text") return { type: "text", text: part.text };
      if (part.type === "image")
        return { type: "media", mimeType: "image/jpeg", data: media.mark(part.frame.hash) };
      const mimeType = geminiMime(part.mime);
      const fileUri = media.uri(part.hash);
      return fileUri === null
        ? { type: "media", mimeType, data: media.mark(part.hash) }
        : { type: "media", mimeType, fileUri };
    }),
  );
}

const Reply = z.object({
  candidates: z
    .array(
      z.object({
        finishReason: z.string().nullish(),
        content: z
          .looseObject({
            parts: z
              .array(
                z.looseObject({
                  text: z.string().nullish(),
                  thought: z.boolean().nullish(),
                  functionCall: z
                    .looseObject({
                      id: z.string().nullish(),
                      name: z.string(),
                      // Missing for a call without arguments.
                      args: z.unknown().optional(),
                    })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: UsageMetadata.optional().catch(undefined),
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

/** `turn` gives ids to calls, which come without: the same ones whenever the conversation is repeated. */
function readReply(raw: unknown, turn: number, target: Target): AttemptReply {
  const read = Reply.safeParse(raw);
  if (
    !read.success ||
    (read.data.candidates == null &&
      read.data.usageMetadata === undefined &&
      read.data.promptFeedback == null)
  )
    throw notAReply("generateContent reply", raw, target);
  const { candidates, promptFeedback, usageMetadata } = read.data;
  const content = candidates?.[0]?.content;
  const parts = content?.parts ?? [];
  const textOf = (thought: boolean) =>
    parts.map((part) => ((part.thought === true) === thought ? (part.text ?? "") : "")).join("");
  const text = textOf(false);
  const reasoning = textOf(true);
  const toolCalls = parts.flatMap(({ functionCall }, index): ToolCall[] =>
    functionCall == null
      ? []
      : [
          {
            id: functionCall.id ?? `call_${turn}_${index}`,
            name: functionCall.name,
            arguments: functionCall.args ?? {},
          },
        ],
  );
  checkArguments(toolCalls.map((call) => JSON.stringify(call.arguments)));
  const reason = candidates?.[0]?.finishReason ?? promptFeedback?.blockReason ?? "";
  const blocked = promptFeedback?.blockReason != null || REFUSALS.has(reason);
  return {
    text: blocked && text === "" ? reason : text,
    finish: blocked ? "refused" : finishOf(reason, text, toolCalls),
    toolCalls,
    tokens: usageMetadata ? reportedTokens(usageMetadata) : null,
    ...(reasoning === "" ? {} : { reasoning }),
    ...(content == null || !(parts.some(isOwn) || hasIds(parts))
      ? {}
      : { own: { provider: "google-genai", content: { parts } } }),
  };
}

/** Whether a part has content that has to be sent back: a thought or its signature. */
function isOwn(part: Record<string, unknown>): boolean {
  return part.thought === true || "thoughtSignature" in part;
}

/** Whether several calls have ids, which their results need. */
function hasIds(
  parts: readonly { functionCall?: { id?: string | null | undefined } | null | undefined }[],
): boolean {
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  return calls.length > 1 && calls.some(({ id }) => id != null);
}

function finishOf(reason: string, text: string, toolCalls: ToolCall[]): Finish {
  if (reason === "MAX_TOKENS") return "length";
  if (toolCalls.length > 0) return "tool-calls";
  if (text.trim() === "") return "empty";
  return reason === "STOP" || reason === "" || reason === "FINISH_REASON_UNSPECIFIED"
    ? "stop"
    : "broken";
}

const Refusal = z.object({
  error: z.object({
    message: z.string(),
    details: z
      .array(
        z.object({
          retryDelay: z.string().optional(),
          violations: z
            .array(z.object({ quotaId: z.string().optional() }))
            .optional()
            .catch(undefined),
        }),
      )
      .optional()
      .catch(undefined),
  }),
});

/** The server's words, the seconds of `google.rpc.RetryInfo`, written `12.5s`, and whether a quota is used up. */
export function readRefusal(body: string): RefusalWords {
  const read = Refusal.safeParse(jsonOrText(body));
  if (!read.success) return { words: body, retryAfter_s: null };
  const { message, details } = read.data.error;
  const delay = details?.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  const seconds = Number.parseFloat(delay ?? "");
  const spent =
    details?.some(({ violations }) => violations?.some(isSpent)) || NO_QUOTA.test(message);
  return {
    words: message,
    retryAfter_s: Number.isFinite(seconds) ? Math.max(0, seconds) : null,
    ...(spent ? { spent: true } : {}),
  };
}

/** A model that the account's plan does not include. */
const NO_QUOTA = /\bQuota exceeded\b.*\blimit: 0\b/;

/** Whether a quota lasts for longer than a run waits, as `GenerateRequestsPerDayPerProjectPerModel`; its delay is seconds. */
function isSpent({ quotaId = "" }: { quotaId?: string | undefined }): boolean {
  return quotaId.includes("PerDay");
}
