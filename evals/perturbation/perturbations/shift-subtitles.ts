import { isSpoken } from "../../../src/core/evidence.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { changeItem, wholeItems } from "../change-items.ts";
import { definePerturbation, type PerturbationContext } from "../define-perturbation.ts";

/** Seconds by which a cue is shifted, at least and at most. */
const LEAST_S = 5;
const MOST_S = 15;

/** Seconds by which a cue can move within the video. */
function roomOf({ start_s, end_s }: Evidence, duration_s: number) {
  return { earlier_s: start_s, later_s: duration_s - end_s };
}

/** In a short video a cue may have no room for a shift; such cues are not counted. */
function canShift(item: Evidence, { duration_s }: PerturbationContext): boolean {
  const { earlier_s, later_s } = roomOf(item, duration_s);
  return isSpoken(item) && Math.max(earlier_s, later_s) > 0;
}

export const shiftSubtitles = definePerturbation({
  name: "shift-subtitles",
  summary: `shifts subtitle cues by ${LEAST_S} to ${MOST_S} seconds, earlier or later`,
  unit: "cues",
  ...wholeItems(canShift, (item, unit, { duration_s, random }) => {
    const draw = random("unit", unit);
    const by_s = LEAST_S + draw() * (MOST_S - LEAST_S);
    const later = draw() < 0.5;
    // Near the start or end of the video a cue is shifted in the other direction.
    const { earlier_s, later_s } = roomOf(item, duration_s);
    const goesLater = earlier_s >= by_s && later_s >= by_s ? later : later_s > earlier_s;
    const shift_s = goesLater ? Math.min(by_s, later_s) : -Math.min(by_s, earlier_s);
    return changeItem(item, { start_s: item.start_s + shift_s, end_s: item.end_s + shift_s });
  }),
});
