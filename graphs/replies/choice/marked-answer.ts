import type { Option } from "../../../src/core/shapes.ts";
import {
  isCalledWrong,
  isExpression,
  isSubordinate,
  isUnasserted,
  lastCorrection,
  letterAfterCheck,
} from "./answer-context.ts";
import { FOREIGN } from "./foreign-label.ts";
import { joinedOption, listsOptions } from "./option-list.ts";
import { beginsWithOwnText, joinReadings, type Reading, readChoice } from "./read-choice.ts";

/* Answers that a reply marks as its answer: `[[B]]`, `\boxed{B}`, `"answer": "B"`, `The answer is B`. */

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
export const SAID_CHARS = 300;

/** The answers after a label that the words around them do not make those of somebody else, or mere suppositions. */
export function labelled(text: string, options: readonly Option[]): Found[] {
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
  /(?:^|\n|[.!?:;。，,] )[#>•-]* ?(?:(?:so|thus|therefore|hence|but|and|in fact),? )*(?:(?:the|my|your|final|correct|best|right|most|accurate|appropriate|likely|updated|revised|corrected|new) )*$/i;

/** What the text after a label names: a letter at its beginning, or one in brackets at its end, as in `12 cm (C)`. */
function readSaid(said: string, options: readonly Option[]): Reading | null {
  const reading = readChoice(said, options);
  if (reading !== null && !("letter" in reading)) return reading;
  if (reading !== null && !isUnasserted(reading.rest) && !isInExpression(reading, options)) {
    const joined = joinedOption(reading, options);
    return joined === undefined ? reading : { several: [reading.letter, joined] };
  }
  const bracketed = [...said.matchAll(/\((?:[Oo]ption )?([A-Z])\)/g)];
  const [last] = bracketed;
  if (last === undefined || bracketed.length > 1) return null;
  if (NEGATION.test(said.slice(0, last.index))) return null;
  const rest = said.slice(last.index + last[0].length);
  const letter = last[1] ?? "";
  return /^[.!。]?\s*$/.test(rest) && options.some((option) => option.letter === letter)
    ? { letter, rest, marked: true, lower: false }
    : null;
}

/** Whether a letter is a name in `A + B = 14`; `C - 5` may be a letter and the words of its option. */
function isInExpression(
  reading: { letter: string; rest: string },
  options: readonly Option[],
): boolean {
  return isExpression(reading.rest) && !beginsWithOwnText(reading, options);
}

/** All that is before the bracket in `The answer is not (B).` */
const NEGATION = /^ ?(?:not|nicht|niet|pas|inte|ikke|nie|не) (?:option )?$/i;

const doubleBrackets = bracketed(/\[\[([^[\]\n]{1,200})\]\]/g);
const boxes = bracketed(/\\boxed\s*\{([^{}]{0,200}(?:\{[^{}]{0,200}\}[^{}]{0,200}){0,5})\}/g);
/** The value of an answer's key in JSON. Underscores are removed (`plain`). */
const keyed = (names: string) =>
  bracketed(
    new RegExp(
      `["'](?:final ?|correct ?)?(?:${names})["'] ?: ?(?:\\[ ?(?=["'][^"']*["'] ?\\]))?["']([^"'{}\\n]{1,200})["']`,
      "gi",
    ),
  );
const answerOfKey = keyed(
  "answer(?: ?(?:letter|choice|option))?|(?:selected|chosen|predicted) ?(?:answer|option|choice|letter)|prediction",
);
const optionOfKey = keyed("choice|option");

/** Without a key for the answer, that of an option counts if it is the only one, and without a verdict on it. */
function answerKeys(text: string, options: readonly Option[]): Found[] {
  const answers = answerOfKey(text, options);
  if (answers.length > 0 || /["'](?:verdict|is ?correct|correct|score)["'] ?:/i.test(text))
    return answers;
  const chosen = optionOfKey(text, options);
  return chosen.length === 1 ? chosen : [];
}

const LABEL = new RegExp(
  String.raw`(?:(?:[Aa]nswer|ANSWER|[Oo]ption|[Cc]hoice|\b[Mm]y (?:best |final |educated )?(?:guess|pick))(?: to (?:the|this) question)?\s*(?:is(?: (?:therefore|thus|hence|clearly|most likely|likely|probably|definitely))?|(?:would|should|must) be|:|=|->|→)+|${FOREIGN})\s*:?\s*`,
  "g",
);
export const MARKS = [
  { how: "[[X]]", find: doubleBrackets },
  { how: "\\boxed{X}", find: boxes },
  { how: '"answer": "X"', find: answerKeys },
  { how: "answer is X", find: labelled },
];

/** Whole last lines: `... [[X]].`, `\boxed{X}`, `Answer: X`, `The correct answer is (X) its words`. */
export const ENDINGS = [
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

const LABELLED_LINE = new RegExp(
  `^[#>•-]* ?(?:(?:so|thus|therefore|hence),? )?(?:(?:the |my )?(?:(?:final|correct|best|right) )*(?:answer|option|choice)(?: to (?:the|this) question)?(?: ?[:=] ?| (?:is(?: (?:therefore|thus|hence|clearly|most likely|likely|probably|definitely))?|(?:would|should|must) be) ?:? ?)|(?:${FOREIGN}) ?:? ?)(.*)$`,
  "i",
);

function readLabelledLine(line: string, options: readonly Option[]): Reading | null {
  const said = LABELLED_LINE.exec(line)?.[1];
  const reading = said === undefined ? null : readSaid(said, options);
  if (reading === null || "refused" in reading) return null;
  if ("several" in reading) return labelled(said ?? "", options).length > 0 ? null : reading;
  const { rest, marked } = reading;
  if (lastCorrection(rest) !== -1 || letterAfterCheck(rest) !== undefined) return null;
  const isConclusion =
    /^[.!。]?$/.test(rest) ||
    ((marked || /^[.):]/.test(rest)) && /^[.):]? (?!.*(?:answer|option|choice))/i.test(rest));
  return isConclusion ? reading : null;
}
