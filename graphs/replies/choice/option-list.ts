import type { Option } from "../../../src/core/shapes.ts";
import { simplified } from "./read-choice.ts";

/* Replies that go through the options: a line or sentence that begins with `A.` need not choose A. */

const MARK = "(?:[Oo]ption )?(?:[([]([A-Z])[)\\]]|([A-Z])(?:[.):]| ?[-–—](?= )))(?=\\s|$)";
const LINE_MARK = new RegExp(`^(?:[-•>#]+ ?|\\d+[.)] )?${MARK}`);
const ANY_MARK = new RegExp(`(?:^|\\n|[.!?;,] )(?:[-•>#]+ ?|\\d+[.)] )?${MARK}`, "g");
/** A line or sentence between an answer and the options that it rejects. */
const EXPLANATION =
  /(?:^|[.!?] )[#>•-]* ?(?:explanation|reason|analysis|why|here is why|here['’]s why|(?:the )?(?:other|remaining|incorrect|wrong) )/im;
/** An item ends with such a word. */
const VERDICT =
  /(?:^|[:–—,.-] ?|(?<!\b[A-Z]\)?) (?:is|was) | (?=[✗✘❌✓✔✅]))(?:(incorrect|wrong|false|no|✗|✘|❌|not (?:correct|supported|shown|mentioned|right))|(correct|right|true|yes|✓|✔|✅))[.,;!]?$/i;
/** An item contains such words. */
const DISMISSAL =
  /[✗✘❌]|\b(?:this|that|it|which|option) (?:is|was) (?:\w+ )?(?:wrong|incorrect|not (?:supported|correct|right|shown|mentioned|true|accurate|the answer)\b)|^(?:(?:is )?(?:wrong|incorrect)\b|is the (?:least|worst)\b|no,)/i;

/** The option whose marker begins a line. */
export function markedLetter(line: string): string | undefined {
  const match = LINE_MARK.exec(line);
  return match?.[1] ?? match?.[2];
}

/** Whether an item such as `C) two birds - incorrect` calls its option wrong. */
export function isDismissed(item: string, letter: string, options: readonly Option[]): boolean {
  const said = saidAbout(item, letter, options);
  return VERDICT.exec(said)?.[1] !== undefined || DISMISSAL.test(said);
}

/** An item without its marker and the words of its option, which may be `No` or `The man is wrong`. */
function saidAbout(item: string, letter: string, options: readonly Option[]): string {
  const own = options.find((option) => option.letter === letter)?.text.trim() ?? "";
  const said = item.replace(LINE_MARK, "").trim();
  const [ownWords, words] = [simplified(own), simplified(said)];
  if (ownWords === "" || words === "") return said;
  if (ownWords.startsWith(words) && !/[✗✘❌✓✔✅]/.test(said)) return "";
  return words.startsWith(ownWords) ? said.slice(own.length).trim() : said;
}

/**
 * Whether a text that begins with the marker of an option goes through the options: that of a later option follows. After
 * an answer, its explanation begins with the first option again, or has a heading.
 */
export function listsOptions(text: string, letter: string, options: readonly Option[]): boolean {
  const place = (name: string) => options.findIndex((option) => option.letter === name);
  for (const match of text.matchAll(ANY_MARK)) {
    const other = match[1] ?? match[2] ?? "";
    if (other === letter || place(other) === -1) continue;
    return place(other) > place(letter) && !EXPLANATION.test(text.slice(0, match.index));
  }
  return false;
}

const NEXT_ITEM =
  /(?:[,;] (?:(?:and|or|both) )?| (?:and|or) )(?:[Oo]ption )?(?:\(([A-Z])\)[.:]?|([A-Z])[.):])(?: ?[-–—])? /g;

/** The other option is the subject of a clause of its own: `(A) red, and (B) blue is wrong`. */
const OWN_CLAUSE =
  /^(?:is|was|isn|wasn|does|doesn|did|didn|has|hasn|cannot|can|could|would|seems|looks|appears|contradicts|describes|refers|only)\b/;

/** Another option, with its words, that a text joins to a letter and the words of its option: `(B) red, and (C) blue`. */
export function joinedOption(
  { letter, rest }: { letter: string; rest: string },
  options: readonly Option[],
): string | undefined {
  const textOf = (name: string) =>
    simplified(options.find((option) => option.letter === name)?.text ?? "");
  for (const { 0: all, 1: bracketed, 2: bare, index } of rest.matchAll(NEXT_ITEM)) {
    const other = bracketed ?? bare ?? "";
    const isItem = textOf(other) !== "" && textOf(letter) === simplified(rest.slice(0, index));
    const said = simplified(rest.slice(index + all.length));
    if (!isItem || other === letter || !`${said} `.startsWith(`${textOf(other)} `)) continue;
    if (!OWN_CLAUSE.test(said.slice(textOf(other).length).trim())) return other;
  }
  return undefined;
}

/** Whether the last line is an item of a list of other options, and not the choice of one after such a list. */
export function endsOptionList(lines: readonly string[], letter: string): boolean {
  const listed = lines.slice(0, -1).map(markedLetter);
  return listed.at(-1) !== undefined && !listed.includes(letter);
}

/**
 * The only option called right in a list at the end, if every item has a verdict:
 * `A) red car - incorrect\nB) blue sky - correct`.
 */
export function letterByVerdict(
  lines: readonly string[],
  options: readonly Option[],
): string | undefined {
  const list = lines.slice(lines.findLastIndex((line) => markedLetter(line) === undefined) + 1);
  const items = list.map((line) => {
    const letter = markedLetter(line);
    const said = letter === undefined ? "" : saidAbout(line, letter, options);
    return { letter, verdict: VERDICT.exec(said) };
  });
  if (items.length < 2 || items.some(({ verdict }) => verdict === null)) return undefined;
  const right = items.filter(({ verdict }) => verdict?.[2] !== undefined);
  return right.length === 1 ? right[0]?.letter : undefined;
}

/** The only option that is ticked in a list of tasks: `- [ ] A\n- [x] B`. */
export function checkedLetter(lines: readonly string[]): string | undefined {
  const ticked = lines.flatMap((line) => TICKED.exec(line)?.[1] ?? []);
  return ticked.length === 1 ? ticked[0] : undefined;
}

const TICKED = /^[-•] ?\[[xX✓✔]\] \(?([A-Z])(?:[).:]| |$)/;
