import { lastCorrection } from "../choice/answer-context.ts";
import { finalPart, lastLines, plain } from "../visible-reply.ts";
import { withEnglishClips } from "./chinese-clips.ts";
import {
  areAlternatives,
  type Clips,
  isAscending,
  isOrder,
  listsIn,
  withoutRemarks,
  withoutStepWords,
} from "./clip-lists.ts";

/* How an order of clips is read from a reply. */

/** `how`: the rule that found it, or why there is none. */
export interface ReadOrder {
  answer: number[] | null;
  how: string;
}

/** The rule for an order without a label such as `Correct order:`. */
export const UNLABELLED = "the last permutation";

/**
 * The order of so many clips, or of clips with these labels: the list after the last `Correct order:` that is followed by one; without such a line, that after
 * another `order:`, or the last list that is a permutation of exactly the clips. A last line `Correct order: ...` counts
 * before anything else. After a self-correction only what follows it counts. The order in which the clips were given counts
 * only if the reply has no other list. Two orders as one answer (`1, 2, 3 or 2, 1, 3`) are none.
 * Reads `Clip 3`, `片段3`, arrows, `then`, brackets, JSON, one clip per line or row of a table, remarks in brackets; after a label
 * also `Step 3` and `Event 3`.
 */
export function soundOrder(given: string, clips: Clips): ReadOrder {
  const reply = withEnglishClips(given);
  for (const { line } of lastLines(reply)) {
    const ending = LABELLED.exec(line)?.[1];
    if (ending === undefined || lastOrderCorrection(ending) !== -1) continue;
    const ended = orderAfterLabel(withoutRemarks(ending), clips);
    if (ended !== undefined && isOrder(ended, clips))
      return answerOf(
        ended,
        areAlternatives(withoutRemarks(ending), clips, "first"),
        "after `Correct order:`",
      );
  }
  const text = plain(finalPart(reply));
  const corrected = lastOrderCorrection(text);
  if (corrected === -1) return orderIn(withoutRemarks(text), clips);
  const order = orderIn(withoutRemarks(text.slice(corrected)), clips);
  const isWithdrawn = order.answer === null && orderIn(withoutRemarks(text), clips).answer !== null;
  return isWithdrawn ? { answer: null, how: "the answer is taken back" } : order;
}

/** `Actually, 1, 3, 2` */
const OTHER_ORDER =
  /(?:^|[.!?…\n]["')]?\s?)actually[,:]? (?=(?:clip ?)?\d+ ?(?:,|[-=]?>|→|and|then) ?(?:clip ?)?\d)/gi;

/** Where the last self-correction of a text begins; -1 without any. */
function lastOrderCorrection(text: string): number {
  return Math.max(lastCorrection(text), [...text.matchAll(OTHER_ORDER)].at(-1)?.index ?? -1);
}

/** The answer of a reply, unless its line offers another order as well. */
function answerOf(order: number[], isOneOfSeveral: boolean, how: string): ReadOrder {
  return isOneOfSeveral
    ? { answer: null, how: "several orders as one answer" }
    : { answer: order, how };
}

function orderIn(text: string, clips: Clips): ReadOrder {
  for (const { label, section } of sectionsIn(text)) {
    const order = orderAfterLabel(section, clips);
    if (order === undefined) continue;
    const after = `after \`${label}\``;
    if (isOrder(order, clips))
      return answerOf(order, areAlternatives(firstLine(section), clips, "first"), after);
    // `Answer:` may be followed by a sentence.
    if (label !== ANSWER) return { answer: null, how: `the list ${after} is not a permutation` };
  }
  const whole = (lists: number[][]) => lists.filter((list) => isOrder(list, clips)).at(-1);
  const last = (from: string) =>
    whole(from.split("\n").flatMap((line) => listsIn(withoutGivenClips(line)))) ??
    whole(listsIn(withoutGivenClips(from), { down: true }));
  const order = last(text.replace(GIVEN, "")) ?? last(text);
  return order === undefined
    ? { answer: null, how: "no permutation" }
    : answerOf(order, areAlternatives(lastListed(text), clips, "last"), UNLABELLED);
}

/** Sentences that name the clips in the order 1, 2, 3 without giving an answer: `The video has clips 1, 2, 3.` */
function withoutGivenClips(text: string): string {
  return text.replace(SENTENCE, (sentence) =>
    listsIn(sentence).some(isAscending) && NAMES_CLIPS.test(sentence) ? "\n" : sentence,
  );
}

const SENTENCE = /[^.!?\n]+/g;
const CANNOT =
  "\\b(?:cannot|can ?not|can['’]t|unable|impossible|not possible|don['’]t know|do not know)\\b";
const NAMES_CLIPS = new RegExp(
  `${CANNOT}|\\b(?:has|have|contains?|consists? of|are|were|of|given|named|numbered|labell?ed|called) (?:\\w+ ){0,2}(?:clips? )?1\\b|\\b(?:are|were) (?:\\w+ )?(?:shuffled|given|shown|mixed|scrambled|out of order)`,
  "i",
);

/** What follows each label, the most reliable first: the last `Correct order:`, the ones before it, other orders. */
function sectionsIn(text: string): { label: string; section: string }[] {
  const labels = [...text.matchAll(LABEL)];
  const sections = labels
    .filter((match) => !isRefused(text, match.index, match.index + match[0].length))
    .map((match, place) => ({
      // Without a colon it may be a sentence about the task: `the correct order of clips 1, 2, 3`.
      isCorrect: match[1] !== undefined && /[:=]$/.test(match[0]),
      isGiven: match[2] !== undefined,
      label: match[3] !== undefined ? ANSWER : match[1] === undefined ? "order:" : "Correct order:",
      section: text.slice(match.index + match[0].length, labels[place + 1]?.index),
    }))
    .filter(({ isGiven }) => !isGiven)
    .reverse();
  const { true: correct = [], false: others = [] } = Object.groupBy(sections, ({ isCorrect }) =>
    isCorrect ? "true" : "false",
  );
  return [...correct, ...others];
}

/** Whether a label is in a sentence such as `I cannot determine the correct order of clips 1, 2, 3`. */
function isRefused(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - NEAR_CHARS), at);
  const after = text.slice(end, end + NEAR_CHARS);
  return (
    REFUSED.test(before.split(/[.!?]\s|\n/).at(-1) ?? "") ||
    REFUSED.test(after.split(/[.!?\d\n]/, 1)[0] ?? "")
  );
}

/** How much before and after a label is read to understand its sentence. */
const NEAR_CHARS = 200;
const REFUSED = new RegExp(CANNOT, "i");

/** Words for the order in which the clips were shown. */
const SHOWN =
  "original|given|shown|shuffled|presented|initial|input|displayed|video(?:['’]s)?|current";
/** Words for an order that is not the answer. */
const NOT_ANSWER = `${SHOWN}|alternative|other|wrong|incorrect|reversed?|previous`;
const ANSWER = "Answer:";
const LABEL = new RegExp(
  `\\b(correct|corrected|revised|final|right|proper) ?(?:clip ?)?(?:order|sequence)\\b["']?(?: (?:is|would be|should be))? ?[:=]?|(?:\\b(${NOT_ANSWER}) ?(?:clip ?)?|\\b)(?:order|sequence)\\b["']? ?(?:is ?)?:|\\b(answer)["']? ?(?:is ?)?:`,
  "gi",
);
/** The given order or remarks, up to the end of the line. */
const GIVEN = new RegExp(
  `\\b(?:${SHOWN}) (?:clip )?(?:order|sequence) ?(?:is ?|was ?)?:[^\\n]*|(?<=^|\\n)(?:evidence|sources?|references?|frames?|timestamps?|durations?|scores?|dates?) ?:[^\\n]*`,
  "gi",
);
const LABELLED = /^[#>•-]* ?correct order ?:(.*)$/i;

/**
 * The clip numbers after a label: a list on its line, or clips named in its sentence, or a list with one clip per line;
 * undefined without numbers.
 */
function orderAfterLabel(section: string, clips: Clips): number[] | undefined {
  const line = withoutStepWords(firstLine(section));
  const found = [
    ...listsIn(line)
      .filter((list) => list.length > 1)
      .slice(0, 1),
    [...line.matchAll(/clip ?(\d+)/gi)].map((match) => Number(match[1])),
    ...listsIn(section.trim().replace(DESCRIBED, "$1"), { down: true }).slice(0, 1),
  ].filter((numbers) => numbers.length > 0);
  return found.find((numbers) => isOrder(numbers, clips)) ?? found[0];
}

function firstLine(section: string): string {
  return section.split("\n").find((item) => item.trim() !== "") ?? "";
}

/** The last line with a list. */
function lastListed(text: string): string {
  return text.split("\n").findLast((line) => listsIn(line).some((list) => list.length > 1)) ?? "";
}

/** `Clip 3: stir the batter`, or `Clip 3 | stir the batter |`, on a line of its own. */
const DESCRIBED = /^(clip ?\d+) ?(?:[:–—|-] [^\n]*|\|)$/gim;
