import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { z } from "zod";
import { Failure } from "../core/errors.ts";
import type { Limit } from "../core/shapes.ts";
import type { Call, CallResult, ChatReply, ChatRequest, Models, Part, ToolSpec } from "./chat.ts";
import { fromLangChain, type PictureStore } from "./from-langchain.ts";
import { argumentsObject } from "./json.ts";
import { withoutMedia } from "./without-media.ts";

/** What is known of a call in addition to its request. */
type Facts = Pick<Call, "label" | "prompts" | "shown" | "evidence">;

/** What a LangChain chat model needs to send its calls by the path of all others. */
export interface RoutedChatOptions
  extends PictureStore,
    Pick<Call, "role" | "stage" | "epoch">,
    Pick<ChatRequest, "temperature" | "maxTokens"> {
  models: Models;
  /** Members of the request that depend on its media. */
  requestFor?: (parts: readonly Part[]) => Pick<ChatRequest, "video">;
  /** Asked before each call. Default: all frames of the request are counted. */
  facts?: () => Facts;
  onResult?: (result: CallResult) => void;
  /** Ends an agent's loop with an empty message when a budget refuses a call. Default: `Failure` `limit-met`. */
  endsAtLimit?: true;
}

/** Options of one call; an agent's middleware sets them as `modelSettings`. */
export interface RoutedCallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[];
  /** Sends the labels of pictures in their place, and says that the pictures were left out. */
  withoutMedia?: boolean;
  /** New tokens the reply may have. */
  maxTokens?: number;
}

/**
 * A chat model for agents of LangChain whose calls go through `Models`: stored replies, retries, the limit of calls in
 * flight, the budget, usage and costs are those of every other call. Equal conversations are paid for once.
 */
export class RoutedChatModel extends BaseChatModel<RoutedCallOptions> {
  readonly #options: RoutedChatOptions;

  constructor(options: RoutedChatOptions) {
    // `Models` retries and stores.
    super({ maxRetries: 0, cache: false });
    this.#options = options;
  }

  override _llmType(): string {
    return "video-rrd";
  }

  override bindTools(tools: BindToolsInput[], options: Partial<RoutedCallOptions> = {}) {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(
    given: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const result = await this.#call(given, options);
    this.#options.onResult?.(result);
    if (result.status === "limit") {
      if (!this.#options.endsAtLimit) throw limitMet(result.limit);
      const message = new AIMessage({ content: "", response_metadata: { limit: result.limit } });
      return { generations: [{ text: "", message }] };
    }
    const { reply, cached } = result;
    return { generations: [{ text: reply.text, message: messageOf(reply, cached) }] };
  }

  async #call(given: BaseMessage[], options: RoutedCallOptions): Promise<CallResult> {
    const { models, role, stage, video, epoch, temperature, maxTokens, facts, requestFor } =
      this.#options;
    const sent = await fromLangChain(given, this.#options);
    const messages = options.withoutMedia ? sent.map(withoutMedia) : sent;
    const parts = messages.flatMap((message) => ("parts" in message ? message.parts : []));
    const known = facts?.() ?? { label: "turn of an agent", prompts: {} };
    return models.call({
      role,
      stage,
      video,
      epoch,
      ...known,
      request: {
        messages,
        temperature,
        maxTokens: options.maxTokens ?? maxTokens,
        ...toolsOf(options),
        ...requestFor?.(parts),
      },
    });
  }
}

function limitMet(limit: Limit): Failure {
  return new Failure("limit-met", `The budget of ${limit} allows no further model call.`, {
    limit,
  });
}

function messageOf(reply: ChatReply, cached: boolean): AIMessage {
  const { text, toolCalls, tokens, finish, own, reasoning } = reply;
  return new AIMessage({
    content: text,
    tool_calls: toolCalls.map((call) => ({
      type: "tool_call",
      id: call.id,
      name: call.name,
      args: argumentsObject(call),
    })),
    usage_metadata: {
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      total_tokens: tokens.input + tokens.output,
    },
    additional_kwargs: reasoning === undefined ? {} : { reasoning_content: reasoning },
    response_metadata: { finish, cached, ...(own === undefined ? {} : { own }) },
  });
}

/** Without tools no choice is sent: servers refuse one. */
function toolsOf({
  tools = [],
  tool_choice: choice,
}: Pick<RoutedCallOptions, "tools" | "tool_choice">): Pick<ChatRequest, "tools" | "toolChoice"> {
  const specs = tools.map(specOf);
  if (specs.length === 0) return {};
  if (choice === undefined || choice === "auto") return { tools: specs, toolChoice: "auto" };
  if (choice === "none") return { tools: specs, toolChoice: "none" };
  if (choice === "any" || choice === "required") return { tools: specs, toolChoice: "required" };
  const name =
    typeof choice === "string" ? choice : NamedChoice.safeParse(choice).data?.function.name;
  return { tools: specs.filter((spec) => spec.name === name), toolChoice: "required" };
}

const NamedChoice = z.object({ function: z.object({ name: z.string() }) });

/** A tool's description that tells what its arguments mean, so that their own are not sent. */
export const DESCRIBES_ARGUMENTS = { describes_arguments: true } as const;

function specOf(tool: BindToolsInput): ToolSpec {
  const { name, description, schema, metadata } = tool as Partial<ToolSpec> & { metadata?: object };
  if (name !== undefined && schema instanceof z.ZodObject) {
    const described = metadata !== undefined && "describes_arguments" in metadata;
    const words = description ?? "";
    return { name, description: words, schema, ...(described ? { undescribed: true } : {}) };
  }
  const { function: other } = convertToOpenAITool(
    tool as Parameters<typeof convertToOpenAITool>[0],
  );
  const { $schema: _, ...parameters } = (other.parameters ?? {
    type: "object",
    properties: {},
  }) as {
    $schema?: string;
  } & Record<string, unknown>;
  return { name: other.name, description: other.description ?? "", schema: parameters };
}
