import type { Option } from "../../src/core/shapes.ts";
import { finalText, onOneLine } from "./reply-text.ts";

/**
 * `Answer: C`, `the answer is (C)`, `option c` at a line's end. An `A` that begins a sentence is a word.
 */
const NAMED =
  /\b(?:[Aa]nswer|ANSWER|[Oo]ption|[Cc]hoice)\b\s*(?:is|:)*\s*(?:[Oo]ption\s+)?[([]?([A-Z](?![\w'’])(?!(?<=A)\s+(?!because|since|as\b)[a-z])|[a-z](?=[)\].]*\s*$))/gm;

/**
 * The option that a reply chooses; null if it chooses none of the question's options. The forms in this order: `[[X]]`
 * or `\boxed{X}`, `Answer: X`, a reply (or last line) that is one letter or one option's words, the only letter that
 * the reply mentions. The last match of a form counts.
 */
export function parseChoice(text: string, options: readonly Option[]): string | null {
  const final = finalText(text).replace(/[*_`]/g, "");
  const offered = (letter: string | undefined) =>
    options.some((option) => option.letter === letter?.toUpperCase())
      ? (letter?.toUpperCase() ?? null)
      : null;
  const lastOf = (form: RegExp) =>
    offered([...final.matchAll(form)].findLast((match) => offered(match[1]) !== null)?.[1]);
  const lines = final.split("\n").filter((line) => line.trim() !== "");
  return (
    lastOf(/\[\[\s*\(?([A-Z])\)?\s*\]\]/gi) ??
    lastOf(/\\boxed\{\s*(?:\\text\{)?\s*\(?([A-Z])\b/gi) ??
    lastOf(NAMED) ??
    sole(final, options) ??
    sole(lines.at(-1) ?? "", options) ??
    onlyOne(final, offered)
  );
}

/** A line that is only a letter, `(C)`, `C.`, `C. its words`, or the words of exactly one option. */
function sole(line: string, options: readonly Option[]): string | null {
  const said = plain(line);
  const lettered = /^[([]?([A-Za-z])(?:[)\].:,]+|$)\s*(.*)$/.exec(onOneLine(line));
  const named = options.find((option) => option.letter === lettered?.[1]?.toUpperCase());
  const rest = plain(lettered?.[2] ?? "");
  if (named !== undefined && (rest === "" || rest === plain(named.text))) return named.letter;
  const worded = options.filter((option) => said !== "" && plain(option.text) === said);
  return worded.length === 1 ? (worded[0]?.letter ?? null) : null;
}

/** The one letter that the text names. `A` and `I` are words unless they are in brackets. */
function onlyOne(text: string, offered: (letter: string | undefined) => string | null) {
  const mentions = text.matchAll(/[([]([A-Z])[)\]]|(?<![\w'’])([B-HJ-Z])(?![\w'’])/g);
  const letters = new Set([...mentions].flatMap((match) => offered(match[1] ?? match[2]) ?? []));
  return letters.size === 1 ? ([...letters][0] ?? null) : null;
}

function plain(text: string): string {
  return onOneLine(text.toLowerCase().replace(/[^\p{L}\p{N}+\-*/=<>^.,]/gu, " ")).replace(
    /[.,]+$/,
    "",
  );
}
