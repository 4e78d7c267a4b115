import { seeded, shuffle } from "../../../src/core/random.ts";
import {
  countOrders,
  factorial,
  type PartialOrder,
  respects,
} from "../../benchmarks/partial-order.ts";
import type { AnnotatedStep, AnnotatedVideo } from "./annotated-video.ts";

/** A step as a clip: one segment, or several if the same step is annotated several times in a row. */
export interface ClipPlan {
  name: string;
  parts: { from_s: number; to_s: number }[];
}

/** Minimum length of a step after overlaps are removed; shorter ones cannot be seen. */
const SHORTEST_S = 0.4;

/**
 * The clips of a video in their right order, or the reason why it cannot be used: a step that occurs again after another one
 * has no unique position. `cut` counts steps that were shortened because the next one starts before their end.
 */
export function clipsOf({
  steps,
}: Pick<AnnotatedVideo, "steps">): { clips: ClipPlan[]; cut: number } | { unusable: string } {
  const sorted = steps.toSorted((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
  let cut = 0;
  const clips: ClipPlan[] = [];
  for (const [index, { name, start_s, end_s }] of sorted.entries()) {
    const next: AnnotatedStep | undefined = sorted[index + 1];
    const to_s = Math.min(end_s, next?.start_s ?? end_s);
    if (to_s < end_s) cut++;
    if (to_s - start_s < SHORTEST_S) return { unusable: "a step too short to be seen" };
    const last = clips.at(-1);
    if (last?.name === name) last.parts.push({ from_s: start_s, to_s });
    else clips.push({ name, parts: [{ from_s: start_s, to_s }] });
  }
  if (new Set(clips.map((clip) => clip.name)).size < clips.length)
    return { unusable: "a step that comes back after another" };
  return clips.length < 2 ? { unusable: "fewer than two different steps" } : { clips, cut };
}

/**
 * Up to `count` different arrangements of n clips, without right ones: `shown[i]` is the position, from 0, of clip
 * i + 1 in the right order. Returns fewer if there are not enough. `pairs` are the positions whose order is fixed; default:
 * only the order of the positions is right.
 */
export function arrangements(
  n: number,
  count: number,
  pairs: PartialOrder | null,
  ...seed: readonly (string | number)[]
): number[][] {
  const right = Array.from({ length: n }, (_, index) => index);
  const wrong = factorial(n) - (pairs === null ? 1 : countOrders(right, pairs));
  const wanted = Math.min(count, wrong);
  const random = seeded("arrangements", ...seed);
  const seen = new Set([right.join()]);
  // One fixed pair already makes half of all orders wrong, so few draws are rejected.
  const isRight = (shown: readonly number[]) => pairs !== null && respects(shown, pairs);
  const found: number[][] = [];
  while (found.length < wanted) {
    const shown = shuffle(right, random);
    if (seen.has(shown.join()) || isRight(shown)) continue;
    seen.add(shown.join());
    found.push(shown);
  }
  return found;
}

/** VCRBench's ground truth: the indices of the clips, from 0, in their right order. */
export function groundTruth(shown: readonly number[]): number[] {
  return shown.map((_, place) => shown.indexOf(place));
}
