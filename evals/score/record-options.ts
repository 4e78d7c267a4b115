import type { Option } from "../../src/core/shapes.ts";
import type { Row } from "../benchmarks/data-files.ts";
import { readOptions } from "../benchmarks/options.ts";
import type { ResponseFormat } from "../benchmarks/response-format.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { ShownOption } from "../run/option-orders.ts";

/*
 * The options that a record of a response file contains, compared with those of its question. Other tools shuffle options
 * before they ask, so the same letter may name another option than in the data.
 */

/** How the options of a record compare with those of the data. */
export interface RecordOptions {
  /** `same`: also if the record has none; `reordered`: the same texts at other letters; `different`: other texts. */
  kind: "same" | "reordered" | "different";
  /** For `reordered`: the options as the record shows them. Else missing. */
  order?: readonly ShownOption[];
}

/**
 * Compares the options of a record with those of its question by their texts, without regard to case, spaces and a mark at
 * the end. `row`: the record, with the row of data that it contains; `optionsOf`: how the benchmark reads its options.
 *
 * @example
 * compareOptions({ options: ["(A) dog", "(B) cat"] }, sample); // sample: (A) cat, (B) dog
 * // { kind: "reordered", order: [{ letter: "A", place: 1 }, { letter: "B", place: 0 }] }
 */
export function compareOptions(
  row: Row,
  sample: Sample,
  { optionsOf = listedOptions }: Pick<ResponseFormat, "optionsOf"> = {},
): RecordOptions {
  const seen = optionsOf(row);
  if (seen === null || sample.options.length === 0) return { kind: "same" };
  if (JSON.stringify(seen) === JSON.stringify(optionsOf(sample.row))) return { kind: "same" };
  const order = orderOf(seen, sample.options);
  if (order === null) return { kind: "different" };
  return order.every(({ letter, place }) => sample.options[place]?.letter === letter)
    ? { kind: "same" }
    : { kind: "reordered", order };
}

/** The texts of the options of a row in any order, as one key; null if it has none. */
export function optionSet(
  row: Row,
  { optionsOf = listedOptions }: Pick<ResponseFormat, "optionsOf">,
): string | null {
  const options = optionsOf(row);
  if (options === null) return null;
  return options
    .map(({ text }) => comparable(text))
    .sort()
    .join("\n");
}

function listedOptions({ options }: Readonly<Row>): Option[] | null {
  if (!Array.isArray(options) || options.length === 0) return null;
  return options.every((option) => typeof option === "string")
    ? readOptions(options).options
    : null;
}

/** The options of a record by their texts in the data; null if texts or numbers of options differ. */
function orderOf(seen: readonly Option[], data: readonly Option[]): ShownOption[] | null {
  const letters = new Set(seen.map(({ letter }) => letter));
  if (letters.size !== seen.length || seen.length !== data.length) return null;
  const isAt = (option: Option, { letter, text }: Option) =>
    option.letter === letter && comparable(option.text) === comparable(text);
  // Of several options with the same text, those at their own letter stay there.
  const free = new Set(data.keys());
  for (const [place, option] of data.entries())
    if (seen.some((one) => isAt(one, option))) free.delete(place);
  const order: ShownOption[] = [];
  for (const one of seen) {
    const own = data.findIndex((option) => isAt(one, option));
    const place =
      own >= 0
        ? own
        : [...free].find((other) => comparable(data[other]?.text ?? "") === comparable(one.text));
    if (place === undefined) return null;
    free.delete(place);
    order.push({ letter: one.letter, place });
  }
  return order;
}

function comparable(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![.,;:!?])[.,;:!?]+$/, "")
    .toLowerCase();
}
