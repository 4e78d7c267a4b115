/**
 * Removes the characters that override text direction (U+202D, U+202E) from HTML: with them, a file name could show
 * another extension, or an answer other letters. Right-to-left scripts do not need them, and isolated or embedded runs
 * end with their block.
 */
export function plainDirection(html: string): string {
  return html.replace(/[\u202d\u202e]/g, "");
}
