import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kendallTau } from "../../../evals/statistics/kendall-tau.ts";
import {
  clusterBootstrap,
  clusteredMean,
  type Item,
  meanShare,
  passAtK,
  quantile,
  tQuantile,
  wilson,
} from "../../../evals/statistics/statistics.ts";
import { accuracyCoverage, drawItems, shareOf } from "./simulation.ts";

const items = (clusters: number[][]): Item[] =>
  clusters.flatMap((values, cluster) =>
    values.map((value) => ({ value, cluster: String(cluster) })),
  );
const anyItems = fc
  .array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 5 }), {
    minLength: 2,
    maxLength: 12,
  })
  .map(items);

describe("mean with clustered standard error", () => {
  test("by hand: residuals summed by cluster, G/(G-1), t with G-1 degrees of freedom", () => {
    // Mean 0.5; cluster residuals 1, -0.5, -0.5; se = sqrt(1.5 * 3/2) / 6 = 0.25; t(0.975, 2) = 4.3026527.
    const mean = clusteredMean(items([[1, 1], [1, 0, 0], [0]]));
    expect(mean).toMatchObject({ mean: 0.5, n: 6, clusters: 3, method: "t" });
    expect(mean.se).toBeCloseTo(0.25, 12);
    expect(mean.low).toBeCloseTo(0.5 - 4.3026527 * 0.25, 6);
    expect(mean.high).toBeCloseTo(0.5 + 4.3026527 * 0.25, 6);
  });

  test("with one question per cluster it is the usual standard error", () => {
    const values = [0.2, 0.9, 0.4, 0.7];
    const { se } = clusteredMean(items(values.map((value) => [value])));
    const mean = 0.55;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3;
    expect(se).toBeCloseTo(Math.sqrt(variance / 4), 12);
  });

  test("one cluster has no standard error; no items is a Failure", () => {
    expect(clusteredMean(items([[1, 0, 1]]))).toEqual({
      mean: 2 / 3,
      se: null,
      low: null,
      high: null,
      n: 3,
      clusters: 1,
      effective_n: null,
      method: "none",
    });
    expect(() => clusteredMean([])).toThrow("no question has a score");
    expect(() => clusterBootstrap([], { seed: 1 })).toThrow("no question has a score");
  });

  test("neither the order of questions, nor names of clusters, nor a copy of each question changes the result", () => {
    fc.assert(
      fc.property(anyItems, (all) => {
        const { mean, se } = clusteredMean(all);
        const turned = clusteredMean(
          [...all].reverse().map((item) => ({ ...item, cluster: `v${item.cluster}` })),
        );
        expect(turned.mean).toBeCloseTo(mean, 12);
        expect(turned.se).toBeCloseTo(se ?? 0, 12);
        const doubled = clusteredMean([...all, ...all]);
        expect(doubled.mean).toBeCloseTo(mean, 12);
        expect(doubled.se).toBeCloseTo(se ?? 0, 12);
      }),
    );
  });
});

describe("mean of shares: Wilson on the effective number of questions, t on clusters minus one", () => {
  test("one question per cluster: the effective number is the number of questions for any t", () => {
    const { low, high, effective_n, method } = meanShare(items([[1], [0], [0], [1], [1]]));
    expect(method).toBe("wilson");
    expect(effective_n).toBeCloseTo(5, 12);
    // Roots of (p - 0.6)^2 = t^2 p (1 - p) / 5 with t(0.975, 4) = 2.776445.
    const t2 = 2.776445 ** 2 / 5;
    for (const bound of [low ?? 0, high ?? 0])
      expect((bound - 0.6) ** 2).toBeCloseTo(t2 * bound * (1 - bound), 6);
    expect(low).toBeLessThan(0.6);
    expect(high).toBeGreaterThan(0.6);
  });

  test("by hand: design effect from the correlation, with one cluster of correlation 1 added", () => {
    // Sizes 2, 2, 2, 2; mean 0.5; residuals 1, -1, 0, 0: se^2 = 2 * 4/3 / 64, design effect 4/3, correlation 1/3.
    // All four clusters hold both outcomes or one each: 3 hold a right one, 3 a wrong one: (3 / 3 + 1) / 4 = 1/2.
    const { effective_n } = meanShare(
      items([
        [1, 1],
        [0, 0],
        [1, 0],
        [0, 1],
      ]),
    );
    expect(effective_n).toBeCloseTo(8 / (1 + 0.5 * (2 - 1)), 12);
  });

  test("unanimous values count each cluster once, and the interval has a positive width", () => {
    const all = meanShare(items([[0, 0], [0, 0, 0], [0]]));
    expect(all.effective_n).toBeCloseTo(36 / 14, 12);
    expect(all.low).toBe(0);
    expect(all.high).toBeGreaterThan(0.5);
    const halves = meanShare(items([[0.5, 0.5], [0.5]]));
    expect(halves.low).toBeLessThan(0.5);
    expect(halves.high).toBeGreaterThan(0.5);
  });

  test("one question, or one cluster, has no interval; values outside 0 to 1 are refused", () => {
    for (const one of [items([[1]]), items([[1, 0, 1]])])
      expect(meanShare(one)).toMatchObject({ low: null, high: null, method: "none" });
    expect(() => meanShare(items([[1.5], [0]]))).toThrow(
      "Invalid score 1.5: scores are from 0 to 1.",
    );
    expect(() => meanShare([])).toThrow("no question has a score");
  });

  test("the interval contains the mean, is within 0 and 1, and mirrors when right and wrong are swapped", () => {
    fc.assert(
      fc.property(anyItems, (all) => {
        const { mean, low, high, effective_n } = meanShare(all);
        expect(low ?? -1).toBeGreaterThanOrEqual(0);
        expect(high ?? 2).toBeLessThanOrEqual(1);
        expect(low ?? 2).toBeLessThanOrEqual(mean + 1e-12);
        expect(high ?? -1).toBeGreaterThanOrEqual(mean - 1e-12);
        expect(effective_n ?? 0).toBeLessThanOrEqual(all.length + 1e-9);
        const mirrored = meanShare(all.map((item) => ({ ...item, value: 1 - item.value })));
        expect(mirrored.low).toBeCloseTo(1 - (high ?? 0), 10);
        expect(mirrored.high).toBeCloseTo(1 - (low ?? 0), 10);
      }),
    );
  });
});

test("Wilson's interval: known values, and never outside 0 and 1", () => {
  // Newcombe 1998, table I, method 3.
  const { low, high } = wilson(81, 263);
  expect(low).toBeCloseTo(0.2553, 4);
  expect(high).toBeCloseTo(0.3662, 4);
  expect(wilson(0, 20).low).toBe(0);
  expect(wilson(0, 20).high).toBeCloseTo(0.1611, 4);
  expect(wilson(1, 29).low).toBeCloseTo(0.0061, 4);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, share) => {
        const found = wilson(Math.round(share * n), n);
        expect(found.low).toBeGreaterThanOrEqual(0);
        expect(found.high).toBeLessThanOrEqual(1);
        expect(found.low).toBeLessThanOrEqual(Math.round(share * n) / n + 1e-12);
      },
    ),
  );
});

test("t quantiles", () => {
  expect(tQuantile(0.975, 1)).toBeCloseTo(12.7062, 4);
  expect(tQuantile(0.975, 4)).toBeCloseTo(2.776445, 5);
  expect(tQuantile(0.8, 2)).toBeCloseTo(1.06066, 5);
  expect(tQuantile(0.975, 316)).toBeCloseTo(1.9675, 4);
});

describe("cluster bootstrap", () => {
  test("the same seed gives the same interval, another seed nearly the same", () => {
    const all = drawItems(
      { videos: 60, questions: [1, 6], accuracy: 0.5, spread: 0.3 },
      "bootstrap",
    );
    const once = clusterBootstrap(all, { seed: 1, draws: 4000 });
    expect(clusterBootstrap(all, { seed: 1, draws: 4000 })).toEqual(once);
    const other = clusterBootstrap(all, { seed: 2, draws: 4000 });
    expect(other).not.toEqual(once);
    expect(other.low).toBeCloseTo(once.low, 1);
    const { low, high } = clusteredMean(all);
    expect(once.low).toBeCloseTo(low ?? 0, 1);
    expect(once.high).toBeCloseTo(high ?? 0, 1);
  });

  test("contains the mean and stays within the values", () => {
    fc.assert(
      fc.property(anyItems, fc.nat(), (all, seed) => {
        const { low, high } = clusterBootstrap(all, { seed, draws: 200 });
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(high);
      }),
      { numRuns: 50 },
    );
  });

  test("quantiles are between their neighbours", () => {
    expect([0, 0.25, 0.5, 1].map((p) => quantile([1, 2, 4], p))).toEqual([1, 1.5, 2, 4]);
  });
});

describe("epochs", () => {
  test("pass@k: by hand, and compared with every draw", () => {
    expect(passAtK(5, 2, 1)).toBeCloseTo(0.4, 12);
    expect(passAtK(5, 2, 2)).toBeCloseTo(1 - 3 / 10, 12);
    expect(passAtK(5, 0, 3)).toBe(0);
    expect(passAtK(5, 3, 3)).toBe(1);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.nat(7),
        fc.integer({ min: 1, max: 7 }),
        (n, c, k) => {
          fc.pre(c <= n && k <= n);
          let right = 0;
          let all = 0;
          for (let draw = 0; draw < 2 ** n; draw++) {
            const drawn = [...Array(n).keys()].filter((i) => (draw >> i) & 1);
            if (drawn.length !== k) continue;
            all++;
            if (drawn.some((i) => i < c)) right++;
          }
          expect(passAtK(n, c, k)).toBeCloseTo(right / all, 10);
        },
      ),
    );
  });

  test("k beyond the epochs is a Failure", () => {
    expect(() => passAtK(3, 1, 4)).toThrow("Invalid pass@4 with 1 of 3 epochs right");
    expect(() => passAtK(3, 1, 0)).toThrow("Invalid pass@0");
  });
});

describe("Kendall's tau", () => {
  test("by hand", () => {
    expect(kendallTau([1, 2, 3, 4], [1, 2, 3, 4])).toBe(1);
    expect(kendallTau([4, 3, 2, 1], [1, 2, 3, 4])).toBe(-1);
    expect(kendallTau([2, 1, 3, 4], [1, 2, 3, 4])).toBeCloseTo(4 / 6, 12);
    expect(kendallTau([1, 1], [1, 2])).toBe(0);
    expect(() => kendallTau([1], [1])).toThrow("both need the same length, at least 2");
  });

  test("symmetric, odd under reversal, and within -1 and 1", () => {
    const ranking = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(ranking, ranking, (a, b) => {
        const tau = kendallTau(a, b);
        expect(kendallTau(b, a)).toBe(tau);
        expect(
          kendallTau(
            a.map((value) => -value),
            b,
          ),
        ).toBeCloseTo(-tau, 12);
        expect(Math.abs(tau)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("simulation: 95 % intervals contain the true value", () => {
  const clustered = {
    videos: 60,
    questions: [1, 8] as [number, number],
    accuracy: 0.4,
    spread: 0.35,
  };

  // The whole grid with 4,000 draws a cell: `npm run soak -- statistics`.
  test.each([
    { clusters: 20, correlation: 0.3, accuracy: 0.05 },
    { clusters: 20, correlation: 0, accuracy: 0.5 },
    { clusters: 50, correlation: 0.3, accuracy: 0.05 },
    { clusters: 50, correlation: 0.3, accuracy: 0.5 },
    { clusters: 100, correlation: 0.1, accuracy: 0.95 },
    { clusters: 317, correlation: 0.3, accuracy: 0.2 },
  ])("of accuracy %j at least 92.5 % of the time", (cell) => {
    const { coverage } = accuracyCoverage({ ...cell, model: "shared", sizes: "skewed" }, 1500);
    // 1,500 draws: half a percent of standard error below the bar.
    expect(coverage).toBeGreaterThan(0.925 - 0.007);
  });

  test("while an interval for independent questions does not", () => {
    const naive = shareOf(1500, (seed) => {
      const all = drawItems(clustered, seed);
      const { low, high } = meanShare(
        all.map((item, place) => ({ ...item, cluster: String(place) })),
      );
      return (low ?? 1) <= 0.4 && 0.4 <= (high ?? 0);
    });
    expect(naive).toBeLessThan(0.92);
  });

  test("the cluster bootstrap almost does", () => {
    const covered = shareOf(400, (seed) => {
      const { low, high } = clusterBootstrap(drawItems(clustered, seed), { seed: 1, draws: 400 });
      return low <= 0.4 && 0.4 <= high;
    });
    expect(covered).toBeGreaterThan(0.91);
    expect(covered).toBeLessThan(0.98);
  });
});
