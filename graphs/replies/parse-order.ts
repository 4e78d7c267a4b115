import { finalText } from "./reply-text.ts";

const MARKER = /correct\s+order/gi;
const NAMED = /\b(?:clip|step|event|part)s?\s*(?:#|no\.?|number)?\s*(\d{1,3})\b/gi;

/**
 * Reads an order from a reply. Accepts markup, arrows and `Clip 3`. Of several orders the last one counts. An order
 * must be a permutation of `labels`, or of 1..k (k >= 2) if the labels are not known. (The benchmarks' own extractors
 * are in the folders of the benchmarks.)
 */
export function parseOrder(text: string, labels?: readonly number[]): number[] | null {
  const final = finalText(text).replace(/[*_`]/g, "");
  const marks = [...final.matchAll(MARKER)].map((match) => match.index + match[0].length);
  if (marks.length > 0) return orderAfter(final, marks, labels);
  const lines = final.split("\n").map((line) => line.trim());
  for (const line of lines.reverse()) {
    const order = orderIn(line, labels);
    if (order !== null) return order;
  }
  return orderIn(final, labels);
}

/** The line after the last mark, or the text below it; if that contains no order, the one of an earlier mark. */
function orderAfter(final: string, marks: number[], labels: readonly number[] | undefined) {
  for (const mark of marks.reverse()) {
    const after = final.slice(mark);
    const [line = ""] = after.split("\n", 1);
    const order = orderIn(line, labels) ?? (/\d/.test(line) ? null : orderIn(after, labels));
    if (order !== null) return order;
  }
  return null;
}

function orderIn(text: string, labels: readonly number[] | undefined): number[] | null {
  const named = [...text.matchAll(NAMED)].map((match) => Number(match[1]));
  const plain = [...text.matchAll(/\d+/g)].map((match) => Number(match[0]));
  return [named, plain].find((numbers) => isPermutation(numbers, labels)) ?? null;
}

function isPermutation(numbers: readonly number[], labels: readonly number[] | undefined): boolean {
  if (labels === undefined && numbers.length < 2) return false;
  const wanted = labels ?? numbers.map((_, index) => index + 1);
  return (
    numbers.length === wanted.length &&
    new Set(numbers).size === numbers.length &&
    wanted.every((label) => numbers.includes(label))
  );
}
