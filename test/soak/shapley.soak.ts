import { describe, expect, test } from "vitest";
import { stageCoverage } from "../evals/attribution/stage-coverage.ts";
import { independentErrors, type VideoKind, type World } from "../evals/attribution/worlds.ts";

/*
 * 95 % intervals of Shapley values on worlds whose values are enumerated: 2 to 4 stages with interactions, 20 to 300
 * videos, one or many questions a video, related or not.
 */

type Kinds = (questions: number[]) => VideoKind[];

/** Each error alone is often fatal, so that both together are little worse. */
const redundant: Kinds = (questions) => [
  { share: 1, questions, errors: independentErrors([0.35, 0.3]), right: [0.9, 0.3, 0.4, 0.15] },
];

/** Only both errors together do harm: the other stage makes up for one. */
const complementary: Kinds = (questions) => [
  { share: 1, questions, errors: [0.3, 0.2, 0.1, 0.4], right: [0.85, 0.8, 0.75, 0.1] },
];

/** Two kinds of videos, easy and hard; the third stage is of use only where the others fail. */
const mixed: Kinds = (questions) => [
  {
    share: 0.6,
    questions,
    errors: independentErrors([0.3, 0.2, 0.25]),
    right: [0.95, 0.5, 0.6, 0.2, 0.7, 0.3, 0.35, 0.1],
  },
  {
    share: 0.4,
    questions: questions.map((count) => 2 * count),
    errors: independentErrors([0.6, 0.5, 0.4]),
    right: [0.7, 0.3, 0.35, 0.3, 0.4, 0.25, 0.3, 0.1],
  },
];

/** Four stages; gold of the last one does harm. */
const harmful: Kinds = (questions) => [
  {
    share: 1,
    questions,
    errors: independentErrors([0.4, 0.3, 0.25, 0.5]),
    right: Array.from({ length: 16 }, (_, set) => {
      const [a, b, c, d] = [set & 1, (set >> 1) & 1, (set >> 2) & 1, (set >> 3) & 1];
      return 0.75 - 0.4 * a - 0.25 * b * (1 - a) - 0.2 * c * (1 - 0.5 * b) + 0.15 * d;
    }),
  },
];

/** The second and third stage seldom fail, and the last never matters. */
const rare: Kinds = (questions) => [
  {
    share: 1,
    questions,
    errors: independentErrors([0.4, 0.06, 0.03, 0.2]),
    right: Array.from({ length: 16 }, (_, set) => {
      const [a, b, c] = [set & 1, (set >> 1) & 1, (set >> 2) & 1];
      return 0.9 - 0.5 * a - 0.2 * b * (1 - a) - 0.3 * c;
    }),
  },
];

const ONE = [1];
const EVEN = [1, 2, 3, 4, 5, 6, 7];
const SKEWED = [1, 1, 1, 1, 2, 2, 3, 4, 6, 9, 14];

function worldsOf(kinds: Kinds, name: string, videos: readonly number[]): World[] {
  return videos.flatMap((count) =>
    (["independent", "latent"] as const).flatMap((outcomes) =>
      (
        [
          ["one", ONE, 0],
          ["even", EVEN, 0],
          ["even", EVEN, 0.2],
          ["skewed", SKEWED, 0.1],
        ] as const
      ).map(([sizes, questions, alike]) => {
        const of = kinds([...questions]);
        const stages = Math.log2(of[0]?.right.length ?? 1);
        return {
          name: `${name}, ${count} videos, ${sizes} sizes, ${outcomes}, alike ${alike}`,
          ...{ stages, videos: count, kinds: of, outcomes, alike },
        };
      }),
    ),
  );
}

function measured(worlds: readonly World[], draws: number) {
  const rows = worlds.flatMap((world) =>
    stageCoverage(world, draws).map((found, stage) => ({
      ...{ world: world.name, stage: stage + 1 },
      ...found,
      share: found.covered / draws,
    })),
  );
  console.log(
    rows
      .map(
        ({ world, stage, truth, covered, width }) =>
          `${world}, stage ${stage}: value ${(100 * truth).toFixed(2)} points, covered ${covered} of ${draws}, width ${width.toFixed(2)}`,
      )
      .join("\n"),
  );
  return rows;
}

describe.each([
  ["redundant", redundant],
  ["complementary", complementary],
  ["mixed", mixed],
  ["harmful", harmful],
] as const)("%s stages", (name, kinds) => {
  test("200 tables: covered 182 to 198 times, median width at most 1.5 times that of the known world", () => {
    const rows = measured(worldsOf(kinds, name, [60]), 200);
    expect(rows.filter(({ covered }) => covered < 182 || covered > 198)).toEqual([]);
    expect(rows.filter(({ width }) => width > 1.5)).toEqual([]);
  });

  test("2,000 tables of 100 and 300 videos: at least 92 % and at most 99.5 %", () => {
    const rows = measured(worldsOf(kinds, name, [100, 300]), 2000);
    expect(rows.filter(({ share }) => share < 0.92 || share > 0.995)).toEqual([]);
  });

  // An effect of 5 points changes one of 20 answers: its interval is cautious.
  test("2,000 tables of 20 videos: at least 92 %, and at most twice the width of the known world", () => {
    const rows = measured(worldsOf(kinds, name, [20]), 2000);
    expect(rows.filter(({ share, width }) => share < 0.92 || width > 2)).toEqual([]);
  });
});

test("effects that are seldom or never observed are covered too, by wider intervals", () => {
  const rows = measured(worldsOf(rare, "rare", [20, 60, 300]), 1000);
  expect(rows.filter(({ share }) => share < 0.92)).toEqual([]);
});

test("a few videos with many questions of one outcome: at least 88 %", () => {
  const worlds = [60, 200].map((videos) => ({
    ...{ name: `dominated by few, ${videos} videos`, stages: 3, videos },
    ...{ kinds: mixed(SKEWED), outcomes: "latent" as const, alike: 0.3 },
  }));
  expect(measured(worlds, 1000).filter(({ share }) => share < 0.88)).toEqual([]);
});
