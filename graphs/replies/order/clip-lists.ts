/* Lists of clip numbers in plain text (`plain`), in which runs of spaces are one. */

const CLIP = "(?:(?:the )?clips? ?#? ?|#)?\\d+";

const NEXT = "(?:and|then|next|finally|lastly|followed by)";
const BETWEEN = ` ?[,;，、،] ?(?:${NEXT} )*| ?(?:[-=]?-?>|→|➔|➜|⇒|⟶|⮕|–|—|-|&|/|\\|) ?| (?:${NEXT} )+| `;
const list = (between: string) =>
  new RegExp(`(?<![\\d.])${CLIP}(?:(?:${between})${CLIP})*(?![\\d%])`, "gi");
const ACROSS = list(BETWEEN);
const ACROSS_OR_DOWN = list(`${BETWEEN}| ?,?\\n`);

/** Runs of clip numbers, in the order of the text. `down`: also with one clip per line. */
export function listsIn(text: string, { down = false } = {}): number[][] {
  return [...text.matchAll(down ? ACROSS_OR_DOWN : ACROSS)].map(clipsOf);
}

function clipsOf([list]: RegExpExecArray): number[] {
  return (list.match(/\d+/g) ?? []).map(Number);
}

const STEP = "(?:steps?|events?) ?#? ?";
/** `Step 2, Step 1, Step 3`: prompts may call the clips so; `Step 1: Clip 3` is the number of an item. */
const STEPS = new RegExp(`^ ?${STEP}\\d+(?:(?:${BETWEEN})(?:${STEP})?\\d+)+(?=$|[.!](?: |$))`, "i");

/** The text after a label with bare numbers for a list of steps or events at its beginning. */
export function withoutStepWords(line: string): string {
  return line.replace(STEPS, (steps) => steps.replace(new RegExp(STEP, "gi"), ""));
}

/** How many clips there are, with the labels 1 to n, or their labels. */
export type Clips = number | readonly number[];

/** Whether the numbers are a permutation of the labels of the clips. */
export function isOrder(numbers: readonly number[], clips: Clips): boolean {
  const [count, isLabel] =
    typeof clips === "number"
      ? [clips, (number: number) => number >= 1 && number <= clips]
      : [clips.length, (number: number) => clips.includes(number)];
  return numbers.length === count && new Set(numbers).size === count && numbers.every(isLabel);
}

/** Whether a list is 1, 2 and so on. */
export function isAscending(list: readonly number[]): boolean {
  return list.length > 1 && list.every((number, place) => number === place + 1);
}

/** Whether the first or the last two lists of a line are different orders that are joined by `or`. */
export function areAlternatives(line: string, clips: Clips, which: "first" | "last"): boolean {
  const lists = [...line.matchAll(ACROSS)];
  const [one, other] = which === "first" ? lists.slice(0, 2) : lists.slice(-2);
  if (one === undefined || other === undefined) return false;
  const [a, b] = [clipsOf(one), clipsOf(other)];
  const between = line.slice(one.index + one[0].length, other.index);
  return EITHER_OR.test(between) && isOrder(a, clips) && isOrder(b, clips) && a.join() !== b.join();
}

const EITHER_OR = /^ ?[,;]? ?(?:or(?: (?:maybe|perhaps|possibly|else))?|alternatively,?|或者?) ?$/i;

/** A list that is not the answer: `not 1, 2, 3 but 2, 3, 1`. */
const NEGATED = new RegExp(
  `\\b(?:not|rather than|instead of):? ${CLIP}(?:(?:${BETWEEN})${CLIP})+(?![\\d%])`,
  "gi",
);
/** `the correct order of clips 1, 2, 3` */
const OF_CLIPS = new RegExp(
  `\\bof (?:the )?(?:\\w+ )?(?=clips )${CLIP}(?:(?:${BETWEEN})${CLIP})+(?![\\d%])`,
  "gi",
);
/** `1. 3` below `2. 1`: clips in a numbered list. */
const NUMBERED = /(?<=^|\n)1[.)] \d+(?:\n\d+[.)] \d+)+(?=\n|$)/g;

/** A text whose lists are not interrupted by remarks, and without lists that are not an answer. */
export function withoutRemarks(text: string): string {
  return withoutMarks(withoutItemNumbers(text.replace(NUMBERED, withoutNumbers)))
    .replace(NEGATED, "")
    .replace(OF_CLIPS, (named) => (listsIn(named).some(isAscending) ? "" : named));
}

/** The clips of a numbered list. */
function withoutNumbers(list: string): string {
  const lines = list.split("\n").map((line) => line.split(/[.)] /));
  const isNumbered = lines.every(([mark], place) => Number(mark) === place + 1);
  return isNumbered ? lines.map(([, clip]) => clip).join("\n") : list;
}

/** `#1 Clip 3` or `1 - Clip 3` at the beginning of a line. */
const ITEM_NUMBER = /(?<=^|\n)(?:#(\d+) ?[.:)–—-]?|(\d+) ?[–—-]) ?(?=clip ?\d)/gi;

/** A list whose items have such numbers, 1, 2 and so on, without these; `1 - Clip 3 - Clip 2` on a single line is an order. */
function withoutItemNumbers(text: string): string {
  const numbers = [...text.matchAll(ITEM_NUMBER)].map(([, hashed, dashed]) =>
    Number(hashed ?? dashed),
  );
  return isAscending(numbers) ? text.replace(ITEM_NUMBER, "") : text;
}

/** Whether brackets hold a list of clips or another order: `(1, 2, 3)`, `(or clip 2, clip 1)`. */
function isOfNumbers(inner: string): boolean {
  const list = inner.replace(/^\((?:or|alternatively),? (?=clip|\d)/i, "(");
  return /^[(\d\s,;>→)-]*$/.test(list.replace(/\bclips? ?#? ?(?=\d)/gi, ""));
}

/** Removes what is between clip numbers: remarks in brackets, brackets, list marks. */
function withoutMarks(text: string): string {
  return text
    .replace(/\([^()]*\)/g, (inner) => (isOfNumbers(inner) ? inner : ""))
    .replace(
      /(^|[\n,;]\s?)(?:[-•] ?)?(?:(?:step|position|place) ?)?[([]?\d+(?:st|nd|rd|th)?[.:]?[)\]] ?(?=clip ?\d)/gi,
      "$1",
    )
    .replace(/\\(?:(?:long)?rightarrow|to)\b/gi, " → ")
    .replace(/<((?:clip ?)?#? ?\d+)>/gi, "$1")
    .replace(/[[\](){}"“”$]/g, " ")
    .replace(
      /(^|[\n,;]\s?)(?:[-•] ?)?(?:(?:step|position|place) ?)?\d+(?:st|nd|rd|th)? ?[.:)] ?(?=clip ?\d)/gi,
      "$1",
    )
    .replace(/(^|\n)\| ?(?:\d+(?:st|nd|rd|th)? ?\| ?)?(?=clip ?\d)/gi, "$1")
    .replace(/ ?\| ?(?=\n|$)/g, "")
    .replace(/(^|\n)[-•] ?(?=clip ?\d)/gi, "$1")
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n ?/g, "\n");
}
