import type { Option } from "../../../src/core/shapes.ts";
import { isSubordinate } from "./answer-context.ts";
import { statesOption } from "./lone-line.ts";
import { labelled, SAID_CHARS } from "./marked-answer.ts";
import { simplified } from "./read-choice.ts";

/* Last lines that name one option without a label such as `Answer:`. */

/** The letter of a last line that is only an answer: `B`, `So B is correct.`, `A: B`, `I choose B.` */
export function letterOfLine(line: string, options: readonly Option[]): string | undefined {
  return (
    BARE_LETTER.exec(line)?.[1] ??
    (statesOption(line, options) ? undefined : CLAIM.exec(line)?.[1]) ??
    turnLetter(line, options) ??
    letterAfterOption(line, options) ??
    lastRemaining(line) ??
    conclusionOf(line, options)
  )?.toUpperCase();
}

/** A line of one letter: `B`, `(b)`, `Option B.` */
export const BARE_LETTER = /^(?:option\s+|choice\s+)?[([{<"'$]*([a-z])[)\]}>"'$]*[.:,;!?。]?$/i;

/** The end of a last line: `So C is correct.`, `Option (B) is the right answer.` */
const CLAIM =
  /(?:^|[.!?;] |(?<!\bif )\b(?:so|thus|therefore|hence|clearly),? )(?:(?:so|thus|therefore|hence),? )?(?:option |choice |answer )?[(["']?([A-Z])[)\]"']? (?:is|must be|should be) (?:clearly |therefore |thus )?(?:the )?(?:(?:most|only|best|right|correct|accurate|appropriate|suitable|fitting) )*(?:answer|option|choice|one|correct|right|best|accurate)[.!]?$/i;

/** The end of a last line that concludes: `so, B.`, `This matches option B.`, `I choose B.`, `故选B。` */
const CONCLUSION =
  /(?:\b(?:so|thus|therefore|hence),? (?:option |choice )?|\b(?:this|that|it|which) (?:best )?(?:is|matches|corresponds to|aligns with) (?:option|choice|answer) |\bI(?:['’]d|['’]ll| would| will)? (?:choose|pick|select|guess|go with) (?:option |choice |answer )?|(?:^|(?<![不可])[故应應以此我])[选選](?:择|擇|项|項)*:? ?)[(["']?([A-Z])[)\]"']?[.!。]?$/i;

function conclusionOf(line: string, options: readonly Option[]): string | undefined {
  // The conclusion is short, and backtracking over a long line is slow.
  const match = CONCLUSION.exec(line.slice(-SAID_CHARS));
  const letter = match?.[1];
  if (letter === undefined || letter !== letter.toUpperCase()) return undefined;
  const said = match?.[0] ?? "";
  if (
    !/^(?:so|thus|therefore|hence)\b/i.test(said) &&
    isSubordinate(line, line.length - said.length)
  )
    return undefined;
  const isAgreed = labelled(line, options).every(
    ({ reading }) => "letter" in reading && reading.letter === letter,
  );
  return isAgreed ? letter : undefined;
}

/** `The dog runs away (C)`: the words of an option before its letter. */
function letterAfterOption(line: string, options: readonly Option[]): string | undefined {
  const [, words = "", letter] = /^(.*\S) ?\((?:[Oo]ption )?([A-Z])\)[.!]?$/.exec(line) ?? [];
  const own = simplified(options.find((one) => one.letter === letter)?.text ?? "");
  return own !== "" && simplified(words) === own ? letter : undefined;
}

/** `By elimination, only C remains.`, `So only option (C) is left` */
const REMAINING =
  /(?:^|[.!?;] |(?<!\bif )\b(?:so|thus|therefore|hence),? |\bby (?:the )?(?:process of )?elimination,? )only (?:option |choice )?[(["']?([A-Z])[)\]"']? (?:remains|is left)[.!]?$/i;

function lastRemaining(line: string): string | undefined {
  const match = REMAINING.exec(line.slice(-SAID_CHARS));
  const letter = match?.[1];
  if (letter === undefined || letter !== letter.toUpperCase()) return undefined;
  return isSubordinate(line, line.length - (match?.[0] ?? "").length) ? undefined : letter;
}

/** `A: C` after a question, where `A` is short for the answer. Not if `C` is the text of option A. */
function turnLetter(line: string, options: readonly Option[]): string | undefined {
  const letter = /^(?:A|Ans|Assistant) ?: ?\(?([A-Z])\)?[.!]?$/.exec(line)?.[1];
  const isText = options.some(
    ({ letter: name, text }) => name === "A" && text.trim().toUpperCase() === letter,
  );
  return isText ? undefined : letter;
}

/** Words before the letter of a short last line; a letter after other words may be a name or a note. */
const SHORT = new RegExp(
  `^(?:(?:${[
    "so|thus|therefore|hence|and|but|definitely|probably|likely|clearly|surely|maybe|perhaps",
    "final|correct|solution|letter|ans|(?:final )?answer",
    "I(?:['’]d| would) say|I (?:think|believe|guess)|(?:I am |I['’]m )?going with",
    "(?:(?:the|my) )?(?:letter|answer|option|choice)(?: is|['’]s)",
    "(?:it|this|that)(?: is|['’]s| must be| should be| has to be)",
    "option|choice|[=-]?>|→|✅|✔|✓|☑|#{1,4}",
  ].join("|")})(?:[:,.=–—-]| [=–—-])? ?)+[(["']?([A-Z])[)\\]"']?[.!?]?$`,
  "i",
);
const SHORT_CHARS = 60;

/** `Probably B.`, `So it is B`; not if `B` may be the text of another option. */
export function shortAnswer(line: string, options: readonly Option[]): string | undefined {
  const letter = line.length > SHORT_CHARS ? undefined : SHORT.exec(line)?.[1];
  const isText = options.some(
    ({ letter: own, text }) => own !== letter && text.trim().toUpperCase() === letter,
  );
  return letter === letter?.toUpperCase() && !isText ? letter : undefined;
}
