import { expect, test } from "vitest";
import { followBoard, latexOfLine } from "../../../tools/mathematics/board.ts";

const reading = (start_s: number, end_s: number, ...lines: string[]) => ({
  start_s,
  end_s,
  lines,
  of: start_s,
});

test("a board that fills up gives each line from when it is complete, in its last full state", () => {
  const lines = followBoard([
    reading(0, 4, "2x + 3"),
    reading(4, 9, "2x + 3 = 11", "2x = ?"),
    reading(9, 15, "2x+3=11", "2x = 8", "x = 4"),
  ]);
  expect(lines).toEqual([
    { text: "2x + 3 = 11", start_s: 4, end_s: 15, began_s: 0, erased: false, of: 4 },
    { text: "2x = 8", start_s: 9, end_s: 15, began_s: 4, erased: false, of: 9 },
    { text: "x = 4", start_s: 9, end_s: 15, began_s: 9, erased: false, of: 9 },
  ]);
});

test("an erased line is distinguished from one that disappears with its picture", () => {
  const lines = followBoard([
    reading(0, 5, "a = 1", "b = 2"),
    reading(5, 9, "b = 2", "c = 3"),
    reading(9, 12, "d = 4"),
  ]);
  expect(lines.map(({ text, end_s, erased }) => [text, end_s, erased])).toEqual([
    ["a = 1", 5, true],
    ["b = 2", 9, false],
    ["c = 3", 9, false],
    ["d = 4", 12, false],
  ]);
});

test("a line that returns later is another item", () => {
  const lines = followBoard([
    reading(0, 2, "a = 1"),
    reading(2, 8, "b = 2"),
    reading(8, 9, "a = 1"),
  ]);
  expect(lines.map(({ text, start_s }) => [text, start_s])).toEqual([
    ["a = 1", 0],
    ["b = 2", 2],
    ["a = 1", 8],
  ]);
});

test.each([
  ["A^2 = (C + B)(C - B)", "A^2 = (C + B)(C - B)"],
  ["sqrt(x + 1) = 3", "\\sqrt{x + 1} = 3"],
  ["A = sqrt((C + B)(C - B)) + 1", "A = \\sqrt{(C + B)(C - B)} + 1"],
  ["12 x 4 = ?", "12 \\times 4 = ?"],
  ["α = 50°", "α = 50^\\circ"],
])("%s is %s", (text, latex) => {
  expect(latexOfLine(text)).toBe(latex);
});
