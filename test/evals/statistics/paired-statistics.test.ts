import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareRuns,
  holm,
  mcnemar,
  type Pair,
  signFlip,
  smallestDetectable,
} from "../../../evals/statistics/paired-statistics.ts";
import { drawPairs, shareOf } from "./simulation.ts";

const pairs = (clusters: [number, number][][]): Pair[] =>
  clusters.flatMap((of, cluster) => of.map(([a, b]) => ({ a, b, cluster: String(cluster) })));
const bit = fc.integer({ min: 0, max: 1 });
const anyPairs = fc
  .array(fc.array(fc.tuple(bit, bit), { minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: 8,
  })
  .map(pairs);

describe("sign-flip permutation by video", () => {
  test("by hand: with all three videos better, 2 of 8 patterns reach the difference", () => {
    expect(signFlip(pairs([[[0, 1]], [[0, 1]], [[0, 1]]]), { seed: 1 })).toEqual({
      p: 0.25,
      exact: true,
    });
    expect(
      signFlip(
        pairs([
          [
            [0, 1],
            [0, 1],
          ],
          [[1, 0]],
          [[1, 1]],
        ]),
        { seed: 1 },
      ),
    ).toEqual({ p: 1, exact: true });
  });

  test("videos without a difference do not change the result", () => {
    const few: [number, number][][] = [[[0, 1]], [[0, 1]], [[0, 1]], [[0, 1]], [[1, 0]]];
    const many = [...few, ...Array.from({ length: 500 }, (): [number, number][] => [[1, 1]])];
    expect(signFlip(pairs(many), { seed: 1 })).toEqual(signFlip(pairs(few), { seed: 1 }));
  });

  test("one video with any number of questions is one sign and shows nothing", () => {
    const one = pairs([Array.from({ length: 50 }, (): [number, number] => [0, 1])]);
    expect(signFlip(one, { seed: 1 })).toEqual({ p: 1, exact: true });
  });

  test("Monte Carlo agrees with the exact test near its limit, and never returns 0", () => {
    const better = (count: number): [number, number][][] => [
      ...Array.from({ length: count }, (): [number, number][] => [[0, 1]]),
      [[1, 0]],
      [[1, 0]],
    ];
    // 12 of 14 by the binomial: 2 * (1 + 14 + 91) / 2^14.
    expect(signFlip(pairs(better(12)), { seed: 1 })).toEqual({
      p: (2 * 106) / 2 ** 14,
      exact: true,
    });
    const { p, exact } = signFlip(pairs(better(13)), { seed: 1, draws: 50_000 });
    expect(exact).toBe(false);
    expect(p).toBeCloseTo((2 * 121) / 2 ** 15, 2);
    const sure = pairs(Array.from({ length: 60 }, (): [number, number][] => [[0, 1]]));
    expect(signFlip(sure, { seed: 1, draws: 1000 }).p).toBeCloseTo(1 / 1001, 12);
  });

  test("swapping the runs changes nothing; the p-value is in (0, 1]", () => {
    fc.assert(
      fc.property(anyPairs, (all) => {
        const { p } = signFlip(all, { seed: 3 });
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(
          signFlip(
            all.map(({ a, b, cluster }) => ({ a: b, b: a, cluster })),
            { seed: 3 },
          ).p,
        ).toBe(p);
      }),
    );
  });
});

describe("comparing two runs", () => {
  test("difference, interval, test and detectable difference", () => {
    const all = drawPairs(
      { videos: 80, questions: [1, 4], accuracy: 0.4, spread: 0.2, gain: 0.25 },
      "compare",
    );
    const found = compareRuns(all, { seed: 1, draws: 2000 });
    const mean = (values: number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(found.difference).toBeCloseTo(
      mean(all.map(({ b }) => b)) - mean(all.map(({ a }) => a)),
      12,
    );
    expect(found.low).toBeGreaterThan(0);
    expect(found.high).toBeLessThan(0.5);
    expect(found.p).toBeLessThan(0.01);
    expect(found).toMatchObject({ n: all.length, clusters: 80, exact: false });
    expect(found.detectable).toBeCloseTo(2.8363 * (found.se ?? 0), 3);
    expect(compareRuns(all, { seed: 1, draws: 2000 })).toEqual(found);
  });

  test("two equal runs have no difference", () => {
    const same = pairs([
      [
        [1, 1],
        [0, 0],
      ],
      [[0, 0]],
    ]);
    expect(compareRuns(same, { seed: 1, draws: 100 })).toMatchObject({
      difference: 0,
      se: 0,
      low: null,
      high: null,
      identical: true,
      p: 1,
    });
    expect(() => compareRuns([], { seed: 1 })).toThrow("no question has a score");
  });

  test("one video gives no standard error and no detectable difference", () => {
    expect(
      compareRuns(
        pairs([
          [
            [0, 1],
            [1, 1],
          ],
        ]),
        { seed: 1, draws: 100 },
      ),
    ).toMatchObject({ se: null, detectable: null });
  });
});

/** Both p-values by Pascal's numbers as integers, as shares of 10^400. */
function exactTails(onlyA: number, onlyB: number) {
  const n = BigInt(onlyA + onlyB);
  const scale = 10n ** 400n;
  let ways = 1n;
  let atMost = 1n;
  for (let k = 1n; k <= BigInt(Math.min(onlyA, onlyB)); k++) {
    ways = (ways * (n - k + 1n)) / k;
    atMost += ways;
  }
  // A share of 10^400 has up to 400 digits: the first 20 are enough.
  const share = (count: bigint) => {
    const digits = String((count * scale) / 2n ** n);
    return Number(`${digits.slice(0, 20)}e${Math.max(0, digits.length - 20) - 400}`);
  };
  const isEven = onlyA === onlyB;
  return {
    p: Math.min(1, share(2n * atMost)),
    midP: isEven ? 1 - share(ways) / 2 : share(2n * atMost - ways),
  };
}

describe("McNemar", () => {
  const discordant = (onlyA: number, onlyB: number) =>
    pairs([
      ...Array.from({ length: onlyA }, (): [number, number][] => [[1, 0]]),
      ...Array.from({ length: onlyB }, (): [number, number][] => [[0, 1]]),
      [[1, 1]],
      [[0, 0]],
    ]);

  test("by hand, exact and mid-p", () => {
    // 1 and 8 discordant: P(X <= 1) = 10 / 512.
    expect(mcnemar(discordant(1, 8))).toEqual({
      onlyA: 1,
      onlyB: 8,
      p: expect.closeTo(20 / 512, 12),
      midP: expect.closeTo(20 / 512 - 9 / 512, 12),
    });
    expect(mcnemar(discordant(8, 1)).p).toBeCloseTo(20 / 512, 12);
    // 2 and 2: P(X = 2) = 6 / 16.
    expect(mcnemar(discordant(2, 2))).toMatchObject({ p: 1, midP: expect.closeTo(1 - 3 / 16, 12) });
    expect(mcnemar(discordant(0, 0))).toEqual({ onlyA: 0, onlyB: 0, p: 1, midP: 1 });
  });

  test.each([
    [530, 510],
    [600, 600],
    [1500, 1400],
    [40, 0],
    [100, 1200],
    [7, 6],
  ])("%i and %i discordant equal the exact tails in whole numbers", (onlyA, onlyB) => {
    const found = mcnemar(discordant(onlyA, onlyB));
    const { p, midP } = exactTails(onlyA, onlyB);
    expect(found.p / p).toBeCloseTo(1, 9);
    expect(found.midP / midP).toBeCloseTo(1, 9);
    expect(found.midP).toBeGreaterThan(0);
    expect(found.p).toBeLessThanOrEqual(1);
  });

  test("with one question per video it equals the sign-flip permutation", () => {
    fc.assert(
      fc.property(fc.nat(6), fc.nat(6), (onlyA, onlyB) => {
        const all = discordant(onlyA, onlyB);
        expect(mcnemar(all).p).toBeCloseTo(signFlip(all, { seed: 1 }).p, 10);
      }),
    );
  });

  test("refuses videos of several questions, naming one, and scores between 0 and 1", () => {
    expect(() =>
      mcnemar(
        pairs([
          [[1, 0]],
          [
            [0, 1],
            [1, 1],
          ],
        ]),
      ),
    ).toThrow("but 1 has 2: use the sign-flip");
    expect(() => mcnemar(pairs([[[0.5, 0]]]))).toThrow("needs scores of 0 or 1");
  });
});

describe("Holm", () => {
  test("by hand, in the order given", () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([
      expect.closeTo(0.03, 12),
      expect.closeTo(0.06, 12),
      expect.closeTo(0.06, 12),
      expect.closeTo(0.02, 12),
    ]);
    expect(holm([0.6, 0.9])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });

  test("is never below the p-value or Bonferroni's for the smallest, and keeps their order", () => {
    const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(chances, (p) => {
        const adjusted = holm(p);
        for (const [i, value] of p.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(value);
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, value * p.length) + 1e-12);
          for (const [j, other] of p.entries())
            if (value < other) expect(adjusted[i] ?? 1).toBeLessThanOrEqual(adjusted[j] ?? 0);
        }
      }),
    );
  });
});

test("the smallest detectable difference of many videos is 2.8 standard errors", () => {
  expect(smallestDetectable(0.01, 100_000)).toBeCloseTo(0.028016, 5);
  expect(smallestDetectable(0.01, 4)).toBeCloseTo(0.01 * (2.776445 + 0.940965), 5);
});

describe("what is left out of a difference", () => {
  const alike = (videos: number, b: number) =>
    pairs(
      Array.from({ length: videos }, (_, video): [number, number][] => [[0, video % 2 ? b : 0]]),
    );

  test("fewer than 20 videos have no interval and no detectable difference, but a test", () => {
    expect(compareRuns(alike(19, 1), { seed: 1 })).toMatchObject({
      ...{ low: null, high: null, detectable: null, n_too_small: true },
      ...{ p: 2 / 2 ** 9, exact: true, difference: 9 / 19 },
    });
    const enough = compareRuns(alike(20, 1), { seed: 1 });
    expect(enough).toMatchObject({ n_too_small: false, low: expect.any(Number) });
    expect(enough.detectable).toBeGreaterThan(0);
  });

  test("identical runs have no interval and no detectable difference", () => {
    expect(compareRuns(alike(40, 0), { seed: 1 })).toMatchObject({
      ...{ difference: 0, low: null, high: null, detectable: null, p: 1 },
      ...{ identical: true, n_too_small: false },
    });
  });

  test("equal differences have neither, since their spread is unknown", () => {
    const all = (b: number) =>
      pairs(Array.from({ length: 25 }, (): [number, number][] => [[1, b]]));
    for (const b of [0, 0.4])
      expect(compareRuns(all(b), { seed: 1 })).toMatchObject({
        ...{ low: null, high: null, detectable: null },
        ...{ uniform: true, identical: false, n_too_small: false },
      });
    expect(compareRuns(all(1), { seed: 1 })).toMatchObject({ uniform: false, identical: true });
  });

  test("a detectable difference above 100 points is null", () => {
    // One video holds nearly all questions: the standard error is near the largest there is.
    const lopsided = pairs([
      Array.from({ length: 500 }, (): [number, number] => [0, 1]),
      ...Array.from({ length: 19 }, (): [number, number][] => [[1, 0]]),
      Array.from({ length: 500 }, (): [number, number] => [1, 0]),
    ]);
    expect(compareRuns(lopsided, { seed: 1, draws: 100 }).detectable).toBeNull();
  });
});

describe("simulation", () => {
  const world = { videos: 50, questions: [1, 6] as [number, number], accuracy: 0.45, spread: 0.3 };

  test("tests at 5 % reject about 5 of 100 times without a difference", () => {
    // Scores of 0 and 1 tie often, which makes a permutation test conservative, more so with fewer videos.
    const many = { ...world, videos: 150 };
    const rejected = shareOf(
      1000,
      (seed) => signFlip(drawPairs(many, seed), { seed: 1, draws: 400 }).p <= 0.05,
    );
    expect(rejected).toBeGreaterThan(0.03);
    expect(rejected).toBeLessThan(0.07);
    const single = { ...world, questions: [1, 1] as [number, number] };
    const exact = shareOf(1500, (seed) => mcnemar(drawPairs(single, seed)).p <= 0.05);
    const mid = shareOf(1500, (seed) => mcnemar(drawPairs(single, seed)).midP <= 0.05);
    expect(exact).toBeLessThan(0.055);
    expect(mid).toBeLessThan(0.065);
    expect(mid).toBeGreaterThanOrEqual(exact);
  });

  test("paired bootstrap intervals contain the true difference", () => {
    const covered = shareOf(400, (seed) => {
      const { low, high } = compareRuns(drawPairs({ ...world, spread: 0.2, gain: 0.1 }, seed), {
        seed: 1,
        draws: 400,
      });
      return (low ?? 1) <= 0.1 && 0.1 <= (high ?? 0);
    });
    expect(covered).toBeGreaterThan(0.91);
    expect(covered).toBeLessThan(0.98);
  });

  test("a difference of the smallest detectable size is found about four times in five", () => {
    const gain = 0.15;
    const all = Array.from({ length: 300 }, (_, seed) =>
      compareRuns(drawPairs({ ...world, spread: 0.2, gain }, String(seed)), {
        seed: 1,
        draws: 200,
      }),
    );
    const detectable = all.reduce((sum, one) => sum + (one.detectable ?? 0), 0) / all.length;
    const power = all.filter((one) => one.p <= 0.05).length / all.length;
    // The world's gain stands near what its samples could show, so the power stands near 0.8.
    expect(gain / detectable).toBeGreaterThan(0.85);
    expect(gain / detectable).toBeLessThan(1.15);
    expect(power).toBeGreaterThan(0.65);
    expect(power).toBeLessThan(0.92);
  });
});
