import { expect, test } from "vitest";
import {
  extremes,
  GRID,
  LIST_NOISE,
  simulate,
} from "../../../evals/ordering-simulation/simulate.ts";

test("at error 0.1, bias 1, shared 0.5 a tournament is far more exact than merge sort, the adaptive one nearly as much with fewer calls", async () => {
  const rows = await simulate({
    error: 0.1,
    bias: 1,
    shared: 0.5,
    draws: 6000,
    seed: 3,
    listNoise: LIST_NOISE,
  });
  const row = (name: string) => rows.find(({ method }) => method === name);
  const [merge, full, adaptive] = [
    row("merge-sort"),
    row("tournament"),
    row("tournament-adaptive"),
  ];
  if (!merge || !full || !adaptive) throw new Error("A method is missing.");
  expect(full.exact - merge.exact).toBeGreaterThan(9);
  expect(full.exact - adaptive.exact).toBeLessThan(2);
  expect(adaptive.calls).toBeLessThan(0.85 * full.calls);
  expect(Math.min(full.step, adaptive.step)).toBeGreaterThan(merge.step);
});

test("every pairwise method follows a judge without errors", async () => {
  const rows = await simulate({
    error: 1e-12,
    bias: 0,
    shared: 0,
    draws: 365,
    seed: 1,
    listNoise: 0,
  });
  for (const row of rows) expect(row).toMatchObject({ exact: 100, step: 100 });
});

test("equal seeds give equal rows, and impossible values of a judge are refused", async () => {
  const cell = { error: 0.2, bias: 1, shared: 0, draws: 200, seed: 7, listNoise: LIST_NOISE };
  expect(await simulate(cell)).toEqual(await simulate(cell));
  expect(await simulate({ ...cell, seed: 8 })).not.toEqual(await simulate(cell));
  for (const wrong of [{ error: 0 }, { error: 0.5 }, { shared: 1.1 }, { draws: 0.5 }])
    await expect(simulate({ ...cell, ...wrong })).rejects.toMatchObject({ kind: "wrong-usage" });
});

test("the grid combines every bias with every share; its extremes are found by the gain over merge sort", () => {
  expect(new Set(GRID.map(({ bias, shared }) => `${bias} ${shared}`)).size).toBe(6);
  const cell = (name: string, merge: number, full: number) => ({
    name,
    rows: [
      { method: "merge-sort", exact: merge, step: 0, calls: 0, depth: 0 },
      { method: "tournament", exact: full, step: 0, calls: 0, depth: 0 },
    ],
  });
  const { best, worst } = extremes(
    [cell("a", 40, 50), cell("b", 10, 30), cell("c", 80, 81)],
    "tournament",
    "merge-sort",
  );
  expect([best.name, worst.name]).toEqual(["b", "c"]);
});
