import { partsOfTexts, pick } from "../change-items.ts";
import { definePerturbation } from "../define-perturbation.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const DIGITS = [..."0123456789"];

/** Code points of a row of this length mostly belong to one script. */
const ROW = 32;

/** The other characters of its kind: digits, or letters of its script and case; none for signs, which stay. */
function othersOf(character: string): string[] {
  if (/[0-9]/.test(character)) return DIGITS.filter((one) => one !== character);
  const isCapital = /\p{Lu}/u.test(character);
  if (/\p{Script=Latin}/u.test(character))
    return LETTERS.filter((one) => one !== character.toLowerCase()).map((one) =>
      isCapital ? one.toUpperCase() : one,
    );
  const kind = [/\p{L}/u, /\p{Nd}/u].find((of) => of.test(character));
  if (kind === undefined) return [];
  const code = character.codePointAt(0) as number;
  return Array.from({ length: ROW }, (_, place) =>
    String.fromCodePoint(code - (code % ROW) + place),
  ).filter((one) => one !== character && kind.test(one) && /\p{Lu}/u.test(one) === isCapital);
}

/** The rate is an error rate of letters and digits by substitution; spaces and signs stay, so that words keep their number. */
export const garbleText = definePerturbation({
  name: "garble-text",
  summary: "replaces letters and digits of text and equations on screen by others of their kind",
  unit: "characters",
  ...partsOfTexts(
    ({ kind }) => kind === "text" || kind === "equation",
    (text) => {
      let start = 0;
      return [...text].flatMap((character) => {
        const span = { start, end: start + character.length };
        start = span.end;
        return othersOf(character).length === 0 ? [] : [span];
      });
    },
    (character, random) => pick(othersOf(character), random) as string,
  ),
});
