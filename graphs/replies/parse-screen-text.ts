import { finalText, onOneLine } from "./reply-text.ts";

export interface ScreenLine {
  kind: "text" | "equation" | "figure" | "chart";
  text: string;
}

const LABELLED = /^[*_`]*(text|equation|figure|chart)[*_`]*\s*:[*_`]*\s*(.*)$/i;

/**
 * Reads `Text: ...`, `Equation: ...`, `Figure: ...` and `Chart: ...` lines. A line without a label belongs to the label
 * above it; before the first label it says what follows. A reply that labels no line is text line by line. `NO TEXT`, in
 * any case and markup, gives no lines.
 */
export function parseScreenText(reply: string): ScreenLine[] {
  const lines = finalText(reply)
    .split("\n")
    .map((line) => onOneLine(line.replace(/^[\s>*\-•]+(?=\S)/, "").replace(/^```\w*$/, "")))
    .filter((line) => line !== "");
  const read: ScreenLine[] = [];
  const isLabelled = lines.some((line) => LABELLED.test(line));
  let kind: ScreenLine["kind"] | null = isLabelled ? null : "text";
  let described: ScreenLine | undefined;
  for (const line of lines) {
    const [, label, rest] = LABELLED.exec(line) ?? [];
    const text = rest ?? line;
    if (label !== undefined) {
      kind = text !== "" && isNone(text) ? null : (label.toLowerCase() as ScreenLine["kind"]);
      described = undefined;
    }
    // A line of dashes between labelled lines is not text.
    const isDashes = isLabelled && label === undefined && !/[\p{L}\p{N}]/u.test(text);
    if (kind === null || isNone(text) || isDashes) continue;
    if (described !== undefined) described.text += ` ${text}`;
    else {
      const item = { kind, text };
      read.push(item);
      // A description has several sentences; text and equations have several lines.
      if (kind === "figure" || kind === "chart") described = item;
    }
  }
  return read;
}

function isNone(line: string): boolean {
  const words = line.replace(/^\W+/, "").replace(/(?<!\W)\W+$/, "");
  return /^(?:no(?:ne| text)?)?$/i.test(words);
}
