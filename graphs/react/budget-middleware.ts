import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import type { CallResult } from "../../src/models/chat.ts";
import type { RoutedCallOptions } from "../../src/models/routed-chat-model.ts";
import type { GraphContext } from "../context.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { freeTurn, reserveTurn } from "../toolbox/turn-budget.ts";

/** Tokens reserved for the reply to a last call without pictures, made if the budget allows no call with pictures. */
const SHORT_REPLY = 512;

interface BudgetParts {
  toolbox: Toolbox;
  /** Results of the calls so far. */
  results: readonly CallResult[];
  /** Turns after which an answer is requested. */
  steps: number;
  context: GraphContext;
}

/**
 * Requests the answer, without calls of tools, when the turns or the budget allow no later turn. Calls are then ignored.
 */
export function budgetMiddleware({ toolbox, results, steps, context }: BudgetParts) {
  const { prompts, settings } = context;
  const answerNow = () => new HumanMessage(prompts.render("react/answer-now", {}).text);
  return createMiddleware({
    name: "Budget",
    async wrapModelCall(request, handler) {
      toolbox.throwIfFailed();
      const sizes = results.flatMap((one) =>
        one.status === "replied" ? [one.reply.tokens.input] : [],
      );
      const turn = sizes.length >= steps ? freeTurn(true) : reserveTurn(sizes, 1, context);
      const last = {
        ...request,
        messages: [...request.messages, answerNow()],
        // Anthropic refuses calls in the history of a request without tools.
        tools: hasCalls(request.messages) ? request.tools : [],
        toolChoice: "none" as const,
      };
      const reply = await Promise.resolve(handler(turn.ends ? last : request)).finally(
        turn.release,
      );
      const limit = limitOf(results);
      if (limit === null) return turn.ends ? withoutCalls(reply) : reply;
      if (limit !== "tokens" && limit !== "cost") return reply;
      const modelSettings: Partial<RoutedCallOptions> = {
        withoutMedia: true,
        maxTokens: Math.min(SHORT_REPLY, settings.reasoning.max_tokens),
      };
      return withoutCalls(await handler({ ...last, modelSettings }));
    },
  });
}

/** The limit that refused the last call. */
function limitOf(results: readonly CallResult[]) {
  const last = results.at(-1);
  return last?.status === "limit" ? last.limit : null;
}

function hasCalls(messages: readonly BaseMessage[]): boolean {
  return messages.some(
    (message) => AIMessage.isInstance(message) && (message.tool_calls ?? []).length > 0,
  );
}

/** A reply that ends the loop. */
function withoutCalls<Reply>(reply: Reply): Reply | AIMessage {
  if (!AIMessage.isInstance(reply) || (reply.tool_calls ?? []).length === 0) return reply;
  return new AIMessage({ content: reply.text });
}
