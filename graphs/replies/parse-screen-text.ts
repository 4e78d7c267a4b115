import { finalText, onOneLine } from "./reply-text.ts";

export interface ScreenLine {
  kind: "text" | "equation" | "figure" | "chart";
  text: string;
}

/**
 * Reads `Text: ...`, `Equation: ...`, `Figure: ...` and `Chart: ...` lines; a reply that labels no line is text line by
 * line. `NO TEXT`, in any case and markup, gives no lines.
 */
export function parseScreenText(reply: string): ScreenLine[] {
  const lines = finalText(reply)
    .split("\n")
    .map((line) => onOneLine(line.replace(/^[\s>*\-•]+(?=\S)/, "").replace(/^```\w*$/, "")))
    .filter((line) => line !== "");
  const labelled = lines.flatMap((line): ScreenLine[] => {
    const [, label = "", text = ""] =
      /^[*_`]*(text|equation|figure|chart)[*_`]*\s*:[*_`]*\s*(.*)$/i.exec(line) ?? [];
    const kind = label.toLowerCase() as ScreenLine["kind"];
    return label === "" || isNone(text) ? [] : [{ kind, text }];
  });
  if (labelled.length > 0) return labelled;
  return lines
    .filter(
      (line) => !isNone(line) && !/^[*_`]*(?:text|equation|figure|chart)[*_`]*\s*:/i.test(line),
    )
    .map((text) => ({ kind: "text", text }));
}

function isNone(line: string): boolean {
  const words = line.replace(/^\W+/, "").replace(/(?<!\W)\W+$/, "");
  return /^(?:no(?:ne| text)?)?$/i.test(words);
}
