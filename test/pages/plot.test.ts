import { expect, test } from "vitest";
import { plotFigure } from "../../src/pages/plot.ts";

test("36 series differ in the shape or colour of their marks, the first six in both", () => {
  const series = Array.from({ length: 36 }, (_, place) => ({
    name: `strategy ${place}`,
    points: [{ x: 10, label: `run ${place}`, y: place / 36, low: null, high: null }],
  }));
  const plot = { title: "Accuracy", kind: "points", x: "frames", y: "accuracy" } as const;
  const page = String(plotFigure({ ...plot, chance: null, series }, "Frontier"));
  const inPlot = [...page.matchAll(/<g class="(series-\d)"><g>(<.*?\/>)<title>/g)];
  const marks = inPlot.map(([, , mark = ""]) => mark.replace(/ transform="[^"]*"/, ""));
  expect(new Set(marks).size).toBe(36);
  expect(new Set(marks.slice(0, 6).map((mark) => mark.replace(/series-\d/, ""))).size).toBe(6);
  // Lines and intervals have the colour of their marks, and the legend has the same marks.
  const colours = inPlot.map(([, colour = ""]) => colour);
  expect(colours.slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 1, 2].map((n) => `series-${n}`));
  expect(marks.map((mark) => /series-\d/.exec(mark)?.[0])).toEqual(colours);
  const legend = [...page.matchAll(/<g class="">(<.*?\/>)<\/g>/g)].map(([, mark = ""]) => mark);
  expect(legend.map((mark) => mark.replace(/ transform="[^"]*"/, ""))).toEqual(marks);
});
