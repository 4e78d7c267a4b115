import { westernDigits } from "../../src/core/western-digits.ts";
import { hasReasoningMark, splitReasoning, withoutReasoning } from "./reasoning.ts";

/* What of a reply is said to a reader: without its reasoning, and without the marks of a text format. */

/** The reply without its reasoning. Of `<answer>` tags only the last one's content is left. */
export function finalPart(reply: string): string {
  const visible = withoutReasoning(reply);
  const answers = [...visible.matchAll(/<answer>(.*?)(?:<\/answer>|$)/gis)];
  return (answers.at(-1)?.[1] ?? visible).trim();
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
  const reasoned = last === "" || hasReasoningMark(last) ? [] : [last];
  return [...reasoned.map((line) => ({ line, inReasoning: true })), said];
}

/** The lines of a text in plain characters (`plain`) that are not empty, without marks of quotations. */
export function linesOf(text: string): string[] {
  return plain(text)
    .split("\n")
    .map((line) => line.trim().replace(/^(?:> ?)+(?=\S)/, ""))
    .filter((line) => line !== "");
}

/** Commands of LaTeX that only change how their text looks. */
const STYLED =
  /\\(?:text(?:bf|it|rm|sf|sc|tt|up|sl)?|math(?:rm|bf|it|sf|tt)|emph|underline|boldsymbol|mbox) ?\{([^{}]*)\}/g;
/** Tags of HTML that only change how their text looks. A single `<b>` stays: it may be a letter in angle brackets. */
const TAGGED =
  /<(b|i|u|em|strong|span|p|mark|code|center|final|final_?answer|result|output|option|choice|letter)>([^<>]{0,300})<\/\1>/gi;
/** Tokens of chat templates that a server left in a reply; `</s>` elsewhere than at the end is HTML. */
const CHAT_TOKEN = /<\|\w{1,40}\|>|<(?:eos|end_of_turn)>|<\/s>\s*$/gi;
/** Struck out: the writer took it back. */
const STRUCK = /~~[^~\n]{1,300}~~|<(del|strike)>[^<>]{0,300}<\/\1>/gi;
/** Soft hyphens, marks of direction and marks without width; joiners (U+200C, U+200D) are parts of words. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** `[E3]`, `[E1, E2]` */
const CITED = / ?\[E\d+(?:[,;] ?E\d+)*\]/g;
const LATEX_SPACE = /\\(?:[ ,;:!]|q?quad(?![a-z]))/g;
/** Styles may be nested: `<b><i>C</i></b>`. */
const NESTED = 3;

/**
 * Without citations, struck-out text, invisible characters, tokens of chat templates, and marks of Markdown, LaTeX and
 * HTML around an answer; with ordinary characters for full-width ones and digits of other scripts. Runs of spaces become
 * one, and so do runs of empty lines.
 */
export function plain(text: string): string {
  let bare = westernDigits(text)
    .replace(CHAT_TOKEN, "")
    .replace(INVISIBLE, "")
    .replace(STRUCK, " ")
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
  for (let depth = 0; depth < NESTED; depth++)
    bare = bare.replace(STYLED, "$1").replace(TAGGED, "$2");
  return bare
    .replace(/\\([<>])/g, "$1")
    .replace(/\\[()[\]]/g, "")
    .replace(LATEX_SPACE, " ")
    .replace(CITED, "")
    .replace(/[*`_~]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
}
