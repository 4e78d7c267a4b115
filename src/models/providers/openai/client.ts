import { AsyncLocalStorage } from "node:async_hooks";
import type { ContentBlock } from "@langchain/core/messages";
import type { AsyncCaller as Caller } from "@langchain/core/utils/async_caller";
import { Failure } from "../../../core/errors.ts";
import { AttemptError, type AttemptReply, type Client, type MediaSource } from "../../attempt.ts";
import type { ChatRequest, Part } from "../../chat.ts";
import { toLangChain } from "../../conversation.ts";
import { failedToolCall } from "../../failed-tool-call.ts";
import { functionTool, jsonOrText } from "../../json.ts";
import { withMedia } from "../../media-body.ts";
import { type Fetch, modelFetch, withHeaders } from "../../model-fetch.ts";
import type { Target } from "../../target.ts";
import { FILTERED_PROMPT, isContentFilter } from "./content-filter.ts";
import { thinks } from "./generation.ts";
import { isPlainRequest, type RequestHead, sendLike } from "./later-request.ts";
import { compatibleReplies } from "./openai-compat.ts";
import { readCompletion } from "./read-completion.ts";
import {
  type OptionalParameter,
  refusedParameter,
  refusesEffortWithTools,
} from "./refused-parameter.ts";
import { completedBody, hasTools, returnsReasoning, setsEffort } from "./request-body.ts";
import { troubleOf } from "./trouble-of.ts";

/** Alternatives requested for the first position: the most that older vLLM allows. */
const TOP_LOGPROBS = 5;

/** Clients kept for one model. Callers of a service may ask with many temperatures. */
const MOST_CLIENTS = 16;

/** Longer than any call may take: the caller's signal ends a call, not a timeout of the client. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * OpenAI's chat completions, by LangChain's client; also what vLLM, Ollama, llama.cpp and LM Studio serve. This class
 * never switches to the Responses API by a model's name, as `ChatOpenAI` does; compatible servers lack it. A video is
 * sent as vLLM's `video_url`.
 */
export async function openaiClient(target: Target): Promise<Client> {
  const [{ ChatOpenAICompletions }, { AsyncCaller }] = await Promise.all([
    import("@langchain/openai"),
    import("@langchain/core/utils/async_caller"),
  ]);
  const ownFetch = withHeaders(modelFetch(target), target.headers);
  const isThinking = thinks(target);
  const refused = new Set<OptionalParameter>(isThinking ? ["logprobs"] : []);
  let reasonsWithTools = true;

  /** The calls in flight, from where LangChain's client sends them. */
  const inFlight = new AsyncLocalStorage<Sent>();

  /** Calls at once: limits and retries are ours. */
  class DirectCaller extends AsyncCaller {
    override callWithOptions: Caller["callWithOptions"] = (_options, call, ...args) =>
      call(...args) as never;
  }
  const caller = new DirectCaller({});

  class Calls extends ChatOpenAICompletions {
    override caller = caller;
    /** Address and headers of the first plain request, which are those of all. */
    first: RequestHead | undefined;

    /** Typed to override both overloads. Only the one without a stream is called. */
    override async completionWithRetry(request: never, options?: never): Promise<never> {
      const sent = inFlight.getStore() as Sent;
      const body = completedBody(request, sent.asked, {
        withReasoning: !refused.has("reasoning"),
        withTemperature: !refused.has("temperature"),
        renamesMaxTokens: isThinking || refused.has("max_tokens"),
        reasonsWithTools,
      });
      const isPlain = isPlainRequest(body);
      const head = isPlain ? this.first : undefined;
      const { signal } = (options ?? {}) as { signal?: AbortSignal };
      const quick = head === undefined ? null : await sendLike(head, body, sent.fetch, signal);
      if (quick !== null && "parsed" in quick) {
        sent.reply = { body: quick.parsed };
        return quick.parsed as never;
      }
      const keepHead = (head: RequestHead) => {
        if (isPlain) this.first ??= head;
      };
      const fetch = quick?.again ?? sent.fetch;
      // What is passed to `invoke` would be shown to tracers.
      const fetchOptions = { sent: { fetch, keepHead } satisfies Sending };
      const withSent = { ...(options as object | undefined), fetchOptions } as never;
      const reply = await (super.completionWithRetry(body, withSent) as Promise<unknown>);
      sent.reply = { body: reply };
      return reply as never;
    }
  }

  const clients = new Map<string, Calls>();

  /** One client for all calls with the same parameters: to construct it takes as long as to use it. */
  function clientFor({ maxTokens, temperature, logprobs }: ChatRequest): Calls {
    const wantsLogprobs = logprobs === true && !refused.has("logprobs");
    const key = `${maxTokens} ${temperature} ${wantsLogprobs}`;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const made = new Calls({
      model: target.model,
      apiKey: target.key,
      configuration: { baseURL: target.baseUrl, fetch: fetchOfCall },
      maxTokens,
      ...(isThinking ? {} : { temperature }),
      ...(wantsLogprobs ? { logprobs: true, topLogprobs: TOP_LOGPROBS } : {}),
      maxRetries: 0,
      timeout: NEVER_MS,
      streaming: false,
      cache: false,
    });
    if (clients.size === MOST_CLIENTS) clients.clear();
    clients.set(key, made);
    return made;
  }

  return async (request, media, signal, fetch = ownFetch) => {
    for (;;) {
      // Another call may learn of a refusal while this one is in flight.
      const without = new Set(refused);
      const reasoned = reasonsWithTools;
      let refusal: unknown;
      const watched: Fetch = async (input, init) => {
        const response = await compatibleReplies(fetch)(input, init);
        // OpenAI's client drops a body in another form than OpenAI's.
        if (REFUSED.includes(response.status)) refusal = jsonOrText(await response.clone().text());
        return response;
      };
      try {
        return await send(request, media, signal, watched);
      } catch (error) {
        if (isContentFilter(refusal)) return FILTERED_PROMPT;
        const failedCall = failedToolCall(refusal);
        if (failedCall !== null) return failedCall;
        if (refusesEffortWithTools(refusal) && hasTools(request)) {
          if (request.reasoningEffort === "none") throw error;
          if (setsEffort(request)) throw withAdvice(error, EFFORT_ADVICE);
          if (!reasoned) throw error;
          askForNoReasoning();
          continue;
        }
        const parameter = refusedParameter(refusal, optionalOf(request), target.model);
        if (parameter === null || without.has(parameter)) throw error;
        if (parameter === "temperature" && request.temperature !== DEFAULT_TEMPERATURE)
          throw withAdvice(error, TEMPERATURE_ADVICE);
        leaveOut(parameter);
      }
    }
  };

  function leaveOut(parameter: OptionalParameter): void {
    if (refused.has(parameter)) return;
    refused.add(parameter);
    const instead =
      parameter === "max_tokens" ? "with max_completion_tokens instead" : "without it";
    process.emitWarning(
      `${target.name} at ${target.baseUrl} does not support ${parameter}: requests are sent ${instead}.`,
    );
  }

  function askForNoReasoning(): void {
    if (!reasonsWithTools) return;
    reasonsWithTools = false;
    process.emitWarning(
      `${target.name} at ${target.baseUrl} does not reason in requests with tools: they are sent with reasoning_effort none.`,
    );
  }

  async function send(
    request: ChatRequest,
    media: MediaSource,
    signal: AbortSignal,
    fetch: Fetch,
  ): Promise<AttemptReply> {
    const messages = await toLangChain(request.messages, (parts) => contentOf(parts, media));
    signal.throwIfAborted();
    const tools = request.tools?.map(functionTool) ?? [];
    const { seed } = request;
    // OpenAI's client drops the cause of some errors.
    let thrown: unknown;
    const watched: Fetch = (input, init) =>
      fetch(input, init).catch((error: unknown) => {
        thrown = error;
        throw error;
      });
    const sent: Sent = { asked: request, fetch: withMedia(watched, media.fill), reply: undefined };
    try {
      await inFlight.run(sent, () =>
        clientFor(request).invoke(messages, {
          signal,
          runName: target.name,
          ...(seed === undefined || refused.has("seed") ? {} : { seed }),
          ...(tools.length > 0 ? { tools, tool_choice: request.toolChoice ?? "auto" } : {}),
        }),
      );
    } catch (error) {
      signal.throwIfAborted();
      // LangChain's client throws for messages that it cannot convert; the body is intact.
      if (sent.reply === undefined)
        throw thrown instanceof AttemptError || thrown instanceof Failure
          ? thrown
          : troubleOf(error, target);
    }
    const { own, ...reply } = readCompletion(sent.reply?.body, messages.length, target);
    return tools.length > 0 && own !== undefined ? { ...reply, own } : reply;
  }
}

/** A call, and the fetch that sends it. */
interface Sent {
  asked: ChatRequest;
  fetch: Fetch;
  /** The body of the reply, once it has been parsed; OpenAI's client makes `undefined` of one without bytes. */
  reply: { body: unknown } | undefined;
}

/** How the client that many calls share sends one of them. */
interface Sending {
  fetch: Fetch;
  keepHead(head: RequestHead): void;
}

/** The fetch of a client that many calls share. */
const fetchOfCall: Fetch = (input, init) => {
  const { sent, ...rest } = init as RequestInit & { sent: Sending };
  sent.keepHead({ url: input, headers: rest.headers });
  return sent.fetch(input, rest);
};

/** Statuses of a refused parameter (OpenAI refuses log-probabilities by 403) or prompt (OpenRouter by 403). */
const REFUSED = [400, 403, 422];

/** The temperature that is sent if nobody set one. */
const DEFAULT_TEMPERATURE = 0;
const TEMPERATURE_ADVICE = "set the temperature of this call to 0: then none is sent";
const EFFORT_ADVICE = "with tools, use --reasoning-effort none or leave the effort out";

/** The error of a refused request with advice. */
function withAdvice(error: unknown, advice: string): unknown {
  if (!(error instanceof AttemptError) || error.trouble.kind !== "status") return error;
  return new AttemptError({ ...error.trouble, advice }, error.message);
}

/** The parameters of a request that it can do without, or send under another name. */
function optionalOf(request: ChatRequest): OptionalParameter[] {
  const { logprobs, seed } = request;
  return [
    ...(logprobs === true ? (["logprobs"] as const) : []),
    ...(seed === undefined ? [] : (["seed"] as const)),
    ...(returnsReasoning(request) ? (["reasoning"] as const) : []),
    "temperature",
    "max_tokens",
  ];
}

/** Parts in their order; a single text stays a string, which every server accepts. */
async function contentOf(parts: Part[], media: MediaSource): Promise<string | ContentBlock[]> {
  const [first] = parts;
  if (parts.length === 1 && first?.type === "text") return first.text;
  return Promise.all(
    parts.map(async (part): Promise<ContentBlock> => {
      switch (part.type) {
        case "text":
          return { type: "text", text: part.text };
        case "image": {
          const url = `data:image/jpeg;base64,${media.mark(part.frame.hash)}`;
          return { type: "image_url", image_url: { url } };
        }
        case "video": {
          const url = `data:${part.mime};base64,${media.mark(part.hash)}`;
          return { type: "video_url", video_url: { url } };
        }
        case "audio": {
          const format =
            part.mime === "audio/mpeg" ? "mp3" : part.mime.replace(/^audio\/(x-)?/, "");
          return {
            type: "input_audio",
            input_audio: { data: media.mark(part.hash), format },
          };
        }
      }
    }),
  );
}
