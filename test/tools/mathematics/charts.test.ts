import { expect, test } from "vitest";
import { makeEvidence } from "../../../src/core/evidence.ts";
import { findCharts } from "../../../tools/mathematics/charts.ts";

const video = "a".repeat(64);
const frame = { hash: "b".repeat(64), video, t_s: 5, width: 640, height: 360 };
const word = (text: string, x: number, y: number, width = 40) =>
  makeEvidence({
    video,
    kind: "text",
    start_s: 4,
    end_s: 9,
    text,
    frame,
    box: { x, y, width, height: 20 },
    by: { who: "tool", name: "tesseract" },
    confidence: 0.9,
    from: [],
  });
const BARS = [
  ...[word("Sold at the market", 200, 20, 240), word("12", 110, 60, 20), word("7", 215, 150, 10)],
  ...[
    word("9", 320, 120, 10),
    word("Pears", 195, 320, 50),
    word("Apples", 90, 320, 60),
    word("Figs", 305, 320, 40),
  ],
];

test("a number above its label, three times at least, is a chart", () => {
  const [chart, ...more] = findCharts(BARS);
  expect(more).toEqual([]);
  expect(chart).toMatchObject({
    text: "Chart: Apples 12; Pears 7; Figs 9",
    data: { shows: "chart", values: { Apples: "12", Pears: "7", Figs: "9" } },
    start_s: 4,
    end_s: 9,
  });
  expect(chart?.from).toHaveLength(6);
});

test("two columns, or numbers in a text, are none", () => {
  expect(findCharts(BARS.filter(({ text }) => text !== "7"))).toEqual([]);
  expect(
    findCharts([word("Chapter 3", 10, 10), word("4", 300, 10), word("Rivers", 10, 60)]),
  ).toEqual([]);
});
