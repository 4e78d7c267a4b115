import type { Option } from "../../../src/core/shapes.ts";
import { markedLetter } from "./option-list.ts";
import { simplified } from "./read-choice.ts";

/* The answer of a reply on a line of its own, before an explanation or remarks. */

const LETTER = /^[([{"'$]*([A-Z])[)\]}"'$]*[.!。]?$/;
/** The line after one that is not the answer. */
const REJECTED =
  /^(?:this|that|it|which|but|however|no)\b.*\b(?:not (?:supported|correct|right|shown|mentioned|true|accurate|the answer)|incorrect|wrong|unlikely)\b/i;

/** Any later line that takes the answer back. */
const UNDECIDED =
  /\b(?:cannot|can['’]t|could not|couldn['’]t|unable to|(?:not possible|impossible) to) (?:\w+ )?(?:determine|tell|say|answer|decide|choose)\b|\banswer (?:is|remains) (?:not|unclear|unknown)\b|\bneither [A-Z] nor\b/i;

/** The letter of the only line that consists of a letter; undefined if several lines name different ones, as headings. */
export function loneLetter(lines: readonly string[]): string | undefined {
  return only(
    lines.flatMap((line, place) => {
      const letter = LETTER.exec(line)?.[1];
      return letter === undefined ? [] : [{ letter, place }];
    }),
    lines,
  );
}

/** The letter of the only line that has the mark and the words of an option; undefined if a line begins with another mark. */
export function loneOption(
  lines: readonly string[],
  options: readonly Option[],
): string | undefined {
  const marked = lines.flatMap((line, place) => {
    const option = options.find(({ letter }) => letter === markedLetter(line));
    return option === undefined ? [] : [{ ...option, line, place }];
  });
  // With a bullet it may be the first item of a list.
  const isStated = marked.some(
    ({ line }) => !/^[-•>#\d]/.test(line) && statesOption(line, options),
  );
  return isStated ? only(marked, lines) : undefined;
}

/** Whether a line is the mark and the words of an option, and no more. */
export function statesOption(line: string, options: readonly Option[]): boolean {
  const option = options.find(({ letter }) => letter === markedLetter(line));
  return (
    option !== undefined &&
    simplified(line) === `${option.letter.toLowerCase()} ${simplified(option.text)}`
  );
}

function only(
  found: readonly { letter: string; place: number }[],
  lines: readonly string[],
): string | undefined {
  const letters = new Set(found.map(({ letter }) => letter));
  const isRejected = found.some(({ place }) => REJECTED.test(lines[place + 1] ?? ""));
  const after = lines.slice((found.at(-1)?.place ?? 0) + 1);
  const isUndecided = after.some((line) => UNDECIDED.test(line));
  return letters.size === 1 && !isRejected && !isUndecided ? found[0]?.letter : undefined;
}
