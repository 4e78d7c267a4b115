import { stemmer } from "stemmer";

/** The stem of a word in lower case: that of Porter's algorithm, with one ending for `fry` and `fried`. */
export function stemOf(word: string): string {
  return stemmer(word).replace(/(?<=[^aeiou])y$/, "i");
}
