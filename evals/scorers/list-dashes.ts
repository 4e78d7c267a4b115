/* Dashes that are punctuation or marks of a list, which are no minus signs. */

const LINE_START = /\n[ \t>]*$/;
/** The end of a word, with closing marks. A LaTeX command and a constant are parts of an expression. */
const WORD = /(?<![\\\p{L}]\p{L}*)(?!π)\p{L}+[)\]"'”’*_]{0,3}[ \t]*$/u;
/** Characters before a dash that decide what it is. */
const BEFORE = 40;

/**
 * Replaces the dashes of `Answer — 12`, `Total - 5` and of the list mark `- 12` by semicolons. A dash is one of these only
 * before white space: `-12` and `x = - 12` keep their signs.
 */
export function withoutDashes(text: string): string {
  return text.replace(/(?:[‒–—―]|--+)(?=\s)/g, ";").replace(/-(?=\s)/g, (dash, at: number) => {
    const before = (at < BEFORE ? "\n" : "") + text.slice(Math.max(0, at - BEFORE), at);
    return LINE_START.test(before) || WORD.test(before) ? ";" : dash;
  });
}
