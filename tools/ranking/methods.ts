import { seeded, shuffle } from "../../src/core/random.ts";
import {
  type Ask,
  type AskList,
  agreement,
  cyclicTriples,
  diagnose,
  type Judgement,
  type Ranking,
  type Tally,
  tally,
  weightsOf,
} from "./judgements.ts";
import { bordaScores, kemenyOrder } from "./kemeny.ts";

/** Largest set for which the all-pairs methods ask every pair. The largest set of VCRBench has 7 items. */
export const ALL_PAIRS_LIMIT = 7;

/** One listwise call. After an unreadable reply the order is the order shown. */
export async function allAtOnce(n: number, askList: AskList): Promise<Ranking> {
  const order = await askList(identity(n), 0);
  return finish(tallyOfNone(n), order ?? identity(n), 1, {
    calls: 1,
    unread: order === null ? 1 : 0,
  });
}

/**
 * Merge sort over pairwise judgements (RRD paper, section 4). Event A is the head of the left half, an invalid answer
 * counts as A, and independent halves run concurrently.
 */
export async function mergeSort(n: number, ask: Ask): Promise<Ranking> {
  const asked = tally(n, ask);
  const { order, depth } = await sortRange(identity(n), asked);
  return finish(asked, order, depth);
}

async function sortRange(
  items: readonly number[],
  asked: Tally,
): Promise<{ order: number[]; depth: number }> {
  if (items.length < 2) return { order: [...items], depth: 0 };
  const middle = Math.floor(items.length / 2);
  const [left, right] = await Promise.all([
    sortRange(items.slice(0, middle), asked),
    sortRange(items.slice(middle), asked),
  ]);
  const order: number[] = [];
  let depth = Math.max(left.depth, right.depth);
  const [a, b] = [left.order, right.order];
  while (a.length > 0 && b.length > 0) {
    const { p, valid } = await asked.ask(a[0] as number, b[0] as number);
    depth++;
    order.push((!valid || p >= 0.5 ? a.shift() : b.shift()) as number);
  }
  return { order: [...order, ...a, ...b], depth };
}

/**
 * All pairs in both directions, concurrently, then the exact Kemeny order. Ties are broken by the Borda score, then at
 * random.
 */
export async function tournament(n: number, ask: Ask, seed: Seed): Promise<Ranking> {
  if (n > ALL_PAIRS_LIMIT) return bounded(n, ask, seed);
  const asked = tally(n, ask);
  await Promise.all(orderedPairs(n).map(([a, b]) => asked.ask(a, b)));
  const { order } = kemenyOrder(weightsOf(asked.matrix), seeded("kemeny", ...seed));
  return finish(asked, order, n < 2 ? 0 : 1);
}

/**
 * Asks each pair once, in a direction drawn with the seed, and the reverse only where it may change the result: for
 * pairs in a cycle and for neighbours in the current order, until all such pairs are asked.
 */
export async function tournamentAdaptive(n: number, ask: Ask, seed: Seed): Promise<Ranking> {
  if (n > ALL_PAIRS_LIMIT) return bounded(n, ask, seed);
  const asked = tally(n, ask);
  const draw = seeded("direction", ...seed);
  const once = orderedPairs(n)
    .filter(([a, b]) => a < b)
    .map(([a, b]): [number, number] => (draw() < 0.5 ? [a, b] : [b, a]));
  const done = new Set<number>();
  let next = once;
  let depth = 0;
  let order = identity(n);
  while (next.length > 0) {
    for (const [a, b] of next) done.add(a * n + b);
    await Promise.all(next.map(([a, b]) => asked.ask(a, b)));
    depth++;
    const weight = weightsOf(asked.matrix);
    order = kemenyOrder(weight, seeded("kemeny", ...seed)).order;
    next = doubtful(weight, order)
      .flatMap(([a, b]): [number, number][] => [
        [a, b],
        [b, a],
      ])
      .filter(([a, b]) => !done.has(a * n + b));
  }
  return finish(asked, order, depth);
}

function doubtful(weight: readonly (readonly number[])[], order: readonly number[]) {
  const pairs = new Map<string, [number, number]>();
  const add = (a: number, b: number) => pairs.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [a, b]);
  for (const [a, b, c] of cyclicTriples(weight)) {
    add(a, b);
    add(b, c);
    add(a, c);
  }
  for (const [place, item] of order.entries()) {
    const next = order[place + 1];
    if (next !== undefined) add(item, next);
  }
  return [...pairs.values()];
}

/** k listwise calls over lists shuffled with the seed, then the Kemeny order of their votes. */
export async function vote(n: number, askList: AskList, k: number, seed: Seed): Promise<Ranking> {
  const random = seeded("vote", ...seed);
  const shown = Array.from({ length: k }, () => shuffle(identity(n), random));
  const orders = await Promise.all(shown.map((list, draw) => askList(list, draw)));
  const weight = votes(
    n,
    orders.filter((order) => order !== null),
  );
  return finish(tallyOfNone(n), orderOf(weight, seed), 1, {
    calls: k,
    unread: orders.filter((item) => item === null).length,
    weight,
  });
}

/**
 * One listwise call, then its neighbours judged in both directions; the Kemeny order over both. Each pair of the list
 * counts once.
 */
export async function hybrid(n: number, askList: AskList, ask: Ask, seed: Seed): Promise<Ranking> {
  const listed = await askList(shuffle(identity(n), seeded("hybrid", ...seed)), 0);
  const first = listed ?? identity(n);
  const asked = tally(n, ask);
  const neighbours = first
    .slice(1)
    .map((item, place): [number, number] => [first[place] as number, item]);
  await Promise.all(neighbours.flatMap(([a, b]) => [asked.ask(a, b), asked.ask(b, a)]));
  const weight = weightsOf(asked.matrix);
  for (const [a, row] of votes(n, listed === null ? [] : [listed]).entries())
    for (const [b, count] of row.entries())
      (weight[a] as number[])[b] = (weight[a]?.[b] ?? 0) + count;
  return finish(asked, orderOf(weight, seed), n < 2 ? 1 : 2, {
    calls: 1 + asked.calls(),
    unread: listed === null ? 1 : 0,
    weight,
  });
}

/**
 * For more than `ALL_PAIRS_LIMIT` items: merge sort, then each item judged in both directions against the next two,
 * then exact Kemeny orders in a window of 7 that slides over the list until no item moves (at most n times).
 */
export async function bounded(n: number, ask: Ask, seed: Seed): Promise<Ranking> {
  const asked = tally(n, ask);
  const sorted = await sortRange(identity(n), asked);
  const near = sorted.order.flatMap((item, place) =>
    sorted.order.slice(place + 1, place + 3).map((other): [number, number] => [item, other]),
  );
  await Promise.all(near.flatMap(([a, b]) => [asked.ask(a, b), asked.ask(b, a)]));
  const weight = weightsOf(asked.matrix);
  let order = sorted.order;
  for (let round = 0; round < n; round++) {
    const before = order;
    for (let start = 0; start + 2 <= n; start++) order = reorderWindow(order, start, weight, seed);
    if (order.every((item, place) => item === before[place])) break;
  }
  return finish(asked, order, sorted.depth + 1);
}

function reorderWindow(
  order: readonly number[],
  start: number,
  weight: readonly (readonly number[])[],
  seed: Seed,
): number[] {
  const window = order.slice(start, start + ALL_PAIRS_LIMIT);
  const local = window.map((a) => window.map((b) => weight[a]?.[b] ?? 0));
  const found = kemenyOrder(local, seeded("window", ...seed));
  const current = agreement(local, identity(window.length));
  if (found.agreeing <= current + 1e-9) return [...order];
  const moved = found.order.map((place) => window[place] as number);
  return [...order.slice(0, start), ...moved, ...order.slice(start + window.length)];
}

/** Seed of random choices and directions. Equal seeds give equal rankings. */
export type Seed = readonly (string | number)[];

export type MethodName =
  | "all-at-once"
  | "merge-sort"
  | "tournament"
  | "tournament-adaptive"
  | "vote"
  | "hybrid";

/** Most calls that a method makes on n items, known before the first one. `exact` is true if it never makes fewer. */
export function plannedCalls(
  method: MethodName,
  n: number,
  k = 5,
): { most: number; exact: boolean } {
  const pairs = n * (n - 1);
  const many = n > ALL_PAIRS_LIMIT;
  switch (method) {
    case "all-at-once":
      return { most: 1, exact: true };
    case "vote":
      return { most: k, exact: true };
    case "hybrid":
      return { most: 1 + 2 * Math.max(0, n - 1), exact: true };
    case "merge-sort":
      return { most: mergeSortMost(n), exact: n < 3 };
    case "tournament":
      return many ? { most: boundedMost(n), exact: false } : { most: pairs, exact: true };
    case "tournament-adaptive":
      return { most: many ? boundedMost(n) : pairs, exact: n < 2 };
  }
}

function mergeSortMost(n: number): number {
  if (n < 2) return 0;
  const left = Math.floor(n / 2);
  return mergeSortMost(left) + mergeSortMost(n - left) + n - 1;
}

function boundedMost(n: number): number {
  return mergeSortMost(n) + 2 * (2 * n - 3);
}

function finish(
  asked: Tally,
  order: number[],
  depth: number,
  {
    calls = asked.calls(),
    unread = 0,
    weight = weightsOf(asked.matrix),
  }: { calls?: number; unread?: number; weight?: number[][] } = {},
): Ranking {
  return {
    order,
    matrix: asked.matrix,
    weight,
    calls,
    depth,
    diagnostics: diagnose(asked.matrix, weight, order, asked.invalid() + unread),
  };
}

function tallyOfNone(n: number): Tally {
  return tally(n, (): Promise<Judgement> => Promise.reject(new Error("No pair is asked here.")));
}

function votes(n: number, orders: readonly (readonly number[])[]): number[][] {
  const weight = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (const order of orders)
    for (const [place, a] of order.entries())
      for (const b of order.slice(place + 1))
        (weight[a] as number[])[b] = (weight[a]?.[b] ?? 0) + 1;
  return weight;
}

function orderOf(weight: readonly (readonly number[])[], seed: Seed): number[] {
  if (weight.length <= 12) return kemenyOrder(weight, seeded("kemeny", ...seed)).order;
  const scores = bordaScores(weight);
  return identity(weight.length).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

function orderedPairs(n: number): [number, number][] {
  return identity(n).flatMap((a) =>
    identity(n)
      .filter((b) => b !== a)
      .map((b): [number, number] => [a, b]),
  );
}

function identity(n: number): number[] {
  return Array.from({ length: n }, (_, index) => index);
}
