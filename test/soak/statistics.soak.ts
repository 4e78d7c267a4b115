import { describe, expect, test } from "vitest";
import { mcnemar, signFlip } from "../../evals/statistics/paired-statistics.ts";
import { clusterBootstrap } from "../../evals/statistics/statistics.ts";
import {
  accuracyCoverage,
  type Cell,
  drawItems,
  drawPairs,
  shareOf,
  type World,
} from "../evals/statistics/simulation.ts";

/* The simulations of the unit tests with more draws, so that the bands are narrow, on populations like the benchmarks. */

const WORLDS: [string, World][] = [
  [
    "365 videos of one question (VCRBench)",
    { videos: 365, questions: [1, 1], accuracy: 0.3, spread: 0 },
  ],
  [
    "317 videos of 1 to 7 questions (MMR-V)",
    { videos: 317, questions: [1, 7], accuracy: 0.45, spread: 0.3 },
  ],
  [
    "40 videos, very unlike each other",
    { videos: 40, questions: [1, 8], accuracy: 0.5, spread: 0.45 },
  ],
  ["12 videos", { videos: 12, questions: [2, 4], accuracy: 0.5, spread: 0.3 }],
];

describe.each(WORLDS)("%s", (_, world) => {
  const truth = (interval: { low: number | null; high: number | null }, value: number) =>
    (interval.low ?? 1) <= value && value <= (interval.high ?? 0);

  test("the bootstrap covers 95 %, or slightly less with few videos", () => {
    const covered = shareOf(1000, (seed) =>
      truth(
        clusterBootstrap(drawItems(world, seed), { seed: Number(seed), draws: 1000 }),
        world.accuracy,
      ),
    );
    expect(covered).toBeGreaterThan(world.videos < 20 ? 0.88 : 0.925);
    expect(covered).toBeLessThan(0.97);
  });

  test("the paired bootstrap covers the true difference", () => {
    const paired = { ...world, spread: Math.min(world.spread, 0.35), gain: 0.1 };
    const covered = shareOf(1000, (seed) => {
      const items = drawPairs(paired, seed).map(({ a, b, cluster }) => ({ value: b - a, cluster }));
      return truth(clusterBootstrap(items, { seed: Number(seed), draws: 1000 }), 0.1);
    });
    expect(covered).toBeGreaterThan(world.videos < 20 ? 0.88 : 0.925);
    expect(covered).toBeLessThan(0.97);
  });

  test("the sign-flip test rejects at most 5 %, and not much less", () => {
    const rejected = shareOf(
      4000,
      (seed) => signFlip(drawPairs(world, seed), { seed: Number(seed), draws: 1000 }).p <= 0.05,
    );
    expect(rejected).toBeGreaterThan(world.videos < 20 ? 0.015 : 0.033);
    expect(rejected).toBeLessThan(0.058);
  });
});

test("McNemar rejects at most 5 %, and mid-p is closer to 5 %", () => {
  const world: World = { videos: 365, questions: [1, 1], accuracy: 0.3, spread: 0 };
  const p = Array.from({ length: 6000 }, (_, seed) => mcnemar(drawPairs(world, String(seed))));
  const share = (of: (one: (typeof p)[number]) => number) =>
    p.filter((one) => of(one) <= 0.05).length / p.length;
  expect(share((one) => one.p)).toBeLessThan(0.05);
  expect(share((one) => one.midP)).toBeGreaterThan(share((one) => one.p));
  expect(share((one) => one.midP)).toBeLessThan(0.058);
});

/* Intervals of an accuracy, 4,000 draws per cell. */

const CLUSTERS = [20, 30, 50, 100, 200, 317, 400];
const CORRELATIONS = [0, 0.05, 0.1, 0.2, 0.3];
const ACCURACIES = [0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 0.95];
const LEAST = 0.925;

describe.each([
  ["skewed", "beta"],
  ["skewed", "shared"],
  ["skewed", "block"],
  ["even", "beta"],
  ["even", "shared"],
  ["one", "beta"],
] as const)("95 % intervals of an accuracy, %s sizes, %s model", (sizes, model) => {
  test.each(CLUSTERS)("%d videos: at least 92.5 percent in every cell", (clusters) => {
    const cells = CORRELATIONS.flatMap((correlation) =>
      ACCURACIES.map((accuracy): Cell => ({ clusters, correlation, accuracy, model, sizes })),
    ).map((cell) => ({ ...cell, ...accuracyCoverage(cell, 4000) }));
    const lines = cells.map(({ correlation, accuracy, coverage, width }) =>
      [correlation, accuracy, (100 * coverage).toFixed(1), (100 * width).toFixed(1)].join("\t"),
    );
    console.log(
      [
        `${clusters} videos, ${sizes} sizes, ${model}`,
        "icc\taccuracy\tcoverage %\twidth, points",
        ...lines,
      ].join("\n"),
    );
    expect(cells.filter(({ coverage }) => coverage < LEAST)).toEqual([]);
  });
});
