import type { Question } from "../src/core/shapes.ts";

/*
 * The question, goal and options of a caller are the only words in a prompt that are not quoted: the model is to act
 * on them. They must not look like a part of the prompt that somebody else wrote.
 */

/** A line that opens a turn in the transcript of a chat: `System:`, `### Assistant`. */
const TURN =
  /^\W*(?:system|developer|user|human|assistant)(?: (?:message|prompt|instructions?))?\W*(?:[:：]|$)/i;

/** `(A) red` or `A. red`, as an option begins. */
const OPTION = /^[^\p{L}\p{N}]*[A-Z][).](?:\s|$)/u;

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** What a reader cannot see: it could hide a mark from the patterns below. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?![\t\n])\p{Cc}/gu;

/** The marks of quoted data, and whatever could be mistaken for them. */
const QUOTE_MARKS = /[<＜﹤]{3,}|[>＞﹥]{3,}/g;
/** A name of evidence, and marks of turns in square brackets. */
const NAME = /\bE\d+\b/i;
const TURN_MARK = /\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|IMG)\]/i;
/** Marks that servers of open models read as the end of a turn, or as the place of a picture. */
const CHAT_MARKS =
  /<([|｜][A-Za-z][\w▁ ]{2,60}[|｜]|\/s|<\/?SYS>|\/?(?:bos|eos|pad|image|video|audio|think|system|user|assistant|tool_call|tool_response|(?:start|end)_of_(?:turn|image)))>/gi;

/** How the lines of a prompt begin, up to their colon: `question`, `the evidence`, `answer`. */
export function headingsIn(prompt: string): string[] {
  return prompt.split("\n").flatMap((line) => headingOf(line) ?? []);
}

/**
 * A caller's text as a prompt may hold it outside quotation marks. Text without anything that a prompt uses to mark its
 * parts is returned byte for byte. In other text quotation marks and marks of chat templates are spaced out, square
 * brackets become round ones where they hold a name of evidence, and all is put on one line where a line begins as one of
 * a prompt (one of `headings`, a role, an option).
 */
export function neutralise(text: string, headings: ReadonlySet<string>): string {
  const visible = text.replace(LINE_BREAK, "\n").replace(INVISIBLE, "");
  const spaced = visible
    .replace(CHAT_MARKS, "< $1 >")
    .replace(QUOTE_MARKS, (run) => [...run].join(" "));
  const unbracketed = holdsBracketed(spaced)
    ? spaced.replaceAll("[", "(").replaceAll("]", ")")
    : spaced;
  const lines = unbracketed.split("\n");
  const isForged = lines.slice(1).some((line) => opensPart(line, headings));
  const safe = isForged ? onOneLine(lines) : unbracketed;
  return safe === visible ? text : safe;
}

/** The question with all of a caller's words made safe; its id stays, so that it is still the same question. */
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
function holdsBracketed(text: string): boolean {
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

/** Its words only: marks of emphasis and lists change nothing for a model. */
function headingOf(line: string): string | undefined {
  const heading = /^([^:：{]*)[:：]/.exec(line)?.[1];
  const words = heading
    ?.replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
  return words === "" ? undefined : words;
}
