import {
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { Store } from "../../src/core/contracts.ts";
import type { Message, Part } from "../../src/models/chat.ts";
import { labelled, picturesOfTurn } from "../../src/models/conversation.ts";
import { partsIn } from "../../src/models/from-langchain.ts";

/** Text and pictures as content blocks that every chat model of LangChain reads, each picture after its label. */
export async function contentBlocks(
  parts: readonly Part[],
  store: Pick<Store, "blobs">,
): Promise<ContentBlock[]> {
  return Promise.all(
    parts.flatMap(labelled).map(async (part) => {
      if (part.type === "text") return part;
      const hash = part.type === "image" ? part.frame.hash : part.hash;
      const data = Buffer.from(await store.blobs.read(hash)).toString("base64");
      return { type: "image_url", image_url: { url: `data:image/jpeg;base64,${data}` } };
    }),
  );
}

/**
 * The messages with the pictures of tool results in a user message after the last result of each turn, since every
 * result has to follow its call.
 */
export async function withPictures(
  messages: readonly BaseMessage[],
  store: Pick<Store, "blobs">,
): Promise<BaseMessage[]> {
  const results = messages.map(resultOf);
  const out: BaseMessage[] = [];
  for (const [index, message] of messages.entries()) {
    out.push(message);
    if (results[index]?.role !== "tool" || results[index + 1]?.role === "tool") continue;
    const parts = picturesOfTurn(results, index);
    if (parts.length > 0)
      out.push(new HumanMessage({ content: await contentBlocks(parts, store) }));
  }
  return out;
}

/** The result of a tool with its parts; any other message as an empty one. */
function resultOf(message: BaseMessage): Message {
  if (!ToolMessage.isInstance(message)) return { role: "user", parts: [] };
  const { tool_call_id, name = "tool", artifact } = message;
  return { role: "tool", toolCallId: tool_call_id, name, parts: partsIn(artifact) ?? [] };
}
