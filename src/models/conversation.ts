import type { BaseMessage, ContentBlock } from "@langchain/core/messages";
import type { Message, Part, ProviderContent } from "./chat.ts";
import { argumentsObject } from "./json.ts";

/** Turns the parts of one message into a provider's content, in their order. */
export type ContentOf = (parts: Part[]) => Promise<string | ContentBlock[]>;

/** Loaded with the first call; an import takes some twenty microseconds each time. */
let messageClasses: Promise<typeof import("@langchain/core/messages")> | undefined;

/**
 * A conversation as LangChain's messages. Providers do not accept pictures inside a tool's result: they follow in a
 * user message after the last result of the turn, since all results must come first.
 */
export async function toLangChain(
  messages: readonly Message[],
  contentOf: ContentOf,
  /** Content that a turn of the assistant had, with its reasoning; null: only its text is sent back. */
  ownContent: (own: ProviderContent) => ContentBlock[] | null = () => null,
): Promise<BaseMessage[]> {
  messageClasses ??= import("@langchain/core/messages");
  const { AIMessage, HumanMessage, SystemMessage, ToolMessage } = await messageClasses;
  const out: BaseMessage[] = [];
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case "system":
        out.push(new SystemMessage(message.text));
        break;
      case "user":
        out.push(new HumanMessage({ content: await contentOf(message.parts.flatMap(labelled)) }));
        break;
      case "assistant": {
        const tool_calls = message.toolCalls.map((call) => ({
          type: "tool_call" as const,
          id: call.id,
          name: call.name,
          args: argumentsObject(call),
        }));
        const own = message.own === undefined ? null : ownContent(message.own);
        out.push(new AIMessage({ content: own ?? message.text, tool_calls }));
        break;
      }
      case "tool": {
        const { name, toolCallId: tool_call_id } = message;
        out.push(new ToolMessage({ content: toolText(message.parts), tool_call_id, name }));
        if (messages[index + 1]?.role === "tool") break;
        const pictures = picturesOfTurn(messages, index);
        if (pictures.length > 0) out.push(new HumanMessage({ content: await contentOf(pictures) }));
      }
    }
  }
  return out;
}

const MEDIA_WORDS = [
  ["image", "picture"],
  ["video", "video clip"],
  ["audio", "sound"],
] as const;

/** The texts of a tool's result, and a note where its pictures are. */
export function toolText(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  for (const [type, word] of MEDIA_WORDS) {
    const count = parts.filter((part) => part.type === type).length;
    if (count > 0) texts.push(`(${count} ${word}${count === 1 ? "" : "s"} in the next message)`);
  }
  return texts.join("\n");
}

/** Pictures of the run of tool results that ends at `last`, introduced by the names of their tools. */
export function picturesOfTurn(messages: readonly Message[], last: number): Part[] {
  let first = last;
  while (messages[first - 1]?.role === "tool") first--;
  return messages.slice(first, last + 1).flatMap((message): Part[] => {
    if (message.role !== "tool") return [];
    const pictures = message.parts.filter((part) => part.type !== "text");
    if (pictures.length === 0) return [];
    const word = pictures.every((part) => part.type === "image") ? "Pictures" : "Media";
    const words = `${word} from ${message.name} (${message.toolCallId}), in the order of its result:`;
    return [{ type: "text", text: words }, ...pictures.flatMap(labelled)];
  });
}

/** A picture, or other medium, after its label. */
export function labelled(part: Part): Part[] {
  if (part.type === "text" || part.label === undefined) return [part];
  const { label, ...bare } = part;
  return [{ type: "text", text: label }, bare];
}
