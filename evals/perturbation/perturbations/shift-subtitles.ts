import { isSpoken } from "../../../src/core/evidence.ts";
import { changeItem, wholeItems } from "../change-items.ts";
import { definePerturbation } from "../define-perturbation.ts";

/** Seconds by which a cue is shifted, at least and at most. */
const LEAST_S = 5;
const MOST_S = 15;

export const shiftSubtitles = definePerturbation({
  name: "shift-subtitles",
  summary: `shifts subtitle cues by ${LEAST_S} to ${MOST_S} seconds, earlier or later`,
  unit: "cues",
  ...wholeItems(isSpoken, (item, unit, { duration_s, random }) => {
    const draw = random("unit", unit);
    const by_s = LEAST_S + draw() * (MOST_S - LEAST_S);
    const length_s = item.end_s - item.start_s;
    const latest_s = Math.max(0, duration_s - length_s);
    const later = draw() < 0.5;
    // Near the start or end of the video a cue is shifted in the other direction.
    const goesLater = later ? item.start_s + by_s <= latest_s : item.start_s - by_s < 0;
    const start_s = Math.min(latest_s, Math.max(0, item.start_s + (goesLater ? by_s : -by_s)));
    return changeItem(item, { start_s, end_s: start_s + length_s });
  }),
});
