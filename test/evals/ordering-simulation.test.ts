import { expect, test } from "vitest";
import { LIST_NOISE, simulate } from "../../evals/ordering-simulation.ts";

test("at error 0.1, bias 1, shared 0.5 the tournament is far more exact than merge sort, the adaptive one nearly as much for fewer calls", async () => {
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

test("a judge without faults is followed by every method that asks pairs", async () => {
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
