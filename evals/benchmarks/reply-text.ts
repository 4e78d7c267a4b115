import type { Option } from "../../src/core/shapes.ts";

/*
 * What the `sound` extractors share: only the final answer counts, never what was thought on the way.
 */

const THINKING = /<(\/?)(?:think|thinking|thought|reasoning|reflection)>/gi;

/** The reply without its reasoning. Of `<answer>` tags only the last one's content is left. */
export function finalPart(reply: string): string {
  const visible = withoutReasoning(reply);
  const answers = [...visible.matchAll(/<answer>(.*?)(?:<\/answer>|$)/gis)];
  return (answers.at(-1)?.[1] ?? visible).trim();
}

/**
 * Blocks in reasoning tags go, also one whose opening tag the chat template swallowed, and one that never closed.
 */
export function withoutReasoning(reply: string): string {
  let visible = "";
  let depth = 0;
  let from = 0;
  for (const tag of reply.matchAll(THINKING)) {
    if (depth === 0) visible += reply.slice(from, tag.index);
    if (tag[1] === "") depth++;
    else if (depth > 0) depth--;
    else visible = "";
    from = tag.index + tag[0].length;
  }
  if (depth === 0) visible += reply.slice(from);
  return visible;
}

/** Without the marks of Markdown and LaTeX that stand around an answer; runs of blanks become one, and empty lines too. */
export function plain(text: string): string {
  return text
    .replace(/\\(?:text|textbf|mathrm|mathbf) ?\{([^{}]*)\}/g, "$1")
    .replace(/[*`_~]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
}

/**
 * The letter a reply settles on, in the order `[[X]]`, `\boxed{X}`, `answer is X` (the last of each),
 * a reply or a last line that is a letter alone or begins `X.`; null where it names none that is offered.
 */
export function finalLetter(
  reply: string,
  options: readonly Option[],
): { letter: string | null; how: string } {
  const offered = new Set(options.map((option) => option.letter));
  const text = plain(finalPart(reply));
  for (const { how, pattern } of MARKS) {
    const letters = [...text.matchAll(pattern)].map((match) => (match[1] ?? "").toUpperCase());
    const letter = letters.filter((item) => offered.has(item)).at(-1);
    if (letter !== undefined) return { letter, how };
  }
  const lines = text.split("\n").map((line) => line.trim());
  const last = lines.filter((line) => line !== "").at(-1) ?? "";
  for (const { how, part } of [
    { how: "the whole reply", part: text.trim() },
    { how: "the last line", part: last },
  ]) {
    const letter = leadingLetter(part);
    if (letter !== undefined && offered.has(letter)) return { letter, how };
  }
  return { letter: null, how: "no final answer" };
}

const LETTER = "[(\\[{\"']*(?:option|choice)?\\s*[(\\[{\"']*([A-Z])(?![\\p{L}\\p{N}'’])";
const MARKS = [
  { how: "[[X]]", pattern: /\[\[\s*\(?([A-Za-z])\)?\s*\]\]/g },
  { how: "\\boxed{X}", pattern: /\\boxed\s*\{\s*\(?([A-Za-z])\)?\s*[.)]?\s*\}/g },
  {
    how: "answer is X",
    pattern: new RegExp(
      `(?:[Aa]nswer|ANSWER|[Oo]ption|[Cc]hoice)\\s*(?:is|would be|:|：|=|->|→)+\\s*:?\\s*${LETTER}`,
      "gu",
    ),
  },
];

/** `B`, `(b)`, `[B]`, `B.`, `B) because`, `Option B`; not `A dog runs`. */
function leadingLetter(text: string): string | undefined {
  const alone = /^(?:option\s+|choice\s+)?[([{"']*([a-z])[)\]}"']*[.:,;!]?$/i.exec(text)?.[1];
  const marked = /^(?:[Oo]ption\s+)?(?:[([]([A-Z])[)\]]|([A-Z])(?:[.):]|\s+[-–—]))(?=\s|$)/.exec(
    text,
  );
  return (alone ?? marked?.[1] ?? marked?.[2])?.toUpperCase();
}
