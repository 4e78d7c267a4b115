import type { Message, Part } from "./chat.ts";

const LEFT_OUT = "(left out to stay within the budget)";

/** A message with the labels of its media in their place, and words that say that the media were left out. */
export function withoutMedia(message: Message): Message {
  if (!("parts" in message)) return message;
  const parts = message.parts.map((part): Part => {
    if (part.type === "text") return part;
    const label = part.label ?? "";
    return { type: "text", text: label === "" ? LEFT_OUT : `${label} ${LEFT_OUT}` };
  });
  return { ...message, parts };
}
