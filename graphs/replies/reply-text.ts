import { withoutReasoning } from "./reasoning.ts";

/** The final text of a reply, without the reasoning that some servers leave in the text. */
export function finalText(text: string): string {
  return withoutReasoning(text).trim();
}

/** On one line, so that a text cannot pass as further lines of a list. Otherwise unchanged. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
