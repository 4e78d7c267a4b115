import type { Option } from "../../../src/core/shapes.ts";
import { isRow } from "../data-files.ts";
import { letterAt } from "../options.ts";
import { listedIn, textOf } from "./cells.ts";

/* The options of one row. */

export interface RowOptions {
  options: Option[];
  /** Names of the options in the row, such as the keys of an object; null if they have none. */
  keys: string[] | null;
  /** Place of each option in the data, from 0: an option that is empty there has a place but is left out. */
  places: number[];
}

export const MOST_OPTIONS = 26;
const UNSEPARATED = "the options are neither JSON nor separated by | or line breaks";

/**
 * Reads a list; an object `{ A: ..., B: ... }`; `{ label: [...], text: [...] }`; or a text: JSON, or options separated by
 * line breaks or `|`. Returns null if there are none, or the reason why they cannot be read.
 */
export function readOptions(value: unknown): RowOptions | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value.trim() === "" ? null : fromText(value);
  if (Array.isArray(value)) return filledPlaces(value).length === 0 ? null : fromList(value);
  if (!isRow(value))
    return `the options are ${typeof value === "object" ? "an object" : `a ${typeof value}`}`;
  if (Array.isArray(value.text)) {
    const labels = Array.isArray(value.label) ? value.label.map(String) : null;
    return labels === null ? fromList(value.text) : keyed(labels, value.text);
  }
  const texts = Object.values(value);
  return filledPlaces(texts).length === 0 ? null : keyed(Object.keys(value), texts);
}

function fromText(text: string): RowOptions | string | null {
  if (/^\s*[[{]/.test(text)) {
    const value = listedIn(text);
    if (value !== undefined) return readOptions(value);
    // A list or dictionary with quotation marks that cannot be read is not a list of lines.
    if (/^\s*[[{]\s*['"]/.test(text)) return UNSEPARATED;
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const parts =
    lines.length > 1
      ? wholeOptions(lines)
      : text
          .trim()
          .replace(/^\||\|$/g, "")
          .split("|");
  const options = parts.map((part) => part.trim() || null);
  if (options.filter((option) => option !== null).length < 2) return UNSEPARATED;
  return fromList(options);
}

/** `A. red` or `(b) blue`: an option with its own letter. */
const OWN_LETTER = /^\s*\(?([A-Za-z])[).:]\s*(\S[\s\S]*)$/;

function ownLetter(text: string): string | undefined {
  return OWN_LETTER.exec(text)?.[1]?.toUpperCase();
}

/** If lines begin with A, B, C ..., the lines between them belong to the option above; those before A are a heading. */
function wholeOptions(lines: readonly string[]): readonly string[] {
  const starts = [...lines.keys()].filter((at) => ownLetter(lines[at] ?? "") !== undefined);
  const areOptions = starts.every((at, place) => ownLetter(lines[at] ?? "") === letterAt(place));
  if (starts.length < 2 || !areOptions) return lines;
  return starts.map((at, place) => lines.slice(at, starts[place + 1]).join(" "));
}

/** The places of options that are not null or an empty text. The letter of an empty option is not given to another one. */
function filledPlaces(list: readonly unknown[]): number[] {
  const isEmpty = (one: unknown) =>
    one === null || one === undefined || (typeof one === "string" && one.trim() === "");
  return [...list.keys()].filter((place) => !isEmpty(list[place]));
}

function fromList(given: readonly unknown[]): RowOptions | string {
  const filled = filledPlaces(given).map((place) => given[place]);
  if (filled.length === 0 || !filled.every(isRow)) return plain(given);
  const rows = given.map((one) => (isRow(one) ? one : {}));
  const texts = rows.map(({ text, content, value }) => text ?? content ?? value);
  const keys = rows.map(({ letter, label, key }) => textOf(letter ?? label ?? key));
  const areKeyed = filledPlaces(texts).every((place) => keys[place] !== null);
  return areKeyed ? keyed(keys.map(String), texts) : plain(texts);
}

function plain(list: readonly unknown[]): RowOptions | string {
  const places = filledPlaces(list);
  const texts = textsOf(list, places);
  if (typeof texts === "string") return texts;
  const own = ownLetters(texts);
  const options = texts.map((text, at) => ({
    letter: own?.[at] ?? letterAt(places[at] ?? at),
    text: own === null ? text : (OWN_LETTER.exec(text)?.[2] ?? "").trim(),
  }));
  return { options, keys: own, places };
}

/**
 * The letters that the options themselves begin with, in any order and with small gaps; null without. Initials of names
 * are seldom all among the first letters.
 */
function ownLetters(texts: readonly string[]): string[] | null {
  const letters = texts.map(ownLetter);
  const last = letterAt(texts.length + 1);
  const isLabelled = letters.every((letter) => letter !== undefined && letter <= last);
  return isLabelled && new Set(letters).size === letters.length ? (letters as string[]) : null;
}

/** Options with names; single-letter names become their letters, other options get letters by place. */
function keyed(keys: readonly string[], list: readonly unknown[]): RowOptions | string {
  if (keys.length !== list.length) return "there are not as many labels as options";
  const places = filledPlaces(list);
  const texts = textsOf(list, places);
  if (typeof texts === "string") return texts;
  const names = places.map((place) => keys[place] ?? "");
  const letters = names.map((name) => /^\s*\(?([A-Za-z])[).:]?\s*$/.exec(name)?.[1]?.toUpperCase());
  const own = letters.every((letter) => letter !== undefined);
  const options = texts.map((text, at) => ({
    letter: own ? (letters[at] ?? "") : letterAt(places[at] ?? at),
    text,
  }));
  if (new Set(options.map(({ letter }) => letter)).size < options.length)
    return "two options have the same letter";
  return {
    options,
    keys: own ? options.map(({ letter }) => letter) : names.map((name) => name.trim()),
    places,
  };
}

/** The texts at these places, or why they cannot be options. */
function textsOf(list: readonly unknown[], places: readonly number[]): string[] | string {
  const filled = places.map((place) => list[place]);
  if (filled.length < 2) return "there is one option only";
  if ((places.at(-1) ?? 0) >= MOST_OPTIONS) return `there are more than ${MOST_OPTIONS} options`;
  if (!filled.every((one) => ["string", "number", "boolean"].includes(typeof one)))
    return "an option is not a text";
  return filled.map((one) => String(one).trim());
}
