import type { ChatRequest } from "../../chat.ts";
import { type Content, withJoinedResults } from "./tool-results.ts";

/*
 * What Gemini accepts and LangChain's client does not send: settings of generation, and the model's earlier turns with
 * their thoughts and thought signatures, followed by the results of all their calls.
 */

/** The part of LangChain's request that is completed here. */
interface Body {
  generationConfig?: object;
  contents?: Content[];
}

/**
 * Writes the settings of generation, the model's own parts instead of LangChain's rendering of its turns, and the results
 * of the calls of a turn into one content.
 */
export function completeGeminiBody(body: Body, request: ChatRequest): void {
  body.generationConfig = { ...body.generationConfig, ...configOf(request) };
  const turns = request.messages.filter((message) => message.role === "assistant").values();
  for (const content of body.contents ?? []) {
    if (content.role !== "model") continue;
    const own = turns.next().value?.own;
    if (own?.provider === "google-genai") Object.assign(content, own.content);
  }
  if (body.contents !== undefined) body.contents = withJoinedResults(body.contents, request);
}

function configOf({
  seed,
  topP,
  topK,
  reasoningEffort,
  thinkingBudget,
}: ChatRequest): Record<string, unknown> {
  const thinking = {
    ...(thinkingBudget === undefined ? {} : { thinkingBudget }),
    ...(reasoningEffort === undefined ? {} : { thinkingLevel: reasoningEffort }),
  };
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(Object.keys(thinking).length === 0
      ? {}
      : { thinkingConfig: { ...thinking, includeThoughts: thinkingBudget !== 0 } }),
  };
}
