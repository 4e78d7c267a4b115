import { describe, expect, test } from "vitest";
import { compareRuns, mcnemar, signFlip } from "../../evals/paired-statistics.ts";
import { clusterBootstrap, clusteredMean } from "../../evals/statistics.ts";
import { drawItems, drawPairs, shareOf, type World } from "../evals/simulation.ts";

/* The same simulations as in the unit tests, long enough that the bands are narrow, over worlds like the benchmarks. */

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

  test("the mean's interval covers 95 %", () => {
    const covered = shareOf(6000, (seed) =>
      truth(clusteredMean(drawItems(world, seed)), world.accuracy),
    );
    expect(covered).toBeGreaterThan(0.94);
    expect(covered).toBeLessThan(0.965);
  });

  test("the bootstrap covers 95 %, or a little less where the videos are few", () => {
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
    const covered = shareOf(1000, (seed) =>
      truth(compareRuns(drawPairs(paired, seed), { seed: Number(seed), draws: 1000 }), 0.1),
    );
    expect(covered).toBeGreaterThan(world.videos < 20 ? 0.88 : 0.925);
    expect(covered).toBeLessThan(0.97);
  });

  test("the sign-flip test rejects at most 5 %, and not far below", () => {
    const rejected = shareOf(
      4000,
      (seed) => signFlip(drawPairs(world, seed), { seed: Number(seed), draws: 1000 }).p <= 0.05,
    );
    expect(rejected).toBeGreaterThan(world.videos < 20 ? 0.015 : 0.033);
    expect(rejected).toBeLessThan(0.058);
  });
});

test("McNemar rejects at most 5 %, and mid-p nearer to it", () => {
  const world: World = { videos: 365, questions: [1, 1], accuracy: 0.3, spread: 0 };
  const p = Array.from({ length: 6000 }, (_, seed) => mcnemar(drawPairs(world, String(seed))));
  const share = (of: (one: (typeof p)[number]) => number) =>
    p.filter((one) => of(one) <= 0.05).length / p.length;
  expect(share((one) => one.p)).toBeLessThan(0.05);
  expect(share((one) => one.midP)).toBeGreaterThan(share((one) => one.p));
  expect(share((one) => one.midP)).toBeLessThan(0.058);
});
