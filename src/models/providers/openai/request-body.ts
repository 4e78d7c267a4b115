import { z } from "zod";
import type { ChatRequest, ProviderContent } from "../../chat.ts";
import { vllmSampling } from "./vllm-sampling.ts";

/*
 * What OpenAI-compatible servers accept and LangChain's client does not send: settings of generation, and the reasoning
 * of earlier turns of the assistant.
 */

/** What the server does not take as LangChain's client writes it. */
export interface BodyLimits {
  withReasoning: boolean;
  withTemperature: boolean;
  /** `max_completion_tokens`, which OpenAI's models that think need instead of `max_tokens`. */
  renamesMaxTokens: boolean;
  /** Whether its default effort of reasoning may go with tools. If not, a request with tools asks for none. */
  reasonsWithTools: boolean;
}

/** A request body with what LangChain's client left out, and without what the server refuses. */
export function completedBody<Body extends { messages: { role: string }[] }>(
  body: Body,
  request: ChatRequest,
  { withReasoning, withTemperature, renamesMaxTokens, reasonsWithTools }: BodyLimits,
): Body {
  const turns = request.messages.filter((message) => message.role === "assistant").values();
  const messages = body.messages.map((message) => {
    if (message.role !== "assistant") return message;
    const own = turns.next().value?.own;
    return withReasoning && own?.provider === "openai" ? { ...message, ...own.content } : message;
  });
  const taken = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    if (name === "temperature" && !withTemperature) return [];
    const isRenamed = name === "max_tokens" && renamesMaxTokens;
    return [[isRenamed ? "max_completion_tokens" : name, value]];
  });
  const asksForNone = !reasonsWithTools && hasTools(request) && !setsEffort(request);
  return {
    ...(Object.fromEntries(taken) as Body),
    ...generationMembers(request),
    ...(asksForNone ? { reasoning_effort: "none" } : {}),
    messages,
  };
}

export function hasTools({ tools = [] }: ChatRequest): boolean {
  return tools.length > 0;
}

/** Whether a user set the effort of reasoning. */
export function setsEffort({ reasoningEffort, extraBody }: ChatRequest): boolean {
  return reasoningEffort !== undefined || extraBody?.reasoning_effort !== undefined;
}

/** Whether a turn of the assistant has reasoning that is sent back to the server. */
export function returnsReasoning({ messages }: ChatRequest): boolean {
  return messages.some(
    (message) => message.role === "assistant" && message.own?.provider === "openai",
  );
}

function generationMembers(request: ChatRequest): Record<string, unknown> {
  const { topP, topK, reasoningEffort, thinkingBudget, video, extraBody = {} } = request;
  const template = templateMembers(thinkingBudget);
  return {
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    ...(video === undefined ? {} : vllmSampling(video)),
    ...extraBody,
    ...(template === null
      ? {}
      : { chat_template_kwargs: { ...membersOf(extraBody.chat_template_kwargs), ...template } }),
  };
}

/** The names that chat templates of Qwen, DeepSeek and Seed read; a template ignores those that it does not know. */
function templateMembers(budget: number | undefined): Record<string, unknown> | null {
  if (budget === undefined) return null;
  if (budget <= 0) return { enable_thinking: budget !== 0 };
  return { enable_thinking: true, thinking_budget: budget };
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/**
 * Members of a message with reasoning: vLLM, DeepSeek and SGLang (`reasoning_content`), vLLM and OpenRouter
 * (`reasoning`).
 */
export const ReasoningMembers = {
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  reasoning_details: z.array(z.unknown()).nullish().catch(null),
};
type ReasoningMessage = {
  [Name in keyof typeof ReasoningMembers]?: z.infer<(typeof ReasoningMembers)[Name]>;
};

/** The reasoning as text, and as the members that the server needs back. */
export function readReasoning(message: ReasoningMessage): {
  reasoning?: string;
  own?: ProviderContent;
} {
  const { reasoning_content, reasoning, reasoning_details } = message;
  const text = [reasoning_content, reasoning].find((words) => words != null && words !== "");
  const members = Object.entries({ reasoning_content, reasoning, reasoning_details }).filter(
    ([, value]) => value != null && value !== "",
  );
  return {
    ...(text == null ? {} : { reasoning: text }),
    ...(members.length === 0
      ? {}
      : { own: { provider: "openai", content: Object.fromEntries(members) } }),
  };
}
