import type { Evidence } from "../../../src/core/shapes.ts";
import { changeItem, pick, wholeItems } from "../change-items.ts";
import { definePerturbation, type PerturbationContext } from "../define-perturbation.ts";

/** Captions of the same video describe the same scene with other events, which is the hardest confusion. */
export const swapCaptions = definePerturbation({
  name: "swap-captions",
  summary: "gives captions the text of another caption of the same video, or else of another video",
  unit: "captions",
  count: (items, context) => swap(items).count(items, context),
  apply: (items, isDamaged, context) => swap(items).apply(items, isDamaged, context),
});

function swap(items: readonly Evidence[]) {
  const own = textsOf(items);
  return wholeItems(
    (item, { others }) =>
      item.kind === "caption" && [...own, ...textsOf(others)].some((text) => text !== item.text),
    (item, unit, context) => changeItem(item, { text: otherText(item.text, own, unit, context) }),
  );
}

function otherText(
  text: string,
  own: readonly string[],
  unit: number,
  { others, random }: PerturbationContext,
): string {
  const different = (texts: readonly string[]) => texts.filter((other) => other !== text);
  const near = different(own);
  const texts = near.length > 0 ? near : different(textsOf(others));
  return pick(texts, random("unit", unit)) ?? text;
}

function textsOf(items: readonly Evidence[]): string[] {
  return [...new Set(items.flatMap(({ kind, text }) => (kind === "caption" ? [text] : [])))];
}
