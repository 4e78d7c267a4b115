import { partsOfTexts, pick } from "../change-items.ts";
import { definePerturbation } from "../define-perturbation.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const DIGITS = [..."0123456789"];

/** The rate is a character error rate by substitution; spaces stay, so that words keep their number. */
export const garbleText = definePerturbation({
  name: "garble-text",
  summary: "replaces characters of text and equations on screen by others of their kind",
  unit: "characters",
  ...partsOfTexts(
    ({ kind }) => kind === "text" || kind === "equation",
    (text) => {
      let start = 0;
      return [...text].flatMap((character) => {
        const span = { start, end: start + character.length };
        start = span.end;
        return /\s/.test(character) ? [] : [span];
      });
    },
    (character, random) => {
      const kind = /\d/.test(character) ? DIGITS : LETTERS;
      const other = pick(
        kind.filter((one) => one !== character.toLowerCase()),
        random,
      ) as string;
      return /\p{Lu}/u.test(character) ? other.toUpperCase() : other;
    },
  ),
});
