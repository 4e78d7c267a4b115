import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../src/core/random.ts";
import { type Ask, agreement, cyclicTriples } from "../../tools/ranking/judgements.ts";
import { kemenyOrder } from "../../tools/ranking/kemeny.ts";
import {
  allAtOnce,
  bounded,
  hybrid,
  mergeSort,
  plannedCalls,
  tournament,
  tournamentAdaptive,
  vote,
} from "../../tools/ranking/methods.ts";

const permutation = (n: number) =>
  fc.shuffledSubarray(
    Array.from({ length: n }, (_, index) => index),
    { minLength: n, maxLength: n },
  );
const anyPermutation = fc.integer({ min: 1, max: 7 }).chain(permutation);

/** A judge that knows the order and counts its calls. */
function oracle(truth: readonly number[]): { ask: Ask; asked: [number, number][] } {
  const asked: [number, number][] = [];
  return {
    asked,
    ask: async (a, b) => {
      asked.push([a, b]);
      return { p: truth.indexOf(a) < truth.indexOf(b) ? 1 : 0, valid: true };
    },
  };
}

const listOracle = (truth: readonly number[]) => async (shown: readonly number[]) =>
  [...shown].sort((a, b) => truth.indexOf(a) - truth.indexOf(b));

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((rest) =>
    Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)]),
  );
}

test("Kemeny: the order of brute force, and its distance to the second-best", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 6 }).chain((n) =>
        fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: n, maxLength: n }), {
          minLength: n,
          maxLength: n,
        }),
      ),
      (weight) => {
        const found = kemenyOrder(weight, seeded("test"));
        const scores = permutations(weight.length)
          .map((order) => agreement(weight, order))
          .sort((a, b) => b - a);
        expect(agreement(weight, found.order)).toBeCloseTo(scores[0] as number);
        expect(found.agreeing).toBeCloseTo(scores[0] as number);
        expect(found.margin).toBeCloseTo((scores[0] as number) - (scores[1] as number));
      },
    ),
    { numRuns: 150 },
  );
});

test("Kemeny: among equal orders the better Borda score wins", () => {
  const weight = [
    [0, 3, 1],
    [1, 0, 3],
    [3, 2, 0],
  ];
  const equal = permutations(3).filter((order) => agreement(weight, order) === 8);
  expect(equal.length).toBeGreaterThan(0);
  expect(kemenyOrder(weight, seeded("test")).order[0]).toBe(2);
});

test("every method finds the order of a judge without errors, within its planned calls", async () => {
  await fc.assert(
    fc.asyncProperty(anyPermutation, fc.integer(), async (truth, seed) => {
      const n = truth.length;
      const list = listOracle(truth);
      const { ask } = oracle(truth);
      const rankings = {
        "all-at-once": await allAtOnce(n, list),
        "merge-sort": await mergeSort(n, ask),
        tournament: await tournament(n, ask, [seed]),
        "tournament-adaptive": await tournamentAdaptive(n, ask, [seed]),
        vote: await vote(n, list, 5, [seed]),
        hybrid: await hybrid(n, list, ask, [seed]),
      };
      for (const [name, ranking] of Object.entries(rankings)) {
        expect(ranking.order, name).toEqual(truth);
        const { most, exact } = plannedCalls(name as keyof typeof rankings, n);
        expect(ranking.calls, name).toBeLessThanOrEqual(most);
        if (exact) expect(ranking.calls, name).toBe(most);
        expect(ranking.diagnostics.contradictions).toBe(0);
        expect(ranking.diagnostics.cycles).toBe(0);
      }
    }),
    { numRuns: 100 },
  );
});

test("more than seven items: the planned calls are an upper bound, and a right judge is followed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 8, max: 24 }).chain(permutation), async (truth) => {
      const { ask, asked } = oracle(truth);
      const ranking = await bounded(truth.length, ask, [1]);
      expect(ranking.order).toEqual(truth);
      expect(asked.length).toBeLessThanOrEqual(plannedCalls("tournament", truth.length).most);
      expect(new Set(asked.map(String)).size).toBe(asked.length);
    }),
    { numRuns: 40 },
  );
});

test("merge sort shows the head of the left half first, asks halves at once and no pair twice", async () => {
  const { ask, asked } = oracle([3, 1, 0, 2]);
  const ranking = await mergeSort(4, ask);
  expect(asked.slice(0, 2)).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(asked[2]).toEqual([1, 3]);
  expect(ranking.order).toEqual([3, 1, 0, 2]);
  expect(ranking.depth).toBe(ranking.calls - 1);
});

test("an invalid judgement counts as A in merge sort and as nothing in a tournament", async () => {
  const unreadable: Ask = async () => ({ p: 0.5, valid: false });
  const sorted = await mergeSort(3, unreadable);
  expect(sorted.order).toEqual([0, 1, 2]);
  expect(sorted.diagnostics.invalid).toBe(sorted.calls);
  const played = await tournament(3, unreadable, [1]);
  expect(played.diagnostics).toMatchObject({ invalid: 6, margin: null, pairs_both_ways: 0 });
});

test("a judge that always chooses the first contradicts itself on every pair", async () => {
  const first: Ask = async () => ({ p: 1, valid: true });
  const { diagnostics } = await tournament(4, first, [1]);
  expect(diagnostics).toMatchObject({
    pairs_both_ways: 6,
    contradictions: 6,
    margin: 0,
    cycles: 0,
  });
});

test("three events that beat each other in a circle are one cycle, and the adaptive tournament asks their reverses", async () => {
  const circle: Ask = async (a, b) => ({ p: (b - a + 3) % 3 === 1 ? 1 : 0, valid: true });
  const ranking = await tournamentAdaptive(3, circle, [5]);
  expect(ranking.diagnostics.cycles).toBe(1);
  expect(ranking.calls).toBe(6);
  expect(
    cyclicTriples([
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ]),
  ).toEqual([[0, 1, 2]]);
});

test("log-probabilities are weights: a certain answer outvotes two uncertain ones", async () => {
  const p: Record<string, number> = {
    "0 1": 0.99,
    "1 0": 0.45,
    "0 2": 0.9,
    "2 0": 0.1,
    "1 2": 0.9,
    "2 1": 0.1,
  };
  const ranking = await tournament(
    3,
    async (a, b) => ({ p: p[`${a} ${b}`] as number, valid: true }),
    [1],
  );
  expect(ranking.order).toEqual([0, 1, 2]);
});
