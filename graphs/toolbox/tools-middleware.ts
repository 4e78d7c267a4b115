import type { BaseMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";
import type { Ledger } from "../../src/core/ledger.ts";
import { RoutedChatModel } from "../../src/models/routed-chat-model.ts";
import type { Toolbox } from "./toolbox.ts";

interface MiddlewareParts {
  toolbox: Toolbox;
  ledger: Ledger;
  /** Names of the tools. */
  names: readonly string[];
  /** The conversation as it is sent to a model, with the pictures of results. */
  present(messages: readonly BaseMessage[]): Promise<BaseMessage[]>;
}

/**
 * Sends the pictures of tool results, ends the agent after a failure such as a missing file, and stops offering the
 * tools when their budget of calls or seconds is used up.
 */
export function toolsMiddleware({ toolbox, ledger, names, present }: MiddlewareParts) {
  return createMiddleware({
    name: "VideoTools",
    async wrapModelCall(request, handler) {
      toolbox.throwIfFailed();
      // A model of ours reads the pictures from the artifacts of the results.
      const routed = request.model instanceof RoutedChatModel;
      const messages = routed ? request.messages : await present(request.messages);
      if (!isSpent(ledger)) return handler({ ...request, messages });
      const others = request.tools.filter((tool) => !names.includes(String(tool.name)));
      // Some servers refuse a conversation with tool calls but without any tool.
      if (others.length > 0) return handler({ ...request, messages, tools: others });
      return handler({ ...request, messages, toolChoice: "none" });
    },
  });
}

function isSpent(ledger: Ledger): boolean {
  const { calls, seconds } = ledger.left();
  return calls === 0 || seconds === 0;
}
