import type { Box } from "../../src/core/shapes.ts";
import { onlyLetters } from "./letters.ts";

/** Intersection over union of two boxes, 0 to 1. */
export function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (wide <= 0 || high <= 0) return 0;
  return (wide * high) / (a.width * a.height + b.width * b.height - wide * high);
}

/** Share of `a` that is inside `b`, 0 to 1. */
export function shareWithin(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide <= 0 || high <= 0 ? 0 : (wide * high) / (a.width * a.height);
}

/**
 * Whether two readings are of the same text. Letters may be misread, but different numbers mean a different text, as in
 * a counter, a page number or a score.
 */
export function sameText(a: string, b: string): boolean {
  if (a === b) return true;
  const numbers = (text: string) => text.match(/\d+/g)?.join(" ") ?? "";
  if (numbers(a) !== numbers(b)) return false;
  const bare = (text: string) => onlyLetters(text.toLowerCase());
  const [short, long] = [bare(a), bare(b)].sort((x, y) => x.length - y.length) as [string, string];
  if (long.length === 0) return false;
  return editDistance(short, long) <= long.length * 0.12;
}

/** Levenshtein distance in characters. */
export function editDistance(a: string, b: string): number {
  const from = [...a];
  let row = Array.from({ length: from.length + 1 }, (_, i) => i);
  for (const [j, character] of [...b].entries()) {
    const next = [j + 1];
    for (const [i, other] of from.entries())
      next.push(
        Math.min(
          (row[i] ?? 0) + (other === character ? 0 : 1),
          (row[i + 1] ?? 0) + 1,
          (next[i] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row[from.length] ?? 0;
}
