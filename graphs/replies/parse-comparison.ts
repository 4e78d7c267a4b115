import { finalText } from "./reply-text.ts";

/** `A`, `b.`, `**Event A**`, `Answer: (B)`: one letter, with any marks around it. */
const ONE_LETTER = /^(?:(?:the\s+)?answer(?:\s+is)?\s*:?\s*)?(?:event\s+)?([AB])$/i;

/**
 * Which of two events a reply puts first; null if neither. A reply with an explanation is read by its first line, else
 * by its last one; if the two disagree, the result is null.
 */
export function parseComparison(text: string): "A" | "B" | null {
  const lines = linesIn(text);
  const first = letterOf(lines[0]);
  const last = letterOf(lines.at(-1));
  if (first !== null && last !== null && first !== last) return null;
  return first ?? last;
}

/** Whether the first line of a reply is the letter: `A` may also begin a sentence. */
export function beginsWithLetter(text: string): boolean {
  return letterOf(linesIn(text)[0]) !== null;
}

function linesIn(text: string): string[] {
  return finalText(text)
    .split("\n")
    .map((line) =>
      line
        .replace(/[^A-Za-z: ]/g, " ")
        .replace(/\s+/g, " ")
        .replace(/^[: ]+|(?<![: ])[: ]+$/g, ""),
    )
    .filter((line) => line !== "");
}

function letterOf(line: string | undefined): "A" | "B" | null {
  const letter = ONE_LETTER.exec(line ?? "")?.[1]?.toUpperCase();
  return letter === "A" || letter === "B" ? letter : null;
}
