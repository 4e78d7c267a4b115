import type { Option } from "../../src/core/shapes.ts";
import { isCalledWrong, isSubordinate, isUnasserted, lastCorrection } from "./answer-context.ts";
import { endsOptionList, isDismissed, letterByVerdict, listsOptions } from "./option-list.ts";
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
/** Tokens of chat templates that a server left in a reply; `</s>` elsewhere than at the end is HTML. */
const CHAT_TOKEN = /<\|\w{1,40}\|>|<(?:eos|end_of_turn)>|<\/s>\s*$/gi;
/** Styles may be nested: `<b><i>C</i></b>`. */
const NESTED = 3;

/**
 * Without marks of Markdown, LaTeX and HTML around an answer and tokens of chat templates, and with ordinary characters for full-width ones; runs of
 * spaces become one, and so do runs of empty lines.
 */
export function plain(text: string): string {
  let bare = text
    .replace(CHAT_TOKEN, "")
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
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
 * then the last `[[X]]`, `\boxed{X}`, `"answer": "X"` or `answer is X`, in this order; then a first line that is only a
 * letter; then a reply or a last line that begins with `X.` and does not list the options. Null if the reply names no
 * offered letter, or several as its answer, or takes its answer back.
 */
export function finalLetter(
  reply: string,
  options: readonly Option[],
): { letter: string | null; how: string } {
  const concluded = concludedIn(reply, options);
  if (concluded !== null) return concluded;
  const text = plain(finalPart(reply)).trim();
  const corrected = lastCorrection(text);
  // After an answer that names several letters or none, or that is taken back, only what follows it counts.
  let undecided: Undecided | null = null;
  let from = -1;
  for (const { how, find } of MARKS) {
    const last = find(text, options).findLast(({ at }) => at > from);
    if (last === undefined) continue;
    const isWithdrawn = last.at < corrected;
    if (!isWithdrawn && "letter" in last.reading) return { letter: last.reading.letter, how };
    undecided = isWithdrawn || "letter" in last.reading ? { withdrawn: true } : last.reading;
    from = isWithdrawn ? corrected : last.at;
  }
  const lines = linesOf(text);
  const line = lines.at(-1) ?? "";
  const isUndecided = Math.max(from, corrected) >= text.lastIndexOf(line);
  const readings = [
    {
      how: "a correction",
      letter: from > corrected ? undefined : correctedLetter(text, corrected),
    },
    ...(undecided === null && corrected === -1
      ? [
          { how: "the first line", letter: firstLineLetter(lines) },
          { how: "the verdict on each option", letter: letterByVerdict(lines, options) },
          { how: "the whole reply", letter: leadingLetter(text, options) },
        ]
      : []),
    {
      how: "the last line",
      letter: isUndecided ? undefined : lastLineLetter(lines, options),
    },
  ];
  for (const { how, letter } of readings)
    if (letter !== undefined && options.some((option) => option.letter === letter))
      return { letter, how };
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
    const letter = (
      BARE_LETTER.exec(line)?.[1] ??
      CLAIM.exec(line)?.[1] ??
      turnLetter(line, options) ??
      conclusionOf(line, options)
    )?.toUpperCase();
    if (letter === undefined || !options.some((option) => option.letter === letter)) continue;
    const whole = plain(finalPart(reply)).trim() === line;
    return { letter, how: whole ? "the whole reply" : "the last line" };
  }
  return null;
}

/** Why a reply that names a letter has no answer. */
type Undecided = Exclude<Reading, { letter: string }> | { withdrawn: true };

function answerOf(
  reading: Reading | Undecided,
  how: string,
): { letter: string | null; how: string } {
  if ("withdrawn" in reading) return { letter: null, how: "the answer is taken back" };
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
      if (isCalledWrong(text.slice(end, end + SAID_CHARS))) continue;
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

/** The answers after a label that the words around them do not make those of somebody else, or mere suppositions. */
function labelled(text: string, options: readonly Option[]): Found[] {
  const corrected = lastCorrection(text);
  const found: (Found & { isYours: boolean })[] = [];
  let isOwnLine = false;
  for (const match of text.matchAll(LABEL)) {
    const end = match.index + match[0].length;
    const [said = ""] = text.slice(end, end + SAID_CHARS).split("\n", 1);
    const reading = readSaid(said, options);
    if (reading === null || ("letter" in reading && reading.lower)) continue;
    if (isSubordinate(text, match.index)) continue;
    // Below `Answer:` may be a list of the options.
    const isBelow = match[0].includes("\n") && "letter" in reading;
    if (isBelow && listsOptions(text.slice(end, end + LIST_CHARS), reading.letter, options))
      continue;
    // An answer on its own line is not replaced by `..., and the answer is B` in its explanation.
    const before = text.slice(Math.max(0, match.index - LEAD_CHARS), match.index);
    if (isOwnLine && !LEAD.test(before)) continue;
    isOwnLine ||= match.index > corrected && /(?:^|\n)[#>•-]* ?(?:final )?$/i.test(before);
    const isYours = /\byour (?:final )?$/i.test(before);
    found.push({ reading, at: match.index, end, isYours });
  }
  // `Your answer` may be copied from the prompt, or be that of the reader.
  const own = found.filter(({ isYours }) => !isYours);
  return own.length > 0 ? own : found;
}

const LIST_CHARS = 2000;
/** How much before a label shows whether it begins a sentence or a line. */
const LEAD_CHARS = 60;
const LEAD =
  /(?:^|\n|[.!?:;。，,] )[#>•-]* ?(?:(?:so|thus|therefore|hence|but|and|in fact),? )*(?:(?:the|my|your|final|correct|best|right|most|accurate|appropriate|likely) )*$/i;

/** What the text after a label names: a letter at its beginning, or one in brackets at its end, as in `12 cm (C)`. */
function readSaid(said: string, options: readonly Option[]): Reading | null {
  const reading = readChoice(said, options);
  if (reading !== null && !("letter" in reading && isUnasserted(reading.rest))) return reading;
  const bracketed = [...said.matchAll(/\((?:[Oo]ption )?([A-Z])\)/g)];
  const [last] = bracketed;
  if (last === undefined || bracketed.length > 1) return null;
  const rest = said.slice(last.index + last[0].length);
  const letter = last[1] ?? "";
  return /^[.!。]?\s*$/.test(rest) && options.some((option) => option.letter === letter)
    ? { letter, rest, marked: true, lower: false }
    : null;
}

const doubleBrackets = bracketed(/\[\[([^[\]\n]{1,200})\]\]/g);
const boxes = bracketed(/\\boxed\s*\{([^{}]{0,200}(?:\{[^{}]{0,200}\}[^{}]{0,200}){0,5})\}/g);
/** The value of an answer's key in JSON. Underscores are removed (`plain`). */
const answerKeys = bracketed(
  /["'](?:final ?|correct ?)?(?:answer|choice|option)["'] ?: ?["']([^"'{}\n]{1,200})["']/gi,
);
const LABEL =
  /(?:(?:[Aa]nswer|ANSWER|[Oo]ption|[Cc]hoice)\s*(?:is(?: (?:therefore|thus|hence|clearly|most likely|likely|probably|definitely))?|(?:would|should|must) be|:|=|->|→)+|答案\s*(?:[应應][该該]?)?(?:[是为為]|:|=)+)\s*:?\s*/g;
const MARKS = [
  { how: "[[X]]", find: doubleBrackets },
  { how: "\\boxed{X}", find: boxes },
  { how: '"answer": "X"', find: answerKeys },
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
  /^[#>•-]* ?(?:(?:so|thus|therefore|hence),? )?(?:(?:the |my )?(?:(?:final|correct|best|right) )*(?:answer|option|choice)(?: ?[:=] ?| (?:is(?: (?:therefore|thus|hence|clearly|most likely|likely|probably|definitely))?|(?:would|should|must) be) ?:? ?)|(?:因此|所以)?,? ?(?:最[终終]|正[确確]|最佳|的)*答案 ?(?:[应應][该該]?)?[是为為:=]+ ?)(.*)$/i;

function readLabelledLine(line: string, options: readonly Option[]): Reading | null {
  const said = LABELLED_LINE.exec(line)?.[1];
  const reading = said === undefined ? null : readSaid(said, options);
  if (reading === null || "refused" in reading) return null;
  if ("several" in reading) return labelled(said ?? "", options).length > 0 ? null : reading;
  const { rest, marked } = reading;
  if (lastCorrection(rest) !== -1) return null;
  const isConclusion =
    /^[.!。]?$/.test(rest) ||
    ((marked || /^[.):]/.test(rest)) && /^[.):]? (?!.*(?:answer|option|choice))/i.test(rest));
  return isConclusion ? reading : null;
}

const BARE_LETTER = /^(?:option\s+|choice\s+)?[([{<"'$]*([a-z])[)\]}>"'$]*[.:,;!。]?$/i;

/** The end of a last line: `So C is correct.`, `Option (B) is the right answer.` */
const CLAIM =
  /(?:^|[.!?;] |\b(?:so|thus|therefore|hence|clearly),? )(?:(?:so|thus|therefore|hence),? )?(?:option |choice |answer )?[(["']?([A-Z])[)\]"']? (?:is|must be|should be) (?:clearly |therefore |thus )?(?:the )?(?:(?:most|only|best|right|correct|accurate|appropriate) )*(?:answer|option|choice|one|correct|right|best|accurate)[.!]?$/i;

/** The end of a last line that concludes: `so, B.`, `This matches option B.`, `I choose B.`, `故选B。` */
const CONCLUSION =
  /(?:\b(?:so|thus|therefore|hence),? (?:option |choice )?|\b(?:this|that|it|which) (?:best )?(?:is|matches|corresponds to|aligns with) (?:option|choice|answer) |\bI(?:['’]d|['’]ll| would| will)? (?:choose|pick|select|guess|go with) (?:option |choice |answer )?|(?:^|(?<!不)[故应應以此])[选選](?:择|擇|项|項)*:? ?)[(["']?([A-Z])[)\]"']?[.!。]?$/i;

function conclusionOf(line: string, options: readonly Option[]): string | undefined {
  // The conclusion is short, and backtracking over a long line is slow.
  const match = CONCLUSION.exec(line.slice(-SAID_CHARS));
  const letter = match?.[1];
  if (letter === undefined || letter !== letter.toUpperCase()) return undefined;
  if (isSubordinate(line, line.length - (match?.[0].length ?? 0))) return undefined;
  const isAgreed = labelled(line, options).every(
    ({ reading }) => "letter" in reading && reading.letter === letter,
  );
  return isAgreed ? letter : undefined;
}

/** `A: C` after a question, where `A` is short for the answer. Not if `C` is the text of option A. */
function turnLetter(line: string, options: readonly Option[]): string | undefined {
  const letter = /^(?:A|Ans|Assistant) ?: ?\(?([A-Z])\)?[.!]?$/.exec(line)?.[1];
  const isText = options.some(
    ({ letter: name, text }) => name === "A" && text.trim().toUpperCase() === letter,
  );
  return isText ? undefined : letter;
}

/** `it is A` after a self-correction. */
function correctedLetter(text: string, corrected: number): string | undefined {
  if (corrected === -1) return undefined;
  const after = text.slice(corrected);
  return [
    ...after.matchAll(
      /\b(?:it|that|this|one)(?: is|['’]s| should be| must be) (?:option )?\(?([A-Z])\)?(?=[.!,;]|\s*$)/g,
    ),
  ].at(-1)?.[1];
}

/** A first line that is only a letter; not if other lines are too, as headings. */
function firstLineLetter(lines: readonly string[]): string | undefined {
  const [first, ...others] = lines.map((line) => BARE_LETTER.exec(line)?.[1]);
  const isHeading = others.some((other) => other !== undefined && other !== first);
  return isHeading || first !== first?.toUpperCase() ? undefined : first;
}

/** The letter of a last line `X. ...` that is neither called wrong nor the end of a list of options. */
function lastLineLetter(lines: readonly string[], options: readonly Option[]): string | undefined {
  const letter = leadingLetter(lines.at(-1) ?? "", options);
  return letter === undefined || endsOptionList(lines, letter) ? undefined : letter;
}

/** `B`, `(b)`, `[B]`, `B.`, `B) because`, `Option B`; not `A dog runs`, `A. wrong`, or a list of options. */
function leadingLetter(text: string, options: readonly Option[]): string | undefined {
  const bare = BARE_LETTER.exec(text)?.[1];
  if (bare !== undefined) return bare.toUpperCase();
  const marked = /^(?:[Oo]ption\s+)?(?:[([]([A-Z])[)\]]|([A-Z])(?:[.):]|\s+[-–—]))(?=\s|$)/.exec(
    text,
  );
  const letter = marked?.[1] ?? marked?.[2];
  if (letter === undefined) return undefined;
  const [item = ""] = text.split("\n", 1);
  return isDismissed(item, letter, options) || listsOptions(text, letter, options)
    ? undefined
    : letter;
}
