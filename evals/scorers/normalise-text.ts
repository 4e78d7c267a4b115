/**
 * A text as `exact` and `includes` compare it: Unicode NFKC, lower case, runs of white space as one space, and without
 * punctuation, quotation marks, brackets and white space at both ends. A sign or decimal point before a digit stays
 * (`-3`, `.5`), and so do `%` and currency signs. A text of nothing but punctuation stays. Punctuation inside the text and
 * articles stay, unlike in SQuAD's normalisation.
 *
 * @example
 * normaliseText("  “The  Red CAR.” "); // "the red car"
 */
export function normaliseText(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  return plain.replace(LEADING, "").replace(TRAILING, "") || plain;
}

/** A sign or decimal point that belongs to the number after it ends what is removed. */
const LEADING = /^(?:(?![-−+]?[.]?\d)[\p{P}\s`^~|<>=](?<!%))+/u;
/** Without the condition before it, a run within the text would be tried from each of its characters. */
const TRAILING = /(?<![[\p{P}\s`^~\|<>=]--[%]])[[\p{P}\s`^~\|<>=]--[%]]+$/v;
