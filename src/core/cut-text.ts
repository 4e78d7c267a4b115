/**
 * The first `most` characters of a text (UTF-16 code units). One fewer, if the cut would go through a surrogate pair: model
 * servers refuse half a character.
 */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
