import { finalText } from "./reply-text.ts";

/** `A`, `b.`, `**Event A**`, `Answer: (B)`: one letter, with any marks around it. */
const ALONE = /^(?:(?:the\s+)?answer(?:\s+is)?\s*:?\s*)?(?:event\s+)?([AB])$/i;

/**
 * Which of two events a reply puts first; null when it is neither. Explained replies count by their first line,
 * else by their last one; where these two disagree the reply is neither.
 */
export function parseComparison(text: string): "A" | "B" | null {
  const lines = finalText(text)
    .split("\n")
    .map((line) =>
      line
        .replace(/[^A-Za-z: ]/g, " ")
        .replace(/\s+/g, " ")
        .replace(/^[: ]+|[: ]+$/g, ""),
    )
    .filter((line) => line !== "");
  const first = letterOf(lines[0]);
  const last = letterOf(lines.at(-1));
  if (first !== null && last !== null && first !== last) return null;
  return first ?? last;
}

function letterOf(line: string | undefined): "A" | "B" | null {
  const letter = ALONE.exec(line ?? "")?.[1]?.toUpperCase();
  return letter === "A" || letter === "B" ? letter : null;
}
