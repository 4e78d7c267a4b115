import { parseJson } from "../data-files.ts";
import { EvidenceSpans } from "../evidence-spans.ts";
import { pythonValue } from "./python-value.ts";

/* Values of cells. In files that contain only texts, a list or an object is written as JSON, or as Python prints it. */

/** The value of a cell: in a file of texts, lists and objects are parsed; texts are trimmed; null if it is empty. */
export function cellOf(value: unknown, textOnly: boolean): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return null;
  if (!textOnly || !/^[[{]/.test(text)) return text;
  // It may be a text that begins with a bracket.
  return listedIn(text) ?? text;
}

/** The list or object that a text is as JSON, or as Python prints it; undefined for any other text. */
export function listedIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return pythonValue(text);
  }
}

/** A name, number or truth value as text; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** A finite number, also as a text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const text = typeof value === "boolean" ? null : textOf(value);
  return text !== null && Number.isFinite(Number(text)) ? Number(text) : null;
}

/** A list of texts; null if it is anything else or empty. */
export function textsOf(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.map(textOf);
  return texts.every((text) => text !== null) ? texts : null;
}

/** Whole numbers in a list or as a text such as `3, 1, 2`; null if it is anything else. */
export function numbersOf(value: unknown): number[] | null {
  const list =
    typeof value === "string" && /^\d+(?:\s*[,;\s]\s*\d+)+$/.test(value)
      ? value.split(/[^\d]+/)
      : value;
  if (!Array.isArray(list)) return null;
  const numbers = list.map((one) =>
    typeof one === "string" && /^\d+$/.test(one.trim()) ? Number(one) : one,
  );
  return numbers.every((one) => Number.isInteger(one)) ? (numbers as number[]) : null;
}

/** Pairs of whole numbers; null if it is anything else. */
export function pairsOf(value: unknown): [number, number][] | null {
  if (!Array.isArray(value)) return null;
  const pairs = value.map(numbersOf);
  return pairs.every((pair) => pair?.length === 2) ? (pairs as [number, number][]) : null;
}

/** Spans in seconds; null if they are malformed, or if one ends before it starts. */
export function spansOf(value: unknown): [number, number][] | null {
  const read = EvidenceSpans.safeParse(withNumbers(value, 2));
  return read.success && read.data.every(([start, end]) => start <= end) ? read.data : null;
}

/** The value with numbers for the numeric texts in its lists, as Python's lists are read; `depth`: of the lists. */
function withNumbers(value: unknown, depth: number): unknown {
  if (Array.isArray(value) && depth > 0) return value.map((one) => withNumbers(one, depth - 1));
  const isNumeric = typeof value === "string" && depth < 2 && /^\s*\d+(\.\d*)?\s*$/.test(value);
  return isNumeric ? Number(value) : value;
}
