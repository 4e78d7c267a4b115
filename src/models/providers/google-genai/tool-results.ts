import { z } from "zod";
import type { ChatRequest, Message } from "../../chat.ts";
import { picturesOfTurn } from "../../conversation.ts";

/** A content of a request to Gemini. */
export interface Content {
  role: string;
  parts: unknown[];
}

const Call = z.looseObject({ functionCall: z.looseObject({ id: z.string().optional() }) });
const Response = z.looseObject({ functionResponse: z.looseObject({}) });

/**
 * The contents with the results of each turn of several calls in one content, in the order of the calls and with the ids
 * that Gemini gave them; the media of the results follow in the same content. Gemini refuses one content for each
 * result, as LangChain's client writes them. The result of a single call stays as it is.
 */
export function withJoinedResults(
  contents: readonly Content[],
  { messages }: Pick<ChatRequest, "messages">,
): Content[] {
  const turns = messages.flatMap((message, index) => (message.role === "assistant" ? index : []));
  const joined: Content[] = [];
  for (let at = 0; at < contents.length; ) {
    const content = contents[at++] as Content;
    joined.push(content);
    if (content.role !== "model") continue;
    const turn = turns.shift();
    const results = turn === undefined ? [] : resultsOf(messages, turn);
    if (turn === undefined || results.length < 2) continue;
    const own = contents.slice(at, at + results.length);
    if (own.length < results.length || !own.every(isResult)) continue;
    at += results.length;
    const media = picturesOfTurn(messages, turn + results.length);
    const mediaParts = media.length === 0 ? [] : (contents[at++]?.parts ?? []);
    const parts = inOrder(messages[turn], results, content, own);
    joined.push({ role: "user", parts: [...parts, ...mediaParts] });
  }
  return joined;
}

type ToolResult = Extract<Message, { role: "tool" }>;

/** The results of the calls of a turn, which follow it. */
function resultsOf(messages: readonly Message[], turn: number): ToolResult[] {
  const results: ToolResult[] = [];
  for (const message of messages.slice(turn + 1)) {
    if (message.role !== "tool") break;
    results.push(message);
  }
  return results;
}

function isResult({ parts }: Content): boolean {
  return parts.length === 1 && Response.safeParse(parts[0]).success;
}

/** The parts of results in the order of their calls. */
function inOrder(
  turn: Message | undefined,
  results: readonly ToolResult[],
  { parts }: Content,
  contents: readonly Content[],
): unknown[] {
  const calls = turn?.role === "assistant" ? turn.toolCalls : [];
  const ids = parts.flatMap((part) => {
    const { data } = Call.safeParse(part);
    return data === undefined ? [] : [data.functionCall.id];
  });
  const placed = results.map(({ toolCallId }, index) => {
    const place = calls.findIndex(({ id }) => id === toolCallId);
    return { part: contents[index]?.parts[0], place: place < 0 ? calls.length : place };
  });
  return placed
    .sort((a, b) => a.place - b.place)
    .map(({ part, place }) => withId(part, ids[place]));
}

function withId(part: unknown, id: string | undefined): unknown {
  const { data } = Response.safeParse(part);
  if (data === undefined || id === undefined) return part;
  return { ...data, functionResponse: { id, ...data.functionResponse } };
}
