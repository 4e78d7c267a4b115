import { z } from "zod";
import type { AttemptReply } from "../../attempt.ts";
import type { ToolCall } from "../../chat.ts";
import { finishOf } from "../../finish-of.ts";
import { jsonOrText } from "../../json.ts";
import { notAReply } from "../../not-a-reply.ts";
import type { Target } from "../../target.ts";
import { ReasoningMembers, readReasoning } from "./request-body.ts";
import { reportedTokens, Usage } from "./usage.ts";

/** A part of a content list: text, or reasoning, whose text may be missing. */
const ContentPart = z.object({
  type: z.string().nullish().catch(null),
  text: z.string().nullish().catch(null),
  refusal: z.string().nullish().catch(null),
});

/** The required members of a completion; the optional ones may be malformed. */
const Completion = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish().catch(null),
      message: z.object({
        content: z.union([z.string(), z.array(ContentPart)]).nullish(),
        refusal: z.string().nullish(),
        ...ReasoningMembers,
        tool_calls: z
          .array(
            z.object({
              id: z.string().nullish(),
              function: z.object({ name: z.string(), arguments: z.string().nullish() }),
            }),
          )
          .nullish(),
      }),
      logprobs: z
        .object({
          content: z
            .array(
              z.object({
                top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })),
              }),
            )
            .nullish(),
        })
        .nullish()
        .catch(null),
    }),
  ),
  usage: Usage.nullish().catch(null),
});

/**
 * Reads the reply of a chat completion. Throws `AttemptError` for another body.
 *
 * @param turn gives ids to calls that came without: the same ones whenever the conversation is repeated
 */
export function readCompletion(raw: unknown, turn: number, target: Target): AttemptReply {
  const read = Completion.safeParse(raw);
  if (!read.success) throw notAReply("chat completion", raw, target);
  const [choice] = read.data.choices;
  if (choice === undefined) return withoutChoice(read.data.usage);
  const { content, tool_calls } = choice.message;
  const refusal = choice.message.refusal || refusalIn(content);
  const text = typeof content === "string" ? content : textOf(content ?? []);
  const toolCalls = (tool_calls ?? []).map(
    (call, index): ToolCall => ({
      id: call.id || `call_${turn}_${index}`,
      name: call.function.name,
      arguments: jsonOrText(call.function.arguments || "{}"),
    }),
  );
  const first = choice.logprobs?.content?.[0]?.top_logprobs;
  const { usage } = read.data;
  return {
    text: refusal ? refusal : text,
    finish: refusal ? "refused" : finishOf(choice.finish_reason ?? "stop", { text, toolCalls }),
    toolCalls,
    tokens: usage ? reportedTokens(usage) : null,
    ...readReasoning(choice.message),
    ...(first === undefined
      ? {}
      : { logprobs: Object.fromEntries(first.map(({ token, logprob }) => [token, logprob])) }),
  };
}

/** The reason of a refusal that is a part of the content. */
function refusalIn(content: z.infer<typeof Completion>["choices"][number]["message"]["content"]) {
  return Array.isArray(content) ? content.find(({ refusal }) => refusal)?.refusal : null;
}

/** Some servers send a completion without choices, for instance if a filter removed its only one. */
function withoutChoice(usage: z.infer<typeof Usage> | null | undefined): AttemptReply {
  return { text: "", finish: "empty", toolCalls: [], tokens: usage ? reportedTokens(usage) : null };
}

function textOf(parts: readonly z.infer<typeof ContentPart>[]): string {
  const isText = ({ type }: z.infer<typeof ContentPart>) =>
    type !== "reasoning" && type !== "thinking";
  return parts.map((part) => (isText(part) ? (part.text ?? "") : "")).join("");
}
