import type { Option } from "../../src/core/shapes.ts";
import { joinReadings, type Reading, readChoice } from "./read-choice.ts";
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

/** Commands of LaTeX that only change how their text looks. */
const STYLED =
  /\\(?:text(?:bf|it|rm|sf|sc|tt|up|sl)?|math(?:rm|bf|it|sf|tt)|emph|underline|boldsymbol|mbox) ?\{([^{}]*)\}/g;
/** Tags of HTML that only change how their text looks. A single `<b>` stays: it may be a letter in angle brackets. */
const TAGGED = /<(b|i|u|em|strong|span|p|mark|code|center)>([^<>]{0,300})<\/\1>/gi;
/** Styles may be nested: `<b><i>C</i></b>`. */
const NESTED = 3;

/**
 * Without marks of Markdown, LaTeX and HTML around an answer, and with ordinary characters for full-width ones; runs of
 * spaces become one, and so do runs of empty lines.
 */
export function plain(text: string): string {
  let bare = text.replace(/[\uFF01-\uFF5E]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  );
  for (let depth = 0; depth < NESTED; depth++)
    bare = bare.replace(STYLED, "$1").replace(TAGGED, "$2");
  return bare
    .replace(/\\([<>])/g, "$1")
    .replace(/\\[()[\]]/g, "")
    .replace(/[*`_~]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
}

/**
 * The letter that a reply chooses. A last line that is only an answer, in a form that prompts ask for, counts first;
 * then the last `[[X]]`, `\boxed{X}` or `answer is X`, in this order; then a reply or a last line that begins with
 * `X.`. Null if the reply names no offered letter, or several as its answer.
 */
export function finalLetter(
  reply: string,
  options: readonly Option[],
): { letter: string | null; how: string } {
  const concluded = concludedIn(reply, options);
  if (concluded !== null) return concluded;
  const text = plain(finalPart(reply));
  // After an answer that names several letters or none, only what follows it counts.
  let undecided: ReturnType<typeof readChoice> = null;
  let from = -1;
  for (const { how, find } of MARKS) {
    const last = find(text, options).findLast(({ at }) => at > from);
    if (last === undefined) continue;
    if ("letter" in last.reading) return { letter: last.reading.letter, how };
    undecided = last.reading;
    from = last.at;
  }
  const line = linesOf(text).at(-1) ?? "";
  const isUndecided = undecided !== null && from >= text.lastIndexOf(line);
  for (const { how, part } of [
    { how: "the whole reply", part: undecided === null ? text.trim() : "" },
    { how: "the last line", part: isUndecided ? "" : line },
  ]) {
    const letter = leadingLetter(part);
    if (letter !== undefined && options.some((option) => option.letter === letter))
      return { letter, how };
  }
  const bare = readChoice(line, options);
  if (bare !== null && !("letter" in bare)) undecided ??= bare;
  return undecided === null
    ? { letter: null, how: "no final answer" }
    : answerOf(undecided, "the last line");
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

/** The answer of a last line that is only an answer; null if it is not. */
function concludedIn(reply: string, options: readonly Option[]) {
  for (const { line, inReasoning } of lastLines(reply)) {
    for (const { how, read } of ENDINGS) {
      const reading = read(line, options);
      // Reasoning that was cut off may still weigh several options.
      if (reading !== null && ("letter" in reading || !inReasoning)) return answerOf(reading, how);
    }
    if (inReasoning) continue;
    const letter = (BARE_LETTER.exec(line) ?? CLAIM.exec(line))?.[1]?.toUpperCase();
    if (letter === undefined || !options.some((option) => option.letter === letter)) continue;
    const whole = plain(finalPart(reply)).trim() === line;
    return { letter, how: whole ? "the whole reply" : "the last line" };
  }
  return null;
}

function answerOf(reading: Reading, how: string): { letter: string | null; how: string } {
  if ("letter" in reading) return { letter: reading.letter, how };
  return "several" in reading
    ? { letter: null, how: `several letters as one answer: ${reading.several.join(", ")}` }
    : { letter: null, how: "the reply is not an answer" };
}

interface Found {
  reading: Reading;
  at: number;
  end: number;
}

/** Readings of what a pattern captures; `joined`: `[[B]] or [[C]]` is one answer. */
function bracketed(pattern: RegExp) {
  return (text: string, options: readonly Option[]): Found[] => {
    const matches = [...text.matchAll(pattern)].map((match) => {
      const reading = readChoice((match[1] ?? "").trim(), options);
      return { reading, at: match.index, end: match.index + match[0].length };
    });
    const found: Found[] = [];
    for (const [place, { reading, at, end }] of matches.entries()) {
      if (reading === null || ("letter" in reading && !isAlone(reading))) continue;
      const before = matches.slice(Math.max(0, place - options.length), place + 1);
      const gaps = before.slice(1).map((next, index) => text.slice(before[index]?.end, next.at));
      const joined = joinReadings(
        before.map((item) => item.reading),
        gaps,
      );
      found.push({ reading: joined ?? reading, at, end });
    }
    return found;
  };
}

/** Whether a letter is all that brackets hold, or is set off from its words: `C`, `C. 5`, `(C) 5`. */
function isAlone({ rest, marked, lower }: Extract<Reading, { letter: string }>): boolean {
  return (
    /^[.):]?$/.test(rest) || (!lower && (marked || /^[.):]/.test(rest)) && /^[.):]? /.test(rest))
  );
}

/** How much of a line is read after a label. */
const SAID_CHARS = 300;

function labelled(text: string, options: readonly Option[]): Found[] {
  return [...text.matchAll(LABEL)].flatMap((match) => {
    const end = match.index + match[0].length;
    const [said = ""] = text.slice(end, end + SAID_CHARS).split("\n", 1);
    const reading = readChoice(said, options);
    const isRead = reading !== null && !("letter" in reading && reading.lower);
    return isRead ? [{ reading, at: match.index, end }] : [];
  });
}

const doubleBrackets = bracketed(/\[\[([^[\]\n]{1,200})\]\]/g);
const boxes = bracketed(/\\boxed\s*\{([^{}]{0,200}(?:\{[^{}]{0,200}\}[^{}]{0,200}){0,5})\}/g);
const LABEL =
  /(?:(?:[Aa]nswer|ANSWER|[Oo]ption|[Cc]hoice)\s*(?:is|(?:would|should|must) be|:|=|->|→)+|答案\s*(?:[应應][该該]?)?(?:[是为為]|:|=)+)\s*:?\s*/g;
const MARKS = [
  { how: "[[X]]", find: doubleBrackets },
  { how: "\\boxed{X}", find: boxes },
  { how: "answer is X", find: labelled },
];

/** Whole last lines: `... [[X]].`, `\boxed{X}`, `Answer: X`, `The correct answer is (X) its words`. */
const ENDINGS = [
  {
    how: "[[X]]",
    read: (line: string, options: readonly Option[]) =>
      readingAtEnd(doubleBrackets(line, options), line, /^[\s.!"')。]*$/),
  },
  {
    how: "\\boxed{X}",
    read: (line: string, options: readonly Option[]) =>
      /^\$*\s*\\boxed/.test(line)
        ? readingAtEnd(boxes(line, options), line, /^\s*\$*[.!。]?$/)
        : null,
  },
  { how: "answer is X", read: readLabelledLine },
];

function readingAtEnd(found: readonly Found[], line: string, after: RegExp): Reading | null {
  const last = found.at(-1);
  return last !== undefined && after.test(line.slice(last.end)) ? last.reading : null;
}

const LABELLED_LINE =
  /^[#>•-]* ?(?:(?:so|thus|therefore|hence),? )?(?:(?:the |my )?(?:(?:final|correct|best|right) )*(?:answer|option|choice)(?: ?[:=] ?| (?:is|(?:would|should|must) be) ?:? ?)|(?:因此|所以)?,? ?(?:最[终終]|正[确確]|最佳|的)*答案 ?(?:[应應][该該]?)?[是为為:=]+ ?)(.*)$/i;

function readLabelledLine(line: string, options: readonly Option[]): Reading | null {
  const said = LABELLED_LINE.exec(line)?.[1];
  const reading = said === undefined ? null : readChoice(said, options);
  if (reading === null || "refused" in reading) return null;
  if ("several" in reading) return labelled(said ?? "", options).length > 0 ? null : reading;
  const { rest, marked } = reading;
  const isConclusion =
    /^[.!。]?$/.test(rest) ||
    ((marked || /^[.):]/.test(rest)) && /^[.):]? (?!.*(?:answer|option|choice))/i.test(rest));
  return isConclusion ? reading : null;
}

const BARE_LETTER = /^(?:option\s+|choice\s+)?[([{<"'$]*([a-z])[)\]}>"'$]*[.:,;!。]?$/i;

/** The end of a last line: `So C is correct.`, `Option (B) is the right answer.` */
const CLAIM =
  /(?:^|[.!?;] |\b(?:so|thus|therefore|hence|clearly),? )(?:(?:so|thus|therefore|hence),? )?(?:option |choice |answer )?[(["']?([A-Z])[)\]"']? (?:is|must be|should be) (?:clearly |therefore |thus )?(?:the )?(?:(?:most|only|best|right|correct|accurate|appropriate) )*(?:answer|option|choice|one|correct|right|best|accurate)[.!]?$/i;

/** `B`, `(b)`, `[B]`, `B.`, `B) because`, `Option B`; not `A dog runs`. */
function leadingLetter(text: string): string | undefined {
  const bare = BARE_LETTER.exec(text)?.[1];
  const marked = /^(?:[Oo]ption\s+)?(?:[([]([A-Z])[)\]]|([A-Z])(?:[.):]|\s+[-–—]))(?=\s|$)/.exec(
    text,
  );
  return (bare ?? marked?.[1] ?? marked?.[2])?.toUpperCase();
}
