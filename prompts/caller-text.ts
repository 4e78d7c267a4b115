import type { Question } from "../src/core/shapes.ts";

/*
 * The question, goal and options of a caller are the only text in a prompt that is not quoted, because the model must
 * act on them. They must not look like another section of the prompt.
 */

/** A line that opens a turn in a chat transcript: `System:`, `### Assistant`. */
const TURN =
  /^\W*(?:system|developer|user|human|assistant)(?: (?:message|prompt|instructions?))?\W*(?:[:：]|$)/i;

/** The beginning of an option: `(A) red` or `A. red`. */
const OPTION = /^[^\p{L}\p{N}]*[A-Z][).](?:\s|$)/u;

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** Invisible characters, which could hide a mark from the patterns below. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?![\t\n])\p{Cc}/gu;

/** Whether a text may need any change: without these characters it is one line without marks. */
const UNSAFE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029<＜﹤>＞﹥[\]]/u;

/** The marks of quoted data, and similar characters. */
const QUOTE_MARKS = /[<＜﹤]{3,}|[>＞﹥]{3,}/g;
/** A name of evidence, and marks of turns in square brackets. */
const NAME = /\bE\d+\b/i;
const TURN_MARK = /\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|IMG)\]/i;
/** Marks that servers of open models interpret as the end of a turn or as the place of a picture. */
export const CHAT_MARKS =
  /<([|｜][A-Za-z][\w▁ ]{2,60}[|｜]|\/s|<\/?SYS>|\/?(?:bos|eos|pad|image|video|audio|think|system|user|assistant|tool_call|tool_response|(?:start|end)_of_(?:turn|image)))>/gi;

/** Returns how the lines of a prompt begin, up to the colon: `question`, `the evidence`, `answer`. */
export function headingsIn(prompt: string): string[] {
  return prompt.split("\n").flatMap((line) => headingOf(line) ?? []);
}

/**
 * Returns a caller's text in a form that is safe in a prompt without quotation. Text without the marks and headings of
 * a prompt is returned byte for byte. Otherwise quotation marks and marks of chat templates are spaced out, square
 * brackets around a name of evidence become round ones, and the text is put on one line if one of its lines begins like
 * a line of a prompt (one of `headings`, a role, an option).
 */
export function neutralise(text: string, headings: ReadonlySet<string>): string {
  if (!UNSAFE.test(text)) return text;
  const visible = text.replace(LINE_BREAK, "\n").replace(INVISIBLE, "");
  const spaced = visible
    .replace(CHAT_MARKS, "< $1 >")
    .replace(QUOTE_MARKS, (run) => [...run].join(" "));
  const unbracketed = hasBracketedName(spaced)
    ? spaced.replaceAll("[", "(").replaceAll("]", ")")
    : spaced;
  const lines = unbracketed.split("\n");
  const isForged = lines.slice(1).some((line) => opensPart(line, headings));
  const safe = isForged ? onOneLine(lines) : unbracketed;
  return safe === visible ? text : safe;
}

/**
 * Makes all caller's text of a question safe. The id does not change, so that it is still the same question. Earlier
 * questions of its thread are left as they are: prompts quote them.
 */
export function neutraliseQuestion(question: Question, safe: (text: string) => string): Question {
  const { text, goal, options } = question;
  return {
    ...question,
    text: safe(text),
    ...(goal === undefined ? {} : { goal: safe(goal) }),
    ...(options === undefined
      ? {}
      : { options: options.map((option) => ({ ...option, text: safe(option.text) })) }),
  };
}

function onOneLine(lines: readonly string[]): string {
  return lines.flatMap((line) => line.trim() || []).join(" ");
}

/** Whether a name follows an opening bracket or precedes a closing one. */
function hasBracketedName(text: string): boolean {
  const opened = text.split("[").slice(1);
  const closed = text.split("]").slice(0, -1);
  return (
    TURN_MARK.test(text) ||
    opened.some((part) => NAME.test(part.split("]", 1)[0] ?? "")) ||
    closed.some((part) => NAME.test(part.slice(part.lastIndexOf("[") + 1)))
  );
}

function opensPart(line: string, headings: ReadonlySet<string>): boolean {
  const heading = headingOf(line);
  return OPTION.test(line) || TURN.test(line) || (heading !== undefined && headings.has(heading));
}

/** The text of a heading without marks of emphasis and lists, which models ignore. */
function headingOf(line: string): string | undefined {
  const heading = /^([^:：{]*)[:：]/.exec(line)?.[1];
  const words = heading
    ?.replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
  return words === "" ? undefined : words;
}
