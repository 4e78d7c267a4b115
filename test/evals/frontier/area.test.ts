import { expect, test } from "vitest";
import { meanHeight } from "../../../evals/frontier/area.ts";
import { studyFrontier } from "../../../evals/frontier/frontier.ts";
import { frontierReport, frontierSummary } from "../../../evals/frontier/report.ts";
import { renderFrontier } from "../../../src/app/cli/render/frontier.ts";
import { rightOn, run } from "./fixtures.ts";

test("areas are means over the common range of budgets, in logarithms", () => {
  const found = studyFrontier(
    [
      run("d-4", { strategy: "direct", frames: 4, right: rightOn(0.2) }),
      run("d-64", { strategy: "direct", frames: 64, right: rightOn(0.6) }),
      run("r-8", { strategy: "rrd", frames: 8, right: rightOn(0.5) }),
      run("r-32", { strategy: "rrd", frames: 32, right: rightOn(0.5) }),
    ],
    { budget: "frames" },
  );
  expect(found.range).toEqual({ from: 8, to: 32 });
  const [direct, rrd] = found.areas;
  // From 4 to 64 are four doublings: 0.3 at 8 and 0.5 at 32, so 0.4 on average.
  expect(direct?.area).toBeCloseTo(0.4);
  expect(rrd?.area).toBeCloseTo(0.5);
  expect(direct?.low).toBeLessThan(0.4);
  expect(direct?.high).toBeGreaterThan(0.4);
});

test("the mean height is that of a fine sum", () => {
  const points = [
    { x: 0, y: 0.1 },
    { x: 1, y: 0.7 },
    { x: 3, y: 0.2 },
    { x: 1, y: 0.5 },
  ];
  const height = (x: number) => (x < 1 ? 0.1 + 0.5 * x : 0.6 - 0.2 * (x - 1));
  const steps = 100_000;
  let sum = 0;
  for (let step = 0; step < steps; step++) sum += height(0.5 + (2 * (step + 0.5)) / steps);
  expect(meanHeight(points, 0.5, 2.5)).toBeCloseTo(sum / steps, 6);
});

test("runs of one strategy with different models are different curves", () => {
  const [large, small] = ["openai:gpt-4.1", "openai:gpt-4.1-nano"];
  const of = (model: string, strategy: string, frames: number, share: number) =>
    run(`${model},${strategy}-${frames}`, { model, strategy, frames, right: rightOn(share) });
  const one = [
    of(large, "direct", 8, 0.7),
    of(large, "direct", 32, 0.8),
    of(large, "rrd", 8, 0.6),
    of(large, "rrd", 32, 0.7),
  ];
  const found = studyFrontier([...one, of(small, "direct", 8, 0.2), of(small, "direct", 32, 0.3)], {
    budget: "frames",
  });
  expect(
    found.areas.map(({ strategy, points, area }) => [strategy, points, Number(area.toFixed(4))]),
  ).toEqual([
    ["direct, openai:gpt-4.1", 2, 0.75],
    ["rrd, openai:gpt-4.1", 2, 0.65],
    ["direct, openai:gpt-4.1-nano", 2, 0.25],
  ]);
  expect(frontierSummary(found).at(-1)).toBe(
    "From 8 to 32 frames, direct, openai:gpt-4.1 has the highest mean accuracy: 75.00 %.",
  );
  const plot = frontierReport(found).parts[0]?.plots[0];
  expect(plot?.series.map(({ name, points }) => [name, points.length])).toContainEqual([
    "direct, openai:gpt-4.1",
    2,
  ]);
  // A baseline has no model, and with it there is still only one.
  const random = run("random", { strategy: "random", frames: 0, right: rightOn(0.3) });
  const names = studyFrontier([...one, random], { budget: "frames" }).points.map(
    ({ strategy }) => strategy,
  );
  expect(new Set(names)).toEqual(new Set(["random", "direct", "rrd"]));
});

test("strategies without a common range of budgets have no areas, and the output says so", () => {
  const of = (strategy: string, frames: number) =>
    run(`${strategy}-${frames}`, { strategy, frames, right: rightOn(0.5) });
  const both = [of("direct", 8), of("direct", 32), of("rrd", 8), of("rrd", 32)];
  const found = studyFrontier([...both, of("agent", 100), of("agent", 200)], { budget: "frames" });
  expect(found).toMatchObject({ range: null, areas: [] });
  const told =
    "No mean accuracies over a range: no range of frames is common to all strategies with several budgets.";
  expect(renderFrontier(found).split("\n")).toContain(told);
  expect(frontierReport(found).parts[0]?.warnings).toEqual([told]);
  const overlapping = studyFrontier(both, { budget: "frames" });
  expect(frontierReport(overlapping).parts[0]?.warnings).toEqual([]);
});
