import type { Difference } from "../statistics/paired-statistics.ts";
import { FEWEST_CLUSTERS } from "../statistics/statistics.ts";
import type { Contrast } from "./contrasts.ts";
import type { NoiseFloor } from "./noise-floor.ts";

/* Formats differences for every table. Differences are shares; they are shown in percentage points. */

/** Explains why some differences have no interval; shown above a table. */
export const FEW_CLUSTERS_NOTE = `"n too small": fewer than ${FEWEST_CLUSTERS} videos, so the interval and the detectable difference are left out; the difference and its sign-flip p are valid.`;

/** `+3.20`, `-0.50`, `0.00`. */
export function points(share: number): string {
  const text = (100 * share).toFixed(2);
  if (/^-?0\.00$/.test(text)) return "0.00";
  return share > 0 ? `+${text}` : text;
}

export function pValue(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** `-1.00 to +3.00`, or the reason why there is no interval. */
export function intervalWords(of: Difference): string {
  const { low, high } = of;
  return low !== null && high !== null ? `${points(low)} to ${points(high)}` : unknownWords(of);
}

/** Why there is neither an interval nor a detectable difference. */
function unknownWords({ identical, n_too_small }: Difference): string {
  if (identical) return "identical";
  return n_too_small ? "n too small" : "not measurable";
}

/** The detectable difference in points, without a sign; else the reason why it is left out, or a dash if it exceeds 100 points. */
export function detectableWords(of: Difference): string {
  const { detectable, n_too_small, identical, uniform } = of;
  if (detectable !== null) return (100 * detectable).toFixed(2);
  return identical || n_too_small || uniform ? unknownWords(of) : "–";
}

/** The result of the test, with the interval if there is one. */
export function verdict(contrast: Contrast): string {
  const { difference, low, p_holm, identical } = contrast;
  if (identical) return "identical: every question has the same score in both runs";
  const how = p_holm <= 0.05 ? "differs" : "no difference shown";
  const isSmall = low === null && contrast.n_too_small;
  const interval = isSmall ? "n too small for an interval" : intervalWords(contrast);
  return `${how}: ${points(difference)} points (${interval}), p ${pValue(p_holm)} after Holm`;
}

/** One sentence if the interval of a difference and its test disagree; else null. */
export function disagreement({
  low,
  high,
  p,
  p_holm,
}: Pick<Contrast, "low" | "high" | "p" | "p_holm">): string | null {
  if (low === null || high === null) return null;
  const excludes = low > 0 || high < 0;
  if (excludes && p > 0.05)
    return `The interval excludes 0, but the sign-flip test does not reject (p ${pValue(p)}): read this as no difference shown.`;
  if (!excludes && p <= 0.05)
    return `The sign-flip test rejects (p ${pValue(p)}), but the interval includes 0: read this as a borderline difference.`;
  if (excludes && p_holm > 0.05)
    return `The interval excludes 0 and is not corrected for several tests; after Holm's correction the test does not reject (p ${pValue(p_holm)}): read this as no difference shown.`;
  return null;
}

/** Why two runs have no noise floor, in one or two sentences; null if they have one. */
export function noFloorText({
  run,
  rerun,
  no_floor,
  answers_changed,
  flipped,
}: NoiseFloor): string | null {
  switch (no_floor) {
    case null:
      return null;
    case "same-run":
      return `No noise floor: ${run} and ${rerun} are the same run, not a run and its rerun.`;
    case "stored-replies":
      return `No noise floor: all replies of one of ${run} and ${rerun} came from the cache, which repeats the same answer, so it is not a rerun. Rerun with another \`--data-dir\` to measure noise.`;
    case "no-results":
      return `No noise floor: no question has the results that its score needs in both ${run} and ${rerun}.`;
    case "few-videos":
      return `No noise floor: n too small (fewer than ${FEWEST_CLUSTERS} videos).`;
    case "no-change": {
      const limits = [
        ...(answers_changed?.mean === 0 && answers_changed.high !== null
          ? [`at most ${hundredths(answers_changed.high)} % of the answers change`]
          : []),
        ...(flipped === null || flipped.high === null
          ? []
          : [`at most ${hundredths(flipped.high)} % of the questions flip`]),
      ];
      const told =
        limits.length === 0
          ? ""
          : ` The data only show an upper limit (95 % interval): ${limits.join(", and ")}.`;
      return `No noise floor: the score of no video changed between the two runs, which does not mean that there is no noise.${told}`;
    }
  }
}

/** How many results the noise floor leaves out, in one sentence; null if none. */
export function leftOutText({ left_out, results }: NoiseFloor): string | null {
  if (left_out === 0) return null;
  return `${left_out} of ${results} results are left out of the noise floor: in one of the two runs they failed, were stopped by a budget, or are missing.`;
}

/** That the two runs asked servers at different addresses, in one sentence; null if they did not. */
export function otherServerText({ other_server }: NoiseFloor): string | null {
  return other_server
    ? "The two runs asked model servers at different addresses: if these serve different models, this is more than noise."
    : null;
}

function hundredths(share: number): string {
  return (100 * share).toFixed(2);
}
