import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ContentBlock } from "@langchain/core/messages";
import { Failure } from "../../../core/errors.ts";
import { AttemptError, type AttemptReply, type Client, type MediaSource } from "../../attempt.ts";
import type { ChatRequest, Part, ProviderContent } from "../../chat.ts";
import { toLangChain } from "../../conversation.ts";
import { functionTool } from "../../json.ts";
import { isPieced } from "../../media-body.ts";
import type { Target } from "../../target.ts";
import { createExchange } from "./exchange.ts";
import type { Integration } from "./integration.ts";
import { loadIntegration } from "./load-integration.ts";
import { OwnContent, ownBlocks, readReply } from "./read-reply.ts";
import { packageRefusal, troubleOf } from "./trouble.ts";

/**
 * A chat model of LangChain's integration packages. Each request uses a new object of its class, without streaming and
 * without the class's own retries.
 */
export async function langchainClient(target: Target): Promise<Client> {
  const { name, model, integration, ChatModel } = await loadIntegration(target);
  const provider = target.provider;
  // Some models do not accept a temperature; their class or server then reports an error.
  let takesTemperature = true;

  return async (request, media, signal) => {
    const withTemperature = takesTemperature;
    try {
      return await send(request, media, signal, withTemperature);
    } catch (error) {
      if (!withTemperature || !isAboutTemperature(error)) throw error;
      takesTemperature = false;
      return send(request, media, signal, false);
    }
  };

  async function send(
    request: ChatRequest,
    media: MediaSource,
    signal: AbortSignal,
    withTemperature: boolean,
  ): Promise<AttemptReply> {
    const exchange = createExchange(target, media.fill, request.extraBody, signal);
    const spec = { key: target.key, baseUrl: target.baseUrl, request, fetch: exchange.fetch };
    const messages = await toLangChain(
      request.messages,
      (parts) => contentOf(parts, media, integration),
      (own) => ownContent(own, provider, name),
    );
    signal.throwIfAborted();
    const tools = request.tools?.map(functionTool) ?? [];
    let message: unknown;
    try {
      const chat = new ChatModel({
        model,
        ...(withTemperature ? { temperature: request.temperature } : {}),
        maxRetries: 0,
        cache: false,
        streaming: false,
        disableStreaming: true,
        ...integration.fields(spec),
      });
      integration.complete?.(chat, spec);
      const { hasToolChoice } = integration;
      const offered = request.toolChoice === "none" && !hasToolChoice ? [] : tools;
      const choice = CHOICES[request.toolChoice ?? "auto"];
      const bound =
        offered.length === 0 ? chat : bindTools(chat, offered, hasToolChoice ? choice : {});
      // With a signal, some classes stream. The fetch already has the signal.
      const options = integration.hasFetch ? {} : { signal };
      message = await untilAborted(bound.invoke(messages, options), signal);
    } catch (error) {
      signal.throwIfAborted();
      const failedCall = exchange.failedCall();
      if (failedCall !== null) return failedCall;
      throw troubleOf(error, exchange, target, integration);
    }
    const reply = readReply(message, {
      turn: messages.length,
      newCallIds: integration.inventsCallIds === true,
    });
    const blocks = tools.length === 0 ? null : ownBlocks(message);
    return blocks === null
      ? reply
      : { ...reply, own: { provider, content: { integration: name, blocks } } };
  }

  function bindTools(
    chat: BaseChatModel,
    tools: ReturnType<typeof functionTool>[],
    options: Record<string, unknown>,
  ) {
    if (chat.bindTools === undefined)
      throw packageRefusal("it does not support tools", target, integration);
    return chat.bindTools(tools, options);
  }
}

/** Stops waiting when `signal` aborts, because not every class passes it on. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Whether a class or a server refuses a request for its temperature. */
function isAboutTemperature(error: unknown): boolean {
  if (!(error instanceof Error) || !/\btemperature\b/i.test(error.message)) return false;
  if (!(error instanceof AttemptError)) return error instanceof Failure;
  const { trouble } = error;
  return trouble.kind === "status" && (trouble.status === 400 || trouble.status === 422);
}

/** The option of `bindTools` for a choice. */
const CHOICES = { auto: {}, none: { tool_choice: "none" }, required: { tool_choice: "any" } };

const MEDIA_WORDS = { image: "pictures", video: "video", audio: "sound" } as const;

/** Parts in order; a single text stays a string, which every class accepts. */
async function contentOf(
  parts: Part[],
  media: MediaSource,
  { package: name, hasPictures, hasFetch, picture = dataUrl }: Integration,
): Promise<string | ContentBlock[]> {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length === parts.length && (texts.length === 1 || !hasPictures))
    return texts.join("\n");
  return Promise.all(
    parts.map(async (part): Promise<ContentBlock> => {
      if (part.type === "text") return { type: "text", text: part.text };
      if (part.type !== "image" || !hasPictures)
        throw new Failure(
          "wrong-setting",
          `The package ${name} cannot send ${MEDIA_WORDS[part.type]} to a model.`,
          {
            package: name,
          },
        );
      const { hash } = part.frame;
      return picture(hasFetch ? media.mark(hash) : await base64Of(hash, media));
    }),
  );
}

function dataUrl(data: string): ContentBlock {
  return { type: "image_url", image_url: { url: `data:image/jpeg;base64,${data}` } };
}

/** For classes that decode a picture before they send it. */
async function base64Of(hash: string, media: MediaSource): Promise<string> {
  const { body } = await media.fill(media.mark(hash));
  if (typeof body === "string") return body;
  if (!isPieced(body)) return Buffer.from(body).toString("latin1");
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("latin1");
}

/** The blocks of an earlier turn, if they come from the same integration. */
function ownContent(own: ProviderContent, provider: string, name: string): ContentBlock[] | null {
  const read = OwnContent.safeParse(own.content);
  return own.provider === provider && read.data?.integration === name ? read.data.blocks : null;
}
