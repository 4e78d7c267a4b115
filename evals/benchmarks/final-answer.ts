import type { Option } from "../../src/core/shapes.ts";
import type { Sample } from "./sample.ts";
import type { Extraction } from "./scored-reply.ts";

/* Shared by the `sound` extractors: only the final answer counts, never the reasoning before it. */

const THINKING = /<(\/?)(?:think|thinking|reasoned|reasoning|reflection|analysis)>/gi;

/** The reply without its reasoning. Of `<answer>` tags only the last one's content is left. */
export function finalPart(reply: string): string {
  const visible = withoutReasoning(reply);
  const answers = [...visible.matchAll(/<answer>(.*?)(?:<\/answer>|$)/gis)];
  return (answers.at(-1)?.[1] ?? visible).trim();
}

/**
 * Removes blocks in reasoning tags, also one whose opening tag the chat template removed, and one without a closing
 * tag. Blocks do not nest: a model that names the tag while it reasons closes it once.
 */
export function withoutReasoning(reply: string): string {
  return splitReasoning(reply).visible;
}

function splitReasoning(reply: string): { visible: string; open: boolean } {
  let visible = "";
  let open = false;
  let from = 0;
  for (const tag of reply.matchAll(THINKING)) {
    if (!open) visible += reply.slice(from, tag.index);
    if (tag[1] === "/" && !open) visible = "";
    open = tag[1] === "";
    from = tag.index + tag[0].length;
  }
  return { visible: open ? visible : visible + reply.slice(from), open };
}

/**
 * The lines that may contain the final answer, the most reliable first. If the prompt asks for the answer at the end,
 * that is the last line outside reasoning. If the last block of reasoning is not closed, its last line comes before it,
 * marked `inReasoning`: a labelled answer there counts, a bare letter may be part of the reasoning.
 */
export function lastLines(reply: string): { line: string; inReasoning: boolean }[] {
  const { visible, open } = splitReasoning(reply);
  const said = { line: linesOf(visible).at(-1) ?? "", inReasoning: false };
  const last = open ? (linesOf(reply).at(-1) ?? "") : "";
  const reasoned = last === "" || last.search(THINKING) !== -1 ? [] : [last];
  return [...reasoned.map((line) => ({ line, inReasoning: true })), said];
}

function linesOf(text: string): string[] {
  return plain(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Without Markdown and LaTeX marks around an answer; runs of spaces become one, and so do runs of empty lines. */
export function plain(text: string): string {
  return text
    .replace(/\\(?:text|textbf|mathrm|mathbf) ?\{([^{}]*)\}/g, "$1")
    .replace(/[*`_~]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
}

/**
 * The letter that a reply chooses. A last line that is only an answer, in a form that prompts ask for, counts first;
 * then the last `[[X]]`, `\boxed{X}` or `answer is X`, in this order; then a reply or a last line that begins with
 * `X.`. Null if the reply names no offered letter.
 */
export function finalLetter(
  reply: string,
  options: readonly Option[],
): { letter: string | null; how: string } {
  const offered = new Set(options.map((option) => option.letter));
  const concluded = concludedIn(reply, offered);
  if (concluded !== null) return concluded;
  const text = plain(finalPart(reply));
  for (const { how, pattern } of MARKS) {
    const letter = lastOffered(text, pattern, offered);
    if (letter !== undefined) return { letter, how };
  }
  const lines = linesOf(text);
  for (const { how, part } of [
    { how: "the whole reply", part: text.trim() },
    { how: "the last line", part: lines.at(-1) ?? "" },
  ]) {
    const letter = leadingLetter(part);
    if (letter !== undefined && offered.has(letter)) return { letter, how };
  }
  return { letter: null, how: "no final answer" };
}

/** The extractor `sound` of benchmarks with options. */
export function soundLetter(reply: string, { options }: Sample): Extraction {
  const { letter, how } = finalLetter(reply, options);
  return { answer: letter, how };
}

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => ({ letter, text: "" }));

/** Whether a reply chooses a letter that its question does not offer. */
export function namesForeignLetter(reply: string, { options }: Sample): boolean {
  const { letter } = finalLetter(reply, ALPHABET);
  return letter !== null && !options.some((option) => option.letter === letter);
}

/** The letter of a last line that is only an answer; null otherwise. */
function concludedIn(reply: string, offered: ReadonlySet<string>) {
  for (const { line, inReasoning } of lastLines(reply)) {
    for (const { how, pattern } of ENDINGS) {
      const letter = pattern.exec(line)?.[1]?.toUpperCase();
      if (letter !== undefined && offered.has(letter)) return { letter, how };
    }
    const bare = inReasoning ? undefined : BARE_LETTER.exec(line)?.[1]?.toUpperCase();
    if (bare === undefined || !offered.has(bare)) continue;
    const whole = plain(finalPart(reply)).trim() === line;
    return { letter: bare, how: whole ? "the whole reply" : "the last line" };
  }
  return null;
}

function lastOffered(text: string, pattern: RegExp, offered: ReadonlySet<string>) {
  const letters = [...text.matchAll(pattern)].map((match) => (match[1] ?? "").toUpperCase());
  return letters.filter((letter) => offered.has(letter)).at(-1);
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

/** Whole last lines: `... [[X]].`, `\boxed{X}`, `Answer: X`, `The correct answer is (X) its words`. */
const ENDINGS = [
  { how: "[[X]]", pattern: /\[\[\s*\(?([A-Za-z])\)?\s*\]\][\s.!"')]*$/ },
  {
    how: "\\boxed{X}",
    pattern: /^\$*\s*\\boxed\s*\{\s*\(?([A-Za-z])\)?\s*[.)]?\s*\}\s*\$*[.!]?$/,
  },
  {
    how: "answer is X",
    pattern:
      /^[#>•-]* ?(?:so |thus |therefore,? |hence,? )?(?:the |my )?(?:(?:final|correct|best|right) )*(?:answer|option|choice)(?: ?[:：=] ?| is ?:? ?)(?:option )?[([{"'$]*([A-Za-z])(?:[)\]}"'$]*[.!]?$|[).:] (?!.*(?:answer|option|choice)))/i,
  },
];

const BARE_LETTER = /^(?:option\s+|choice\s+)?[([{"']*([a-z])[)\]}"']*[.:,;!]?$/i;

/** `B`, `(b)`, `[B]`, `B.`, `B) because`, `Option B`; not `A dog runs`. */
function leadingLetter(text: string): string | undefined {
  const bare = BARE_LETTER.exec(text)?.[1];
  const marked = /^(?:[Oo]ption\s+)?(?:[([]([A-Z])[)\]]|([A-Z])(?:[.):]|\s+[-–—]))(?=\s|$)/.exec(
    text,
  );
  return (bare ?? marked?.[1] ?? marked?.[2])?.toUpperCase();
}
