import type { Option } from "../../src/core/shapes.ts";
import type { Reading, ReadTerm } from "./reading.ts";

/* The option with the largest or smallest of the values that stand next to the options. */

const LARGEST =
  /(?<!at )\b(?:most|largest|biggest|highest|longest|heaviest|greatest|tallest|deepest|fastest|oldest|hottest|warmest|widest|maximum|strongest|dearest)\b|\bmost expensive\b/i;
const SMALLEST =
  /(?<!at )\b(?:least|smallest|lowest|shortest|lightest|fewest|shallowest|slowest|youngest|coldest|coolest|narrowest|cheapest|minimum|weakest)\b|\bleast expensive\b/i;

/** Whether a text asks for, or states, what is largest or smallest. */
export function namesExtreme(text: string): boolean {
  return LARGEST.test(text) || SMALLEST.test(text);
}

/** A value that the evidence has for an option. */
export interface OptionValue {
  letter: string;
  value: ReadTerm;
}

/**
 * The options with their values, the extreme one that a question asks for first; null if the question asks for none, if
 * the evidence names it in words, or if not every option has one value of the same dimension.
 */
export function extremeOf(
  question: string,
  options: readonly Option[],
  anchorsOf: (option: Option) => readonly ReadTerm[],
  { sentences }: Reading,
): OptionValue[] | null {
  const sign = SMALLEST.test(question) ? 1 : LARGEST.test(question) ? -1 : null;
  if (sign === null) return null;
  const values: OptionValue[] = [];
  for (const option of options) {
    const value = anchorsOf(option).flatMap((anchor) => {
      const { terms = [], text = "" } = sentences[anchor.sentence] ?? {};
      if (namesExtreme(text)) return [];
      const own = terms.filter(
        (term) => term.quantity !== null && !term.operand && term.clause === anchor.clause,
      );
      return own.length === 1 ? own : [];
    })[0];
    if (value === undefined) return null;
    values.push({ letter: option.letter, value });
  }
  const [first] = values;
  const alike = values.every(
    ({ value }) => value.quantity?.dimension === first?.value.quantity?.dimension,
  );
  const sorted = values.sort((a, b) => sign * (baseOf(a) - baseOf(b)));
  const unique =
    sorted.length > 1 && baseOf(sorted[0] as OptionValue) !== baseOf(sorted[1] as OptionValue);
  return alike && unique ? sorted : null;
}

function baseOf({ value }: OptionValue): number {
  return value.quantity?.base ?? 0;
}
