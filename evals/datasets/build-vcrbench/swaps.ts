import { withImplied, withoutImplied } from "../../benchmarks/partial-order.ts";

/** Which steps may swap, by their names. */
export interface SwapRules {
  /** Groups of steps that may be done in any order. */
  any_order: string[][];
  /** Steps of a group whose order is fixed nevertheless: [earlier, later]. */
  before: [string, string][];
}

/** The partial order of the steps of a video. */
export interface StepOrder {
  /** Pairs [earlier, later] of places in the video, from 0, without those that follow from others; null: no steps may swap. */
  pairs: [number, number][] | null;
  /** Steps of a group that cannot swap, because a step outside of the group is between them. */
  blocked: [string, string][];
}

/**
 * The partial order of steps that a video shows in the order of `names`: each step is before all later ones, except those
 * of its groups; and the pairs of `before`. Returns the pair of `before` that the video shows in the other order, if there
 * is one.
 */
export function stepOrder(
  names: readonly string[],
  { any_order, before }: SwapRules,
): StepOrder | { contradicted: [string, string] } {
  const at = (name: string) => names.indexOf(name);
  const contradicted = before.find(
    ([earlier, later]) => at(earlier) >= 0 && at(later) >= 0 && at(earlier) > at(later),
  );
  if (contradicted !== undefined) return { contradicted };
  const places = names.map((_, place) => place);
  const all = places.flatMap((place) =>
    places.slice(place + 1).map((later): [number, number] => [place, later]),
  );
  const named = ([a, b]: [number, number]) => [names[a], names[b]] as [string, string];
  const groupsOf = (pair: [number, number]) =>
    any_order.filter((group) => named(pair).every((name) => group.includes(name)));
  const isStated = (pair: [number, number]) =>
    before.some((one) => String(one) === String(named(pair)));
  const fixed = all.filter((pair) => isStated(pair) || groupsOf(pair).length === 0);
  const follows = (pair: [number, number], from: [number, number][]) =>
    withImplied(from, places).some((one) => String(one) === String(pair));
  const open = all.filter((pair) => !fixed.includes(pair));
  const unable = open.filter((pair) => follows(pair, fixed));
  const blocked = unable.filter((pair) =>
    groupsOf(pair).every(
      (group) =>
        !follows(
          pair,
          fixed.filter((one) => named(one).every((name) => group.includes(name))),
        ),
    ),
  );
  return {
    pairs: unable.length === open.length ? null : withoutImplied(fixed, places),
    blocked: blocked.map(named),
  };
}
