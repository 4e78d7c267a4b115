import type { Evidence } from "../../../src/core/shapes.ts";
import { partsOfTexts, pick } from "../change-items.ts";
import { definePerturbation, type PerturbationContext } from "../define-perturbation.ts";
import { nounSpans } from "../words.ts";

/** Objects for runs whose other captions name too few. */
const COMMON = [
  "bottle",
  "chair",
  "dog",
  "knife",
  "ladder",
  "lamp",
  "rope",
  "table",
  "towel",
  "van",
];

const vocabularies = new WeakMap<readonly Evidence[], string[]>();

export const swapObjects = definePerturbation({
  name: "swap-objects",
  summary: "replaces nouns of captions by nouns of other videos' captions",
  unit: "nouns",
  ...partsOfTexts(
    ({ kind }) => kind === "caption",
    nounSpans,
    (word, random, context) => {
      const others = nounsOf(context).filter((noun) => noun !== word.toLowerCase());
      const noun = pick(others, random) ?? word;
      return /^\p{Lu}/u.test(word) ? noun.charAt(0).toUpperCase() + noun.slice(1) : noun;
    },
  ),
});

function nounsOf({ others }: PerturbationContext): string[] {
  const known = vocabularies.get(others);
  if (known !== undefined) return known;
  const nouns = others.flatMap(({ kind, text }) =>
    kind === "caption"
      ? nounSpans(text).map(({ start, end }) => text.slice(start, end).toLowerCase())
      : [],
  );
  const vocabulary = [...new Set([...nouns, ...COMMON])].sort();
  vocabularies.set(others, vocabulary);
  return vocabulary;
}
