import type { Option } from "../../../src/core/shapes.ts";
import { isRow, parseJson } from "../data-files.ts";
import { textOf } from "./cells.ts";
import { letterAt } from "./columns.ts";
import { pythonList } from "./python-list.ts";

/* The options of one row. */

export interface RowOptions {
  options: Option[];
  /** Names of the options in the row, such as the keys of an object; null if they have none. */
  keys: string[] | null;
  /** Place of each option in the data, from 0: an option that is empty there has a place but is left out. */
  places: number[];
}

export const MOST_OPTIONS = 26;

/**
 * Reads a list; an object `{ A: ..., B: ... }`; `{ label: [...], text: [...] }`; or a text: JSON, or options separated by
 * line breaks or `|`. Returns null if there are none, or the reason why they cannot be read.
 */
export function readOptions(value: unknown): RowOptions | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value.trim() === "" ? null : fromText(value);
  if (Array.isArray(value)) return value.length === 0 ? null : fromList(value);
  if (!isRow(value))
    return `the options are ${typeof value === "object" ? "an object" : `a ${typeof value}`}`;
  if (Array.isArray(value.text)) {
    const labels = Array.isArray(value.label) ? value.label.map(String) : null;
    return labels === null ? fromList(value.text) : keyed(labels, value.text);
  }
  const given = Object.entries(value).map(([key, text], place) => ({ key, text, place }));
  const entries = given.filter(({ text }) => text !== null && text !== "");
  if (entries.length === 0) return null;
  const read = keyed(
    entries.map(({ key }) => key),
    entries.map(({ text }) => text),
  );
  return typeof read === "string" ? read : { ...read, places: entries.map(({ place }) => place) };
}

function fromText(text: string): RowOptions | string | null {
  if (/^\s*[[{]/.test(text)) {
    try {
      return readOptions(parseJson(text));
    } catch {
      // Not JSON: a list as Python prints it, or a text that begins with a bracket.
      const list = pythonList(text);
      if (list !== null) return fromList(list);
    }
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const parts =
    lines.length > 1
      ? lines
      : text
          .trim()
          .replace(/^\||\|$/g, "")
          .split("|");
  const options = parts.map((part) => part.trim() || null);
  if (options.filter((option) => option !== null).length < 2)
    return "the options are neither JSON nor separated by | or line breaks";
  return fromList(options);
}

/** The options of a list; null in it is an empty option. */
function fromList(given: readonly unknown[]): RowOptions | string {
  const places = [...given.keys()].filter((place) => given[place] !== null);
  const read = allOf(places.map((place) => given[place]));
  return typeof read === "string" ? read : { ...read, places };
}

function allOf(list: readonly unknown[]): RowOptions | string {
  if (list.length === 0 || !list.every(isRow)) return plain(list);
  const texts = list.map(({ text, content, value }) => text ?? content ?? value);
  const keys = list.map(({ letter, label, key }) => textOf(letter ?? label ?? key));
  return keys.every((key) => key !== null) ? keyed(keys, texts) : plain(texts);
}

function plain(list: readonly unknown[]): RowOptions | string {
  const texts = textsOf(list);
  if (typeof texts === "string") return texts;
  // Remove `A.` or `(B)` only if every option begins with the letter of its place.
  const lettered = texts.map((text) => /^\(?([A-Z])[).:]\s*(\S[\s\S]*)$/.exec(text));
  const own = lettered.every((match, place) => match?.[1] === letterAt(place));
  const options = texts.map((text, place) => ({
    letter: letterAt(place),
    text: own ? (lettered[place]?.[2] ?? "").trim() : text,
  }));
  return {
    options,
    keys: own ? options.map(({ letter }) => letter) : null,
    places: [...options.keys()],
  };
}

/** Options with names; single-letter names become their letters, other options get letters by place. */
function keyed(keys: readonly string[], list: readonly unknown[]): RowOptions | string {
  const texts = textsOf(list);
  if (typeof texts === "string") return texts;
  if (keys.length !== texts.length) return "there are not as many labels as options";
  const letters = keys.map((key) => /^\s*\(?([A-Za-z])[).:]?\s*$/.exec(key)?.[1]?.toUpperCase());
  const own = letters.every((letter) => letter !== undefined);
  const options = texts.map((text, place) => ({
    letter: own ? (letters[place] ?? "") : letterAt(place),
    text,
  }));
  if (new Set(options.map(({ letter }) => letter)).size < options.length)
    return "two options have the same letter";
  return {
    options,
    keys: own ? options.map(({ letter }) => letter) : keys.map((key) => key.trim()),
    places: [...options.keys()],
  };
}

function textsOf(list: readonly unknown[]): string[] | string {
  if (list.length < 2) return "there is one option only";
  if (list.length > MOST_OPTIONS) return `there are more than ${MOST_OPTIONS} options`;
  if (!list.every((one) => ["string", "number", "boolean"].includes(typeof one)))
    return "an option is not a text";
  return list.map((one) => String(one).trim());
}
