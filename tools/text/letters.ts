/*
 * What counts as a letter or number of a text. Many scripts, such as Devanagari, Thai and Burmese, write vowels as marks,
 * which are not letters in Unicode. The accents of Latin, Greek and Cyrillic letters, U+0300 to U+036F, are not vowels.
 */

/** Pattern of a letter or a vowel sign. */
export const LETTER = String.raw`(?![\u0300-\u036f])[\p{L}\p{M}]`;

/** The text without anything but letters, vowel signs and numbers. */
export function onlyLetters(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]|[\u0300-\u036f]/gu, "");
}
