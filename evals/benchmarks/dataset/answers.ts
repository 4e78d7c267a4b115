import { Failure } from "../../../src/core/errors.ts";
import { normaliseText } from "../../scorers/normalise-text.ts";
import type { RowOptions } from "./options.ts";

/* Detects the form of the right options in a file: letters, texts or numbers. */

/** `index0` counts the places of the data from 0, `index1` from 1; empty options count. */
export const ANSWER_FORMS = ["letter", "text", "index0", "index1"] as const;
export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** The data of a choice question that its right answer depends on. */
export interface ChoiceRow {
  place: string;
  options: RowOptions;
  answer: string;
}

/**
 * The reader of right options for a whole file: the declared form, or the one that fits every row. Numbers need a
 * declared form, because counting from 0 and from 1 cannot be distinguished.
 * Throws `Failure` `data-malformed` if the form is not clear; the message says what to declare.
 */
export function answerReader(
  rows: readonly ChoiceRow[],
  declared: AnswerForm | undefined,
  file: string,
): (row: ChoiceRow) => string | null {
  if (declared !== undefined) return (row) => letterBy(declared, row);
  // A row that has no form, such as one with a damaged answer, says nothing about the others.
  const formed = rows.filter((row) => ANSWER_FORMS.some((form) => letterBy(form, row) !== null));
  const fitting = ANSWER_FORMS.filter((form) =>
    formed.every((row) => letterBy(form, row) !== null),
  );
  const [first, ...others] = fitting.filter((form) => form === "letter" || form === "text");
  const numbers = fitting.filter((form) => form !== "letter" && form !== "text");
  const rival = [...others, ...(first === undefined ? [] : numbers)].find((form) =>
    formed.some((row) => letterBy(form, row) !== letterBy(first ?? form, row)),
  );
  if (first !== undefined && rival !== undefined) throw unclear(file, formed, first, rival);
  if (first !== undefined) return (row) => letterBy(first, row);
  if (formed.length > 0 && numbers.length > 0) throw undeclared(file, numbers);
  return (row) => mixed(row, file);
}

/** For a file whose rows have different forms: the letter or the text of each row. */
function mixed(row: ChoiceRow, file: string): string | null {
  const [letter, text] = [letterBy("letter", row), letterBy("text", row)];
  if (letter !== null && text !== null && letter !== text)
    throw unclear(file, [row], "letter", "text");
  const found = letter ?? text;
  const places = (["index0", "index1"] as const).filter((form) => letterBy(form, row) !== null);
  if (row.options.keys === null && places.length > 0) {
    const other = places.find((form) => letterBy(form, row) !== found);
    if (found === null) throw undeclared(file, places, row);
    if (other !== undefined) throw unclear(file, [row], "text", other);
  }
  return found;
}

/** The letter of the right option, read in this form; null if the answer does not have the form. */
function letterBy(
  form: AnswerForm,
  { options: { options, keys, places }, answer }: ChoiceRow,
): string | null {
  const named = keyOf(keys, options, answer);
  if (named !== null) return named;
  switch (form) {
    case "letter":
      return letterIn(options, answer);
    case "text":
      return byText(options, answer);
    default: {
      // pandas writes whole numbers as `1.0` if a cell of the column is empty.
      if (!/^\d{1,2}(?:\.0+)?$/.test(answer)) return null;
      const place = Number(answer) - (form === "index1" ? 1 : 0);
      return options[places.indexOf(place)]?.letter ?? null;
    }
  }
}

/** If the row names its options, the answer is one of these names, even if it could be read in another way. */
function keyOf(keys: RowOptions["keys"], options: RowOptions["options"], answer: string) {
  const place = keys?.indexOf(answer) ?? -1;
  return options[place]?.letter ?? null;
}

/** `B`, `(b)`, `B.`, or a letter before the text of its option: `B. the text`. */
function letterIn(options: RowOptions["options"], answer: string): string | null {
  const [, letter, rest = ""] = /^[([]?([A-Za-z])(?:[)\].:]+|$)\s*([\s\S]*)$/.exec(answer) ?? [];
  const named = options.find((option) => option.letter === letter?.toUpperCase());
  if (named === undefined) return null;
  return rest === "" || normaliseText(rest) === normaliseText(named.text) ? named.letter : null;
}

function byText(options: RowOptions["options"], answer: string): string | null {
  const same = options.filter(({ text }) => text === answer);
  const like =
    same.length > 0
      ? same
      : options.filter(({ text }) => normaliseText(text) === normaliseText(answer));
  return like.length === 1 ? (like[0]?.letter ?? null) : null;
}

const FORM_WORDS: Record<AnswerForm, string> = {
  letter: "a letter",
  text: "the text of an option",
  index0: "a number counted from 0",
  index1: "a number counted from 1",
};

function unclear(file: string, rows: readonly ChoiceRow[], a: AnswerForm, b: AnswerForm): Failure {
  const row = rows.find((one) => letterBy(a, one) !== letterBy(b, one));
  return new Failure(
    "data-malformed",
    `The answers of ${file} can be read in two ways: ${JSON.stringify(row?.answer)} in ${row?.place} may be ${FORM_WORDS[a]} or ${FORM_WORDS[b]}. Declare the form with --answers ${a} or --answers ${b}.`,
    { file, place: row?.place },
  );
}

function undeclared(file: string, forms: readonly AnswerForm[], row?: ChoiceRow): Failure {
  const where = row === undefined ? "" : ` (${row.answer} in ${row.place})`;
  const hint = forms.length === 1 ? ` Only ${forms[0]} fits every row.` : "";
  return new Failure(
    "data-malformed",
    `The answers of ${file} are numbers${where}: declare --answers index0 if the first option is 0, or --answers index1 if it is 1.${hint}`,
    { file, forms },
  );
}
