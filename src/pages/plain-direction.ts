/**
 * HTML without the characters that turn the direction of the text after them (U+202D, U+202E): a name could show another
 * ending, or an answer other letters. Writing from right to left needs none of them, and isolated or embedded runs end
 * with their block.
 */
export function plainDirection(html: string): string {
  return html.replace(/[\u202d\u202e]/g, "");
}
