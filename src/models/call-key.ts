import { hashOf } from "../core/hash.ts";
import type { ChatRequest, Message, Part, ShownFrame } from "./chat.ts";
import { parametersOf } from "./json.ts";
import { mediaTokens } from "./media-tokens.ts";
import type { Target } from "./target.ts";

/**
 * The memo key of a call: model, base URL, parameters, tools, messages with the hash of every medium, epoch and draw.
 * The same in every process and run. The caller (role, stage, label) and the API key are not part of it.
 */
export function callKey(
  target: Pick<Target, "name" | "baseUrl">,
  request: ChatRequest,
  epoch: number,
  draw: number,
): string {
  const { messages, tools, ...parameters } = request;
  return hashOf({
    step: "model-call",
    model: target.name,
    base_url: target.baseUrl,
    parameters,
    tools: tools?.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: parametersOf(tool),
    })),
    messages: messages.map((message) =>
      "parts" in message ? { ...message, parts: message.parts.map(byHash) } : message,
    ),
    epoch,
    draw,
  });
}

/** The properties of a part that reach the model: for a frame its bytes, not its time; for a clip how it was cut. */
function byHash(part: Part) {
  if (part.type === "text") return part;
  if (part.type === "image") return { type: part.type, hash: part.frame.hash, label: part.label };
  const { type, mime, label, span, made, hash } = part;
  return { type, mime, label, span, ...(made === undefined ? { hash } : { made }) };
}

/** Every frame of a request in the order in which it is sent. */
export function framesOf(request: ChatRequest): ShownFrame[] {
  return partsOf(request.messages).flatMap((part) =>
    part.type === "image" ? [{ hash: part.frame.hash, t_s: part.frame.t_s }] : [],
  );
}

/** Least tokens of a picture: OpenAI counts one tile (85 + 170), Gemini 258, however small it is. */
const LEAST_OF_PICTURE = 255;

/**
 * Input tokens that a budget reserves for a request: its estimate, with at least `LEAST_OF_PICTURE` for each picture.
 */
export function reservedInput(request: ChatRequest, provider: string): number {
  return estimateTokens(request, provider, LEAST_OF_PICTURE);
}

/** Parts of the video that a request contains as video; `to_s` null: to its end. */
export function footageOf(request: ChatRequest): { from_s: number; to_s: number | null }[] {
  return partsOf(request.messages).flatMap((part) =>
    part.type === "video" ? [part.span ?? part.cut ?? { from_s: 0, to_s: null }] : [],
  );
}

/**
 * Estimated input tokens, for servers that do not count: one token per 4 characters and per 750 pixels of a frame, at
 * least `leastOfPicture` per frame. Rough: providers count pictures in different ways. Video and sound are counted as
 * the provider documents it, and left out if it does not.
 */
export function estimateTokens(request: ChatRequest, provider: string, leastOfPicture = 0): number {
  let tokens = 0;
  for (const message of request.messages) {
    if ("text" in message) tokens += message.text.length / 4;
    if (message.role === "assistant" && message.own?.provider === provider)
      tokens += JSON.stringify(message.own.content).length / 4;
  }
  for (const part of partsOf(request.messages)) {
    if (part.type === "text") tokens += part.text.length / 4;
    if (part.type === "video" || part.type === "audio")
      tokens += mediaTokens(provider, part, request.video) ?? 0;
    if (part.type !== "image") continue;
    const picture = (part.frame.width * part.frame.height) / 750;
    tokens += Math.max(picture, leastOfPicture) + (part.label?.length ?? 0) / 4;
  }
  return Math.ceil(tokens);
}

function partsOf(messages: readonly Message[]): Part[] {
  return messages.flatMap((message) => ("parts" in message ? message.parts : []));
}
