import { makeEvidence } from "../../../src/core/evidence.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { pick } from "../change-items.ts";
import { definePerturbation } from "../define-perturbation.ts";

/** Kinds with text; frames of other videos would not belong to this video. */
const WORDS = new Set(["caption", "text", "subtitle", "speech"]);

/** At a rate of 1 there are as many distractors as items. Distractors have no clip number: an order cannot name them. */
export const addDistractors = definePerturbation({
  name: "add-distractors",
  summary: "adds texts of other videos at random times, one for each item at most",
  unit: "items of evidence",
  count: (items, { others }) =>
    others.some(({ kind }) => WORDS.has(kind))
      ? items.filter(({ kind }) => WORDS.has(kind)).length
      : 0,
  apply(items, isDamaged, { others, random, duration_s }) {
    const foreign = others.filter(({ kind }) => WORDS.has(kind));
    const own = items.filter(({ kind }) => WORDS.has(kind));
    const added = own.flatMap(({ video }, unit): Evidence[] => {
      if (!isDamaged(unit)) return [];
      const draw = random("unit", unit);
      const source = pick(foreign, draw);
      if (source === undefined) return [];
      const length_s = Math.min(duration_s, source.end_s - source.start_s);
      const start_s = draw() * (duration_s - length_s);
      const { kind, text, by } = source;
      const span = { start_s, end_s: start_s + length_s };
      return [makeEvidence({ video, kind, text, ...span, by, confidence: null, from: [] })];
    });
    return [...items, ...added];
  },
});
