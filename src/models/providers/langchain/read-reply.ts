import { z } from "zod";
import { type AttemptReply, unusable } from "../../attempt.ts";
import type { ProviderContent, TokenCount, ToolCall } from "../../chat.ts";
import { finishOf } from "../../finish-of.ts";
import { jsonOrText } from "../../json.ts";
import { checkArguments } from "../../reply-limits.ts";
import { countOf } from "../../tokens.ts";

const Block = z.looseObject({
  type: z.string().optional().catch(undefined),
  text: z.string().optional().catch(undefined),
});

/** The members of LangChain's AIMessage that all integrations have in common. */
const Message = z.object({
  content: z.union([z.string(), z.array(Block)]),
  tool_calls: z
    .array(z.object({ id: z.string().nullish(), name: z.string(), args: z.unknown() }))
    .default([]),
  invalid_tool_calls: z
    .array(
      z.object({
        id: z.string().nullish(),
        name: z.string().nullish(),
        args: z.string().nullish(),
      }),
    )
    .default([]),
  usage_metadata: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      total_tokens: z.number().nullish().catch(null),
      input_token_details: z.object({ cache_read: z.number().nullish() }).nullish().catch(null),
      output_token_details: z.object({ reasoning: z.number().nullish() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  response_metadata: z.looseObject({}).default({}),
  additional_kwargs: z.looseObject({}).default({}),
});
type Message = z.infer<typeof Message>;

/** How to read a reply. `turn` makes the ids of tool calls: the same ones whenever the conversation is repeated. */
export interface ReplyReading {
  turn: number;
  /** Whether to replace the ids of the message. */
  newCallIds: boolean;
}

/** Reads an AIMessage. Throws `AttemptError` `unusable` for anything else. */
export function readReply(
  raw: unknown,
  { turn, newCallIds }: ReplyReading,
): AttemptReply & { tokens: TokenCount | null } {
  const read = Message.safeParse(raw);
  if (!read.success) throw unusable("not a message of an assistant");
  const message = read.data;
  const { content, tool_calls, invalid_tool_calls } = message;
  const text =
    typeof content === "string"
      ? content
      : content.map((block) => (isText(block) ? (block.text ?? "") : "")).join("");
  const calls = [
    ...tool_calls.map(({ id, name, args }) => ({ id, name, arguments: args ?? {} })),
    // Arguments that are not JSON.
    ...invalid_tool_calls.map(({ id, name, args }) => ({
      id,
      name: name ?? "",
      arguments: jsonOrText(args ?? ""),
    })),
  ];
  checkArguments(calls.map((call) => JSON.stringify(call.arguments)));
  const toolCalls = calls.map(
    (call, index): ToolCall => ({
      ...call,
      id: (newCallIds ? null : call.id) || `call_${turn}_${index}`,
    }),
  );
  const reason = stopReason(message);
  const finish = finishOf(reason, { text, toolCalls });
  const reasoning = reasoningOf(message);
  return {
    text: finish === "refused" && text === "" ? reason : text,
    finish,
    toolCalls,
    tokens: tokensOf(message),
    ...(reasoning === "" ? {} : { reasoning }),
  };
}

/**
 * The blocks of a message that have to be sent back with its turn: those with reasoning, because some services sign them.
 * Null if it has only text.
 */
export function ownBlocks(raw: unknown): Record<string, unknown>[] | null {
  const content = Message.safeParse(raw).data?.content;
  if (content === undefined || typeof content === "string") return null;
  return content.some((block) => reasoningIn(block) !== null) ? content : null;
}

export const OwnContent = z.object({
  integration: z.string(),
  blocks: z.array(z.looseObject({ type: z.string() })),
}) satisfies z.ZodType<ProviderContent["content"]>;

function isText({ type }: z.infer<typeof Block>): boolean {
  return type === "text" || type === "text_delta";
}

/** Reasoning: in blocks (Anthropic, Bedrock, Gemini, Mistral) or as a member (Ollama, DeepSeek, xAI). */
function reasoningOf({ content, additional_kwargs }: Message): string {
  const blocks = typeof content === "string" ? [] : content;
  const said = blocks.map((block) => reasoningIn(block) ?? "").join("");
  const member = additional_kwargs.reasoning_content;
  return said === "" && typeof member === "string" ? member : said;
}

const ReasoningBlock = z.union([
  z.looseObject({ type: z.literal("thinking"), thinking: z.string() }),
  z.looseObject({ type: z.literal("reasoning"), reasoning: z.string() }),
  z.looseObject({ type: z.literal("redacted_thinking") }),
  z.looseObject({
    type: z.literal("reasoning_content"),
    reasoningText: z.looseObject({ text: z.string() }).optional(),
  }),
]);

/** The text of a reasoning block, empty if it is hidden; null for any other block. */
function reasoningIn(block: Record<string, unknown>): string | null {
  const { data } = ReasoningBlock.safeParse(block);
  if (data === undefined) return null;
  const words = data.thinking ?? data.reasoning ?? data.reasoningText;
  if (typeof words === "string") return words;
  return typeof words === "object" && words !== null && "text" in words ? String(words.text) : "";
}

/** Null if the service did not count; Ollama's class then returns 0. */
function tokensOf({ usage_metadata: usage }: Message): TokenCount | null {
  if (!usage || usage.input_tokens + usage.output_tokens === 0) return null;
  const { input_tokens: input, output_tokens, total_tokens } = usage;
  return countOf({
    input,
    // Gemini counts thinking in the total only.
    output: Math.max(output_tokens, (total_tokens ?? 0) - input),
    reasoning: usage.output_token_details?.reasoning ?? 0,
    cached_input: usage.input_token_details?.cache_read ?? 0,
  });
}

/** The names under which integrations store why a reply ended. */
const REASONS = ["stop_reason", "stopReason", "finish_reason", "finishReason", "done_reason"];

function stopReason({ response_metadata, additional_kwargs }: Message): string {
  for (const name of REASONS)
    for (const value of [response_metadata[name], additional_kwargs[name]])
      if (typeof value === "string" && value !== "") return value;
  return "stop";
}
