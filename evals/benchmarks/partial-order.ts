import { isOrder } from "../../graphs/replies/order/clip-lists.ts";

/*
 * Orders of which only a part is fixed: some steps may swap. A partial order is a list of pairs [earlier, later] of clip
 * numbers, and every order that respects all pairs is right.
 *
 * The searches below place one clip after the other. Clips with the same clips before and after them are interchangeable,
 * so a state counts how many of such a class were placed instead of which ones; and classes that follow each other form a
 * track, of which a state holds one number. A total order of n clips, or groups of clips in any order one after the other,
 * need n + 1 states; two sequences in parallel need about n * n / 4.
 */

/** Pairs [earlier, later] of clip numbers, counted from 1. */
export type PartialOrder = readonly (readonly [number, number])[];

/** Most states of a search; a partial order that needs more is refused when it is read. */
const MOST_STATES = 100_000;
const MOST_STEPS = 100;

/**
 * Why pairs cannot be used as the partial order of a right answer, as a clause: a pair that names no two clips, pairs that
 * the answer itself does not respect, or more open orders than can be searched. Null if they can be used.
 */
export function unusablePairs(pairs: PartialOrder, answer: readonly number[]): string | null {
  if (!pairs.every((pair) => pair[0] !== pair[1] && pair.every((clip) => answer.includes(clip))))
    return "a pair does not name two of the clips";
  if (!respects(answer, pairs)) return "the right order contradicts a pair";
  if (answer.length > MOST_STEPS) return `more than ${MOST_STEPS} steps`;
  return isSearchable(searchOf(pairs, answer)) ? null : "too many steps that may swap freely";
}

/** Whether each pair's earlier clip is before its later clip. */
export function respects(order: readonly number[], pairs: PartialOrder): boolean {
  return pairs.every(([earlier, later]) => order.indexOf(earlier) < order.indexOf(later));
}

/**
 * Which positions of an answer are right under a partial order: those at which it equals one right order, namely the
 * right order with the most equal positions (of several, the one that is equal earliest). All are right exactly if the
 * answer respects the partial order. With a total order, these are the positions of the ordinary step accuracy.
 * All false if the answer is not an order of the clips.
 *
 * @example
 * // 1 and 2 may swap, 3 is last: the best match of 2, 3, 1 is 2, 1, 3.
 * partialPositions([2, 3, 1], [[1, 3], [2, 3]]); // [true, false, false]
 */
export function partialPositions(answer: readonly number[], pairs: PartialOrder): boolean[] {
  if (!isOrder([...answer], answer.length)) return answer.map(() => false);
  const { classOf, steps } = searchOf(pairs, answer);
  const classAt = answer.map((clip) => classOf.get(clip));
  const best = memoised((state, placed) =>
    steps(state).reduce((most, step) => Math.max(most, worth(step, placed)), 0),
  );
  const worth = ({ taken, next }: Step, placed: number): number =>
    Number(taken === classAt[placed]) + best(next, placed + 1);
  let states = [START];
  return answer.map((_, placed) => {
    const optimal = states.flatMap((state) =>
      steps(state).filter((step) => worth(step, placed) === best(state, placed)),
    );
    const equal = optimal.filter(({ taken }) => taken === classAt[placed]);
    const chosen = equal.length > 0 ? equal : optimal;
    states = [...new Set(chosen.map(({ next }) => next))];
    return equal.length > 0;
  });
}

/** How many orders of the clips respect a partial order. */
export function countOrders(clips: readonly number[], pairs: PartialOrder): number {
  const { classes, steps } = searchOf(pairs, clips);
  const count = memoised((state, placed) =>
    placed === clips.length
      ? 1
      : steps(state).reduce((sum, { next }) => sum + count(next, placed + 1), 0),
  );
  return classes.reduce((product, { size }) => product * factorial(size), count(START, 0));
}

/** The pairs with those that follow from them: of 1 before 2 and 2 before 3 also 1 before 3. */
export function withImplied(pairs: PartialOrder, clips: readonly number[]): [number, number][] {
  return [...closure(pairs, clips)].flatMap(([earlier, after]) =>
    [...after].map((later): [number, number] => [earlier, later]),
  );
}

/** The pairs without those that follow from others. */
export function withoutImplied(pairs: PartialOrder, clips: readonly number[]): [number, number][] {
  const after = closure(pairs, clips);
  return withImplied(pairs, clips).filter(
    ([earlier, later]) =>
      ![...(after.get(earlier) ?? [])].some((mid) => after.get(mid)?.has(later)),
  );
}

export function factorial(n: number): number {
  let product = 1;
  for (let factor = 2; factor <= n; factor++) product *= factor;
  return product;
}

/** How many clips were placed in each track, as the digits of a number. */
type State = number;
const START: State = 0;

/** The next clip is one of a class. */
interface Step {
  taken: number;
  next: State;
}

interface Search {
  /** Clip -> index of its class. */
  classOf: ReadonlyMap<number, number>;
  classes: readonly { size: number }[];
  /** The possible next clips; empty when all are placed. */
  steps(state: State): Step[];
}

/** Classes that follow each other; `slots` has the class of the first clip placed in it, of the second, and so on. */
interface Track {
  slots: number[];
  /** Value of one clip of this track in a state. */
  weight: number;
}

function searchOf(pairs: PartialOrder, clips: readonly number[]): Search {
  const after = closure(pairs, clips);
  const isBefore = (a: number, b: number) => after.get(a)?.has(b) ?? false;
  const relation = (clip: number) =>
    clips.map((other) => Number(isBefore(clip, other)) - Number(isBefore(other, clip))).join();
  const classes = [...Map.groupBy(clips, relation).values()].map((members) => {
    const clip = members[0] as number;
    const earlier = clips.filter((other) => isBefore(other, clip));
    return { clip, members, size: members.length, earlier: earlier.length };
  });
  const tracks: Track[] = [];
  const inOrder = [...classes.entries()].sort(([, a], [, b]) => a.earlier - b.earlier);
  for (const [index, { clip, size }] of inOrder) {
    const follows = ({ slots }: Track) =>
      isBefore(classes[slots.at(-1) as number]?.clip as number, clip);
    const found = tracks.find(follows);
    const track = found ?? { slots: [], weight: 1 };
    if (found === undefined) tracks.push(track);
    for (let count = 0; count < size; count++) track.slots.push(index);
  }
  let weight = 1;
  for (const track of tracks) {
    track.weight = weight;
    weight *= track.slots.length + 1;
  }
  const placedIn = ({ slots, weight: of }: Track, state: State) =>
    Math.floor(state / of) % (slots.length + 1);
  // Class -> how many clips of each track have to be placed before it.
  const needs = classes.map(({ clip }) =>
    tracks.map(
      ({ slots }) => slots.filter((of) => isBefore(classes[of]?.clip as number, clip)).length,
    ),
  );
  return {
    classOf: new Map(
      classes.flatMap(({ members }, index) => members.map((clip) => [clip, index] as const)),
    ),
    classes,
    steps(state) {
      const placed = tracks.map((track) => placedIn(track, state));
      return tracks.flatMap(({ slots, weight: of }, track): Step[] => {
        const taken = slots[placed[track] as number];
        if (taken === undefined) return [];
        const isOpen = needs[taken]?.every((need, other) => (placed[other] as number) >= need);
        return isOpen ? [{ taken, next: state + of }] : [];
      });
    },
  };
}

/** Whether a search visits at most `MOST_STATES` states, and their numbers are exact. */
function isSearchable({ steps }: Search): boolean {
  const seen = new Set<State>();
  let states = [START];
  while (states.length > 0) {
    states = [...new Set(states.flatMap((state) => steps(state).map(({ next }) => next)))];
    for (const state of states) seen.add(state);
    if (seen.size > MOST_STATES || states.some((state) => !Number.isSafeInteger(state)))
      return false;
  }
  return true;
}

/** Every clip -> the clips after it, with what follows from the pairs. */
function closure(
  pairs: PartialOrder,
  clips: readonly number[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const after = new Map(clips.map((clip) => [clip, new Set<number>()]));
  for (const [earlier, later] of pairs) after.get(earlier)?.add(later);
  for (const mid of clips)
    for (const clip of clips)
      if (after.get(clip)?.has(mid))
        for (const later of after.get(mid) ?? []) after.get(clip)?.add(later);
  return after;
}

/** A value of a state in which so many clips are placed, computed once. */
function memoised(compute: (state: State, placed: number) => number): typeof compute {
  const known = new Map<State, number>();
  return (state, placed) => {
    const found = known.get(state) ?? compute(state, placed);
    known.set(state, found);
    return found;
  };
}
