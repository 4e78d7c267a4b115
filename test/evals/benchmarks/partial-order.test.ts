import fc from "fast-check";
import { expect, test } from "vitest";
import {
  countOrders,
  type PartialOrder,
  partialPositions,
  respects,
  unusablePairs,
  withImplied,
  withoutImplied,
} from "../../../evals/benchmarks/partial-order.ts";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { scoreExtraction } from "../../../evals/benchmarks/score-reply.ts";
import type { ScoredReply } from "../../../evals/benchmarks/scored-reply.ts";
import { vcrbench } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import { stepOrder } from "../../../evals/datasets/build-vcrbench/swaps.ts";
import { chanceOf } from "../../../evals/score/chance.ts";

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) =>
    permutations(items.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  );
}

const clipsTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

/** A right order of 2 to 6 clips, a partial order that it respects, and an answer. */
const cases = fc.integer({ min: 2, max: 6 }).chain((n) => {
  const clips = clipsTo(n);
  const order = fc.shuffledSubarray(clips, { minLength: n, maxLength: n });
  return fc.record({
    right: order,
    answer: order,
    kept: fc.array(fc.boolean(), { minLength: (n * (n - 1)) / 2, maxLength: (n * (n - 1)) / 2 }),
  });
});
const pairsOf = (right: readonly number[], kept: readonly boolean[]) =>
  right
    .flatMap((a, place) => right.slice(place + 1).map((b): [number, number] => [a, b]))
    .filter((_, index) => kept[index]);
const equalPlaces = (a: readonly number[], b: readonly number[]) =>
  a.map((clip, place) => clip === b[place]);
const count = (places: readonly boolean[]) => places.filter(Boolean).length;

test("positions are those of the best of all right orders, found by trying every permutation", () => {
  fc.assert(
    fc.property(cases, ({ right, answer, kept }) => {
      const pairs = pairsOf(right, kept);
      const orders = permutations(clipsTo(right.length)).filter((one) => respects(one, pairs));
      const matches = orders.map((one) => equalPlaces(answer, one));
      const most = Math.max(...matches.map(count));
      const best = matches.filter((one) => count(one) === most);
      const earliest = best
        .map((one) => one.map(Number).join(""))
        .toSorted()
        .at(-1);
      const found = partialPositions(answer, pairs);
      expect(found.map(Number).join("")).toBe(earliest);
      expect(found.every(Boolean)).toBe(respects(answer, pairs));
      expect(countOrders(right, pairs)).toBe(orders.length);
      expect(unusablePairs(pairs, right)).toBeNull();
      expect(partialPositions(answer, withoutImplied(pairs, right))).toEqual(found);
      expect(partialPositions(answer, withImplied(pairs, right))).toEqual(found);
    }),
    { numRuns: 60 },
  );
});

test("a total order gives the ordinary positions", () => {
  fc.assert(
    fc.property(cases, ({ right, answer }) => {
      const chain = right
        .slice(1)
        .map((clip, place): [number, number] => [right[place] ?? 0, clip]);
      expect(partialPositions(answer, chain)).toEqual(equalPlaces(answer, right));
      expect(countOrders(right, chain)).toBe(1);
    }),
  );
});

test("long procedures are scored in milliseconds: groups, free steps, parallel sequences", () => {
  const n = 60;
  const clips = clipsTo(n);
  const groups: PartialOrder = clips.flatMap((a) =>
    clips.filter((b) => Math.ceil(a / 5) < Math.ceil(b / 5)).map((b): [number, number] => [a, b]),
  );
  const tracks: PartialOrder = clips.slice(0, -3).map((a) => [a, a + 3]);
  const one: PartialOrder = [[1, 2]];
  const began = performance.now();
  for (const pairs of [groups, tracks, one, []]) expect(unusablePairs(pairs, clips)).toBeNull();
  // Within blocks of five, every order is right; the first two blocks are swapped.
  const swapped = [...clips.slice(5, 10), ...clips.slice(0, 5), ...clips.slice(10).reverse()];
  expect(count(partialPositions(swapped, groups))).toBe(0);
  expect(
    count(partialPositions([...clips.slice(0, 10).reverse(), ...clips.slice(10)], groups)),
  ).toBe(50);
  expect(count(partialPositions([2, 1, ...clips.slice(2)], one))).toBe(58);
  expect(count(partialPositions([...clips].reverse(), []))).toBe(60);
  // One sequence after the other is an interleaving of the three.
  const after = [1, 2, 3].flatMap((from) => clips.filter((clip) => clip % 3 === from % 3));
  expect(count(partialPositions(after, tracks))).toBe(60);
  expect(performance.now() - began).toBeLessThan(3000);
});

test("pairs that cannot be used are refused with the reason", () => {
  expect(unusablePairs([[1, 1]], [1, 2])).toContain("two of the clips");
  expect(unusablePairs([[1, 3]], [1, 2])).toContain("two of the clips");
  expect(
    unusablePairs(
      [
        [1, 2],
        [2, 1],
      ],
      [1, 2],
    ),
  ).toContain("contradicts");
  const pairs = clipsTo(40).map((pair): [number, number] => [pair, pair + 40]);
  expect(unusablePairs(pairs, clipsTo(80))).toContain("too many steps");
});

const sample: Sample = {
  id: "1",
  video: "v.mp4",
  hasVideo: true,
  question: "",
  task: "order",
  goal: "tea",
  options: [],
  answer: [3, 1, 2, 4],
  // 3 and 1 may swap.
  partial_order: [
    [3, 2],
    [1, 2],
    [2, 4],
  ],
  row: {},
};
const scored = (answer: number[]): ScoredReply => {
  const extraction = { answer, how: "test" };
  return { sample, extraction, score: scoreExtraction(vcrbench, extraction, sample, "sound") };
};

test("VCRBench scores a swap as right, except in the released scores", () => {
  const swap = scored([1, 3, 2, 4]);
  expect(swap.score.value).toBe(1);
  expect(swap.score.explanation).toContain("3 is before 2, 1 is before 2, 2 is before 4");
  expect(vcrbench.positions?.(swap)).toEqual([true, true, true, true]);
  expect(vcrbench.official([swap])).toMatchObject({ avg_accuracy: 0, avg_step_accuracy: 50 });
  expect(vcrbench.measures([swap])).toMatchObject({ kendall_tau: 1 });
  expect(chanceOf(sample)).toBe(2 / 24);
  const wrong = scored([1, 3, 4, 2]);
  expect(wrong.score.value).toBe(0);
  expect(vcrbench.positions?.(wrong)).toEqual([true, true, false, false]);
  // Of the five fixed pairs, only 2 before 4 is missed.
  expect(vcrbench.measures([wrong])).toMatchObject({ kendall_tau: expect.closeTo(3 / 5) });
  expect(vcrbench.positions?.(scored([1, 3]))).toEqual([false, false, false, false]);
});

test("rules by name become pairs of places; steps around a fixed one cannot swap", () => {
  const rules = { any_order: [["salt", "oil", "pepper"]], before: [] };
  expect(stepOrder(["salt", "oil", "fry"], rules)).toEqual({
    pairs: [
      [0, 2],
      [1, 2],
    ],
    blocked: [],
  });
  expect(stepOrder(["salt", "fry", "oil", "pepper"], rules)).toEqual({
    pairs: [
      [0, 1],
      [1, 2],
      [1, 3],
    ],
    blocked: [
      ["salt", "oil"],
      ["salt", "pepper"],
    ],
  });
  expect(stepOrder(["fry", "serve"], rules)).toEqual({ pairs: null, blocked: [] });
  const kept = { ...rules, before: [["salt", "oil"]] as [string, string][] };
  expect(stepOrder(["salt", "oil", "pepper"], kept)).toEqual({ pairs: [[0, 1]], blocked: [] });
  expect(stepOrder(["oil", "salt", "pepper"], kept)).toEqual({ contradicted: ["salt", "oil"] });
});
