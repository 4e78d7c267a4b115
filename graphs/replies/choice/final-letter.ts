import type { Option } from "../../../src/core/shapes.ts";
import { finalPart, lastLines, linesOf, plain } from "../visible-reply.ts";
import { lastCorrection, letterAfterCheck, withoutRejected } from "./answer-context.ts";
import { letterCalledRight } from "./called-right.ts";
import { chineseClaim } from "./chinese-claim.ts";
import { BARE_LETTER, letterOfLine, shortAnswer } from "./concluding-line.ts";
import { loneLetter, loneOption } from "./lone-line.ts";
import { ENDINGS, MARKS } from "./marked-answer.ts";
import { onlyLetter } from "./only-letter.ts";
import {
  checkedLetter,
  endsOptionList,
  isDismissed,
  joinedOption,
  letterByVerdict,
  listsOptions,
} from "./option-list.ts";
import { letterOfWords } from "./option-words.ts";
import { type Reading, readChoice } from "./read-choice.ts";

/* The letter that a reply chooses: only the final answer counts, never the reasoning before it. */

/**
 * The letter that a reply chooses. A last line that is only an answer, in a form that prompts ask for, counts first;
 * then the last `[[X]]`, `\boxed{X}`, `"answer": "X"` or `answer is X`, in this order; then a first line that is only a
 * letter; then a reply or a last line that begins with `X.` and does not list the options; then the words of one option,
 * or the only letter that a short reply states. Null if the reply names no
 * offered letter, or several as its answer, or takes its answer back.
 */
export function finalLetter(
  reply: string,
  options: readonly Option[],
): { letter: string | null; how: string } {
  const concluded = onlyMarked(reply, options) ?? concludedIn(reply, options);
  if (concluded !== null) return concluded;
  const text = withoutRejected(plain(finalPart(reply)).trim());
  const corrected = lastCorrection(text);
  // After an answer that names several letters or none, or that is taken back, only what follows it counts.
  let undecided: Undecided | null = null;
  let from = -1;
  for (const { how, find } of MARKS) {
    const last = find(text, options).findLast(({ at }) => at > from);
    if (last === undefined) continue;
    const isWithdrawn = last.at < corrected;
    if (!isWithdrawn && "letter" in last.reading) {
      const checked = letterAfterCheck(text.slice(last.at));
      const isCorrected =
        checked !== last.reading.letter && options.some(({ letter }) => letter === checked);
      return isCorrected
        ? { letter: checked ?? null, how: "a correction" }
        : { letter: last.reading.letter, how };
    }
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
          { how: "the option that is ticked", letter: checkedLetter(lines) },
          { how: "the whole reply", letter: leadingLetter(text, options) },
        ]
      : []),
    {
      how: "the last line",
      letter: isUndecided ? undefined : lastLineLetter(lines, options),
    },
    ...(undecided === null && corrected === -1
      ? [
          { how: "the last line", letter: shortAnswer(line, options) },
          { how: "the option called correct", letter: letterCalledRight(text) },
          { how: "the option called correct", letter: chineseClaim(text) },
          { how: "a line of its own", letter: loneLetter(lines) ?? loneOption(lines, options) },
          { how: "the words of an option", letter: letterOfWords(lines, options) },
          { how: "the only letter", letter: onlyLetter(text) },
        ]
      : []),
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

/** The whole of a reply `[[X]]`, which needs no further reading. */
const MARKED = /^\s*\[\[([A-Z])\]\]\s*$/;

/** The offered letter of a reply that is only `[[X]]`; null for any other reply. */
function onlyMarked(reply: string, options: readonly Option[]) {
  const letter = MARKED.exec(reply)?.[1];
  const isOffered = letter !== undefined && options.some((option) => option.letter === letter);
  return isOffered ? { letter, how: "[[X]]" } : null;
}

/** The answer of a last line that is only an answer; null if it is not. */
function concludedIn(reply: string, options: readonly Option[]) {
  for (const { line: said, inReasoning } of lastLines(reply)) {
    const line = withoutRejected(said);
    for (const { how, read } of ENDINGS) {
      const reading = read(line, options);
      // Reasoning that was cut off may still weigh several options.
      if (reading !== null && ("letter" in reading || !inReasoning)) return answerOf(reading, how);
    }
    if (inReasoning) continue;
    const letter = letterOfLine(line, options);
    if (letter === undefined || !options.some((option) => option.letter === letter)) continue;
    const whole = plain(finalPart(reply)).trim() === said;
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

/** `it is A` after a self-correction. */
function correctedLetter(text: string, corrected: number): string | undefined {
  if (corrected === -1) return undefined;
  const after = text.slice(corrected);
  return [
    ...after.matchAll(
      /\b(?:(?:it|that|this|one)(?: is|['’]s| should be| must be)|(?:[Nn]o|[Ss]orry|[Cc]orrection)[,:]|(?:[Aa]ctually|[Ss]cratch that|I (?:meant|mean)|[Oo]n (?:second |further )?(?:thoughts?|reflection))[,:]?(?: I(?:['’]d| would) (?:go with|choose|say))?) (?:option )?\(?([A-Z])\)?(?=[.!,;]|\s*$)/g,
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
  const explained = /^(?:[Oo]ption )?\(?([A-Z])\)?,? (?:because|since)\b/.exec(text)?.[1];
  const letter = marked?.[1] ?? marked?.[2] ?? explained;
  if (letter === undefined) return undefined;
  const [item = ""] = text.split("\n", 1);
  const reading = readChoice(item, options);
  // `E. coli` may be the words of another option.
  if (reading !== null && "letter" in reading && reading.letter !== letter) return reading.letter;
  const rest = item.slice(marked?.[0].length);
  return isDismissed(item, letter, options) ||
    listsOptions(text, letter, options) ||
    joinedOption({ letter, rest }, options) !== undefined
    ? undefined
    : letter;
}
