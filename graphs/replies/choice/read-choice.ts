import type { Option } from "../../../src/core/shapes.ts";
import { optionLikeLetters } from "./option-words.ts";

/* Which option a text names at its beginning: the text after `Answer:`, or in the brackets of `[[X]]`. */

/** What a text names: one letter, several as one answer, or that there is no answer. */
export type Reading =
  | { letter: string; rest: string; marked: boolean; lower: boolean }
  | { several: string[] }
  | { refused: true };

const OPEN = "[([{<\"'“‘「『【$]*";
const CLOSE = "[)\\]}>\"'”’」』】$]*";
/** Chinese and Japanese are written without spaces, and Korean and Turkish endings follow a letter. */
const NOT_IN_WORD =
  "(?!(?![\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}])\\p{L}|\\p{N}|['’](?!d[ıi]r)\\p{L})";
const ITEM = new RegExp(
  `^ ?(?:options?|choices?)? ?(${OPEN})([A-Za-z])${NOT_IN_WORD}(${CLOSE})${NOT_IN_WORD}`,
  "iu",
);
const AND_OR =
  /^(?: ?[,;/&+|、] ?(?:(?:and\/or|or|and) )?| \(?(?:and\/or|or|and|o|ou|oder|или|atau|hoặc|veya|या|أو|y|et|e|und|и) | ?(?:[或和与か]|또는|还是|還是|または) ?)(?:maybe |possibly |perhaps |(?-i:la|a|die) )?/i;
const OR = /\b(?:or|o|ou|oder|atau|veya)\b|hoặc|या|أو|или|또는|还是|還是|または|か|\/|或|either/i;
/** Words before a list of letters. */
const EITHER = /^ ?(?:either|both) /i;
/** After letters joined by commas or `and`: the list is the answer, not the subject of another sentence. */
const LIST_ENDS =
  /^ ?(?:$|[.,;:!?)\]}>"'”。])|^ (?:both|all|together|because|since|as|depending|are (?:both |all |equally )?(?:correct|right|possible|plausible|valid|true))\b/i;

/** Lower-case words after the letter A or I, which follow neither the article nor the pronoun. */
const AFTER_LETTER = new Set(
  `and as at because but by due for from given here if in instead is it not of on or rather she since so than that the then
  there they this to when where which while with o ou oder или atau hoặc veya y et e und и porque weil parce perché omdat karena
  vì потому şıkkı şıkkıdır seçeneği seçeneğidir`.split(/\s+/),
);
/** Such words after the letter A only: `I only saw` is the pronoun. */
const AFTER_A = new Set(
  "alone also appears describes explains fits has indeed makes matches only over remains seems shows was".split(
    " ",
  ),
);
const REFUSAL =
  /^["'“(]*I(?: (?:cannot|can ?not|can['’]t|am (?:not|un|sorry|afraid)|do(?: not|n['’]t)|could(?: not|n['’]t)|was (?:not|un)|have no\b|apologi)|['’]m (?:not|un|sorry|afraid))/;

/** Null if the text does not begin with the letter of an option, nor with words that look like one. */
export function readChoice(said: string, options: readonly Option[]): Reading | null {
  const reading = readLetters(said, options);
  if (reading === null || "refused" in reading) return reading;
  // `B. subtilis` may be option B with its own words.
  const isOwn = "letter" in reading && isOwnText(reading, options);
  const named = isOwn ? undefined : optionLikeLetters(said, options);
  return named === undefined ? reading : { ...named, marked: true, lower: false };
}

/** Whether the words of an option follow its letter, and nothing else. */
function isOwnText(
  { letter, rest }: { letter: string; rest: string },
  options: readonly Option[],
): boolean {
  const own = simplified(options.find((option) => option.letter === letter)?.text ?? "");
  return own !== "" && simplified(rest) === own;
}

/** Whether the words of an option follow its letter, also with more behind them. */
export function beginsWithOwnText(
  { letter, rest }: { letter: string; rest: string },
  options: readonly Option[],
): boolean {
  const own = simplified(options.find((option) => option.letter === letter)?.text ?? "");
  const said = simplified(rest);
  // A text of one character may be a name in an expression.
  return own.length > 1 ? `${said} `.startsWith(`${own} `) : own !== "" && said === own;
}

function readLetters(said: string, options: readonly Option[]): Reading | null {
  const either = EITHER.exec(said)?.[0] ?? "";
  const items: { letter: string; lower: boolean; marked: boolean; rest: string; by: string }[] = [];
  let text = said.slice(either.length);
  let by = either;
  while (items.length <= options.length) {
    const [all = "", open = "", name = "", close = ""] = ITEM.exec(text) ?? [];
    const letter = name.toUpperCase();
    if (!options.some((option) => option.letter === letter)) break;
    const rest = text.slice(all.length);
    const marked = open !== "" || close !== "";
    if (!marked && name === letter && isWord(letter, rest, options)) break;
    items.push({ letter, lower: name !== letter, marked, rest, by });
    const joint = AND_OR.exec(rest)?.[0];
    if (joint === undefined) break;
    by = joint;
    text = rest.slice(joint.length);
  }
  const [first] = items;
  if (first === undefined) return REFUSAL.test(said) ? { refused: true } : null;
  const several = [...new Set(items.map(({ letter }) => letter))];
  const rest = items.at(-1)?.rest ?? "";
  const lower = items.filter((item) => item.lower).length;
  const alike = lower === 0 || (lower === items.length && /^ ?[.!]?$/.test(rest));
  const isList = LIST_ENDS.test(rest) || (items[1] !== undefined && OR.test(either + items[1].by));
  return several.length > 1 && alike && isList ? { several } : first;
}

/** Whether `A` is the article or `I` the pronoun: a lower-case word follows that is not the text of the option. */
function isWord(letter: string, rest: string, options: readonly Option[]): boolean {
  if (letter !== "A" && letter !== "I") return false;
  const next = /^ (\p{Ll}+)/u.exec(rest)?.[1];
  if (next === undefined || AFTER_LETTER.has(next)) return false;
  if (letter === "A" && (AFTER_A.has(next) || /^ \p{Ll}+ly[.!]?$/u.test(rest))) return false;
  const own = simplified(options.find((option) => option.letter === letter)?.text ?? "");
  const said = simplified(rest);
  const isOwn = [said, `${letter.toLowerCase()} ${said}`].some(
    (text) => text.startsWith(own) || own.startsWith(text),
  );
  return own === "" || !isOwn;
}

/** A text in lower case, of which only letters and digits are left. */
export function simplified(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The letters of consecutive readings such as `[[B]] or [[C]]` as one; `gaps` are the texts between them. */
export function joinReadings(
  readings: readonly (Reading | null)[],
  gaps: readonly string[],
): Reading | null {
  const last = readings.at(-1) ?? null;
  const letters: string[] = [];
  for (let place = readings.length - 1; place >= 0; place--) {
    const reading = readings[place];
    if (reading == null || !("letter" in reading)) break;
    letters.unshift(reading.letter);
    const gap = (gaps[place - 1] ?? "-").replaceAll("$", "");
    if (gap.trim() !== "" && AND_OR.exec(gap)?.[0] !== gap) break;
  }
  const several = [...new Set(letters)];
  return several.length > 1 ? { several } : last;
}
