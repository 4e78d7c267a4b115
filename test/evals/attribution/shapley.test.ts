import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OutcomeTable } from "../../../evals/attribution/outcome-table.ts";
import { attributeToStages } from "../../../evals/attribution/shapley.ts";
import { stageCoverage } from "./stage-coverage.ts";
import { drawTable, independentErrors, trueAccuracies, trueValue, type World } from "./worlds.ts";

const QUICK = { seed: 1, draws: 20 };

/** Scores of 0, 0.5 and 1 of `k` stages on a few videos. */
const tables = (k: number, samples = 8): fc.Arbitrary<OutcomeTable> =>
  fc
    .record({
      arms: fc.array(
        fc.array(fc.constantFrom(0, 0.5, 1), { minLength: samples, maxLength: samples }),
        {
          minLength: 2 ** k,
          maxLength: 2 ** k,
        },
      ),
      clusters: fc.array(fc.constantFrom("a", "b", "c"), {
        minLength: samples,
        maxLength: samples,
      }),
    })
    .map(({ arms, clusters }) => ({
      stages: ["captions", "text", "speech", "evidence"].slice(0, k),
      samples: clusters.map((_, at) => String(at)),
      clusters,
      arms,
    }));
const anyTable = fc.integer({ min: 1, max: 4 }).chain((k) => tables(k));
const valuesOf = (table: OutcomeTable) =>
  attributeToStages(table, QUICK).stages.map(({ value }) => value.mean);

describe("Shapley values", () => {
  test("by hand: two stages that both fail share what only both together put right", () => {
    // v: 0.25, with a 0.5, with b 0.25, with both 1.
    const found = attributeToStages(
      {
        stages: ["a", "b"],
        samples: ["1", "2", "3", "4"],
        clusters: ["v", "v", "w", "x"],
        arms: [
          [1, 0, 0, 0],
          [1, 1, 0, 0],
          [1, 0, 0, 0],
          [1, 1, 1, 1],
        ],
      },
      QUICK,
    );
    expect(found.stages.map(({ value, solo, last }) => [value.mean, solo.mean, last.mean])).toEqual(
      [
        [0.5, 0.25, 0.75],
        [0.25, 0, 0.5],
      ],
    );
    expect(found.interactions).toEqual([
      { stages: ["a", "b"], value: { mean: 0.5, low: null, high: null } },
    ]);
    expect(found).toMatchObject({ clusters: 3, n_too_small: true, gained: { mean: 0.75 } });
    expect(found.not_attributed.mean).toBe(0);
  });

  test("a stage whose gold does harm has a negative value", () => {
    const arms = [
      [1, 1],
      [0, 1],
    ];
    const table = { stages: ["a"], samples: ["1", "2"], clusters: ["v", "w"], arms };
    expect(valuesOf(table)).toEqual([-0.5]);
  });

  test("they sum to v(all) - v({}), which the rest completes to 1", () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const { stages, gained, combinations, not_attributed } = attributeToStages(table, QUICK);
        const sum = stages.reduce((total, { value }) => total + value.mean, 0);
        expect(sum).toBeCloseTo(gained.mean, 12);
        expect((combinations[0]?.accuracy.mean ?? 0) + sum + not_attributed.mean).toBeCloseTo(
          1,
          12,
        );
      }),
    );
  });

  test("stages that change the same have equal values, and one that changes nothing has none", () => {
    fc.assert(
      fc.property(tables(3), ({ arms, ...table }) => {
        const swapped = arms.map((_, mask) => (mask & 4) | ((mask & 1) << 1) | ((mask & 2) >> 1));
        const symmetric = arms.map((scores, mask) =>
          (swapped[mask] as number) < mask ? (arms[swapped[mask] as number] as number[]) : scores,
        );
        const [a, b] = valuesOf({ ...table, arms: symmetric });
        expect(a).toBeCloseTo(b as number, 12);
        const dummy = arms.map((_, mask) => arms[mask & ~2] as number[]);
        const without = [0, 1, 4, 5].map((mask) => arms[mask] as number[]);
        const [first, none, third] = valuesOf({ ...table, arms: dummy });
        expect(none).toBeCloseTo(0, 12);
        const rest = valuesOf({ ...table, stages: ["captions", "speech"], arms: without });
        expect(first).toBeCloseTo(rest[0] as number, 12);
        expect(third).toBeCloseTo(rest[1] as number, 12);
      }),
    );
  });

  test("they are linear in the scores", () => {
    const weight = fc.constantFrom(0, 0.25, 0.5, 1);
    fc.assert(
      fc.property(tables(3), tables(3), weight, (one, other, share) => {
        const mixed = one.arms.map((scores, mask) =>
          scores.map((score, at) => share * score + (1 - share) * (other.arms[mask]?.[at] ?? 0)),
        );
        const [a, b] = [valuesOf(one), valuesOf(other)];
        for (const [at, value] of valuesOf({ ...one, arms: mixed }).entries())
          expect(value).toBeCloseTo(share * (a[at] ?? 0) + (1 - share) * (b[at] ?? 0), 12);
      }),
    );
  });

  test("neither the order of the samples, nor names of clusters, nor the order of the stages matters", () => {
    fc.assert(
      fc.property(tables(2, 60), ({ stages, samples, arms }) => {
        const clusters = samples.map((_, at) => `v${at % 25}`);
        const found = attributeToStages({ stages, samples, clusters, arms }, QUICK);
        const turned = attributeToStages(
          {
            stages: stages.toReversed(),
            samples: samples.toReversed(),
            clusters: clusters.map((name) => `w ${name}`).reverse(),
            arms: [0, 2, 1, 3].map((mask) => (arms[mask] as number[]).toReversed()),
          },
          QUICK,
        );
        for (const [at, { value, solo, last }] of found.stages.entries()) {
          const same = turned.stages[1 - at];
          for (const [a, b] of [
            [value, same?.value],
            [solo, same?.solo],
            [last, same?.last],
          ] as const) {
            expect(a.mean).toBeCloseTo(b?.mean ?? 9, 10);
            expect(a.low).toBeCloseTo(b?.low ?? 9, 10);
            expect(a.high).toBeCloseTo(b?.high ?? 9, 10);
          }
        }
      }),
      { numRuns: 20 },
    );
  });
});

test("an incomplete table is refused, with what is missing", () => {
  const table = { stages: ["a"], samples: ["1"], clusters: ["v"], arms: [[1], [0]] };
  const refused = (change: Partial<OutcomeTable>) => () =>
    attributeToStages({ ...table, ...change }, QUICK);
  expect(refused({ arms: [[1]] })).toThrow("1 stages need 2 arms, not 1");
  expect(refused({ arms: [[1], [2]] })).toThrow("arm 1 needs a score from 0 to 1");
  expect(refused({ stages: ["a", "b", "c", "d", "e"] })).toThrow("use 1 to 4");
});

/** Failures of one stage hide those of the next: with both in error, making one right gains little. */
const WORLD: World = {
  name: "pinned",
  stages: 3,
  videos: 60,
  kinds: [
    {
      share: 0.6,
      errors: independentErrors([0.3, 0.2, 0.25]),
      right: [0.95, 0.5, 0.6, 0.2, 0.7, 0.3, 0.35, 0.1],
      questions: [1, 2, 3],
    },
    {
      share: 0.4,
      errors: independentErrors([0.6, 0.5, 0.4]),
      right: [0.7, 0.3, 0.35, 0.3, 0.4, 0.25, 0.3, 0.1],
      questions: [2, 4],
    },
  ],
  outcomes: "latent",
  alike: 0.1,
};

test("a large draw has the accuracies and values that are summed over all sets of errors", () => {
  const drawn = attributeToStages(drawTable({ ...WORLD, videos: 5000 }, "large"), {
    seed: 0,
    draws: 1,
  });
  for (const [mask, v] of trueAccuracies(WORLD).entries())
    expect(drawn.combinations[mask]?.accuracy.mean).toBeCloseTo(v, 1.4);
  for (const [at, { value }] of drawn.stages.entries())
    expect(value.mean).toBeCloseTo(trueValue(WORLD, at), 1.6);
});

test("95 % intervals cover the true values 182 to 198 times of 200, and are as wide as those that know the world", () => {
  for (const { covered, width } of stageCoverage(WORLD, 200)) {
    expect(covered).toBeGreaterThanOrEqual(182);
    expect(covered).toBeLessThanOrEqual(198);
    expect(width).toBeLessThan(1.5);
  }
});

test("values, intervals and interactions equal those of an independent script", () => {
  const worlds: World[] = [
    { ...WORLD, videos: 30 },
    { ...WORLD, name: "few", videos: 12 },
    { ...WORLD, name: "all alike", alike: 1, videos: 25 },
    {
      ...WORLD,
      name: "four",
      videos: 22,
      stages: 4,
      kinds: [
        {
          share: 1,
          errors: independentErrors([0.4, 0.2, 0.1, 0.01]),
          right: Array.from({ length: 16 }, (_, set) => 0.9 - 0.05 * set),
          questions: [1, 1, 1, 12],
        },
      ],
    },
    {
      ...WORLD,
      name: "one",
      videos: 25,
      stages: 1,
      kinds: [{ share: 1, errors: [0.9, 0.1], right: [0.3, 0.4], questions: [1, 2] }],
    },
  ];
  const drawn = worlds.map((world) => drawTable(world, "script"));
  const [first] = drawn;
  if (first !== undefined)
    drawn.push({
      ...first,
      stages: ["no effect"],
      arms: first.arms.slice(0, 1).flatMap((arm) => [arm, arm]),
    });
  const script = fileURLToPath(new URL("../../support/shapley_values.py", import.meta.url));
  const out = execFileSync("python3", ["-B", script], { input: JSON.stringify(drawn) });
  const recomputed = JSON.parse(String(out)) as Record<string, Record<string, unknown>>[];
  for (const [at, table] of drawn.entries()) {
    const { stages, interactions, gained } = attributeToStages(table, QUICK);
    const own = {
      ...Object.fromEntries(
        stages.flatMap(({ stage, value, solo, last }) => [
          [stage, value],
          [`${stage} solo`, solo],
          [`${stage} last`, last],
        ]),
      ),
      ...Object.fromEntries(interactions.map(({ stages: two, value }) => [two.join(" x "), value])),
      gained,
    };
    expect(Object.keys(own).sort()).toEqual(Object.keys(recomputed[at] ?? {}).sort());
    for (const [name, effect] of Object.entries(own))
      for (const part of ["mean", "low", "high"] as const) {
        const [a, b] = [effect[part], recomputed[at]?.[name]?.[part]];
        if (a === null) expect(b).toBeNull();
        else expect(b).toBeCloseTo(a, 6);
      }
  }
});
