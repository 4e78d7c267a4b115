/*
 * Scripts that are written without spaces. A full-text index splits text at characters that are neither letters nor
 * digits, which leaves a run of Chinese, Japanese or Thai as one word that nothing matches.
 */

/** One or more characters of these scripts. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々]+/gu;

/**
 * Splits runs of these scripts into overlapping pairs of characters; the last character of a run is single.
 *
 * @example
 * splitUnspaced("学习AI"); // " 学习 习 AI"
 */
export function splitUnspaced(text: string): string {
  return text.replace(UNSPACED, (run) => {
    const characters = [...run];
    return ` ${characters.map((character, at) => character + (characters[at + 1] ?? "")).join(" ")} `;
  });
}
