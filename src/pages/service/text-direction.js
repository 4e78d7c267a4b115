/**
 * A text that does not change the direction of the text after it: without the characters that reverse text (U+202D and
 * U+202E could hide the extension of a file name), and with every embedded or isolated run closed.
 * @param {string} text
 */
export function inOwnDirection(text) {
  const plain = text.replace(/[\u202d\u202e]/g, "");
  const open = (/** @type {RegExp} */ begins, /** @type {RegExp} */ ends) =>
    Math.max(0, (plain.match(begins)?.length ?? 0) - (plain.match(ends)?.length ?? 0));
  const embedded = open(/[\u202a\u202b]/g, /\u202c/g);
  const isolated = open(/[\u2066-\u2068]/g, /\u2069/g);
  return plain + "\u202c".repeat(embedded) + "\u2069".repeat(isolated);
}
