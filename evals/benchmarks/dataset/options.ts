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
const TOO_MANY = `there are more than ${MOST_OPTIONS} options`;

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

/** The options of a list; null or an empty text in it is an empty option, whose letter is not given to another one. */
function fromList(given: readonly unknown[]): RowOptions | string {
  const isEmpty = (one: unknown) =>
    one === null || one === undefined || (typeof one === "string" && one.trim() === "");
  const places = [...given.keys()].filter((place) => !isEmpty(given[place]));
  const list = places.map((place) => given[place]);
  if (list.length === 0 || !list.every(isRow)) return plain(list, places);
  const texts = list.map(({ text, content, value }) => text ?? content ?? value);
  const keys = list.map(({ letter, label, key }) => textOf(letter ?? label ?? key));
  if (keys.some((key) => key === null)) return plain(texts, places);
  const read = keyed(keys as string[], texts);
  return typeof read === "string" ? read : { ...read, places };
}

function plain(list: readonly unknown[], places: readonly number[]): RowOptions | string {
  const texts = textsOf(list);
  if (typeof texts === "string") return texts;
  if ((places.at(-1) ?? 0) >= MOST_OPTIONS) return TOO_MANY;
  const own = ownLetters(texts);
  const options = texts.map((text, at) => ({
    letter: own?.[at] ?? letterAt(places[at] ?? at),
    text: own === null ? text : (OWN_LETTER.exec(text)?.[2] ?? "").trim(),
  }));
  return { options, keys: own, places: [...places] };
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
  if (list.length > MOST_OPTIONS) return TOO_MANY;
  if (!list.every((one) => ["string", "number", "boolean"].includes(typeof one)))
    return "an option is not a text";
  return list.map((one) => String(one).trim());
}
