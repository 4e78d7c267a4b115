import { expect, test } from "vitest";
import { weighOptions } from "../../../graphs/stages/support.ts";
import { cellsOf, columnNames, findTables } from "../../../graphs/stages/tables.ts";
import { makeEvidence } from "../../../src/core/evidence.ts";

/** Each line with its table, and the columns of its cells; `null` outside tables, `*` for the names of columns. */
function tablesIn(...lines: string[]): (string | null)[] {
  return findTables(lines.map(cellsOf)).map((cells) =>
    cells === null
      ? null
      : `${cells[0]?.table}${cells[0]?.header ? "*" : ""} ${cells.map(({ column }) => column).join("")}`,
  );
}

test.each<[string, string[], (string | null)[]]>([
  [
    "words",
    ["Fruit | Weight | Price", "Apple | 5 | 7", "Pear | 6 | 9"],
    ["0* 012", "0 012", "0 012"],
  ],
  ["years", ["2019 | 2020 | 2021", "Visitors | 50 | 60 | 70"], ["0* 123", "0 0123"]],
  ["years in one text", ["2019 2020 2021", "Visitors 50 60 70"], ["0* 123", "0 0123"]],
  ["a word and years", ["City 2019 2020", "Rome 50 60", "Oslo 7 9"], ["0* 012", "0 012", "0 012"]],
  ["quarters", ["Q1 | Q2 | Q3", "Sales | 5 | 6 | 7"], ["0* 123", "0 0123"]],
  ["weeks", ["Week 1 Week 2", "Ann | 5 | 6", "Ben | 8 | 9"], ["0* 12", "0 012", "0 012"]],
  ["years of books", ["Business | FY 2020 | FY 2021", "Costs | 3 | 4"], ["0* 012", "0 012"]],
])("columns are named by %s", (_what, lines, expected) => {
  expect(tablesIn(...lines)).toEqual(expected);
});

test.each<[string, string[], (string | null)[]]>([
  [
    "rows of years below the names of columns",
    ["Bridge | Built | Renewed", "Tower | 1894 | 1994", "Mill | 1850 | 1950"],
    ["0* 012", "0 012", "0 012"],
  ],
  ["rows of years without names", ["Tower 1894 1994", "Mill 1850 1950"], [null, null]],
  ["figures", ["Apple | 5 | 7", "Pear | 6 | 9"], [null, null]],
  ["names that are equal", ["2019 | 2019", "Sales | 5 | 6"], [null, null]],
  ["long numbers", ["Room 101 | Room 102", "Seats | 50 | 60"], [null, null]],
])("%s are no names of columns", (_what, lines, expected) => {
  expect(tablesIn(...lines)).toEqual(expected);
});

test("a name with its number is one column", () => {
  expect(columnNames("Week 1 Week 2 Total")).toEqual(["Week 1", "Week 2", "Total"]);
  expect(columnNames(" Length  Time 120 ")).toEqual(["Length", "Time", "120"]);
});

test("a figure belongs to its year", () => {
  const lines = ["Visitors of the museum", "2019 | 2020 | 2021", "Guests | 510 | 640 | 730"];
  const evidence = lines.map((text, row) =>
    makeEvidence({
      ...{ video: "a".repeat(64), kind: "text", start_s: 0, end_s: 5, text },
      ...{ box: { x: 0, y: row * 40, width: 300, height: 30 } },
      ...{ by: { who: "tool", name: "ocr" }, confidence: null, from: [] },
    }),
  );
  const options = ["510", "640", "730"].map((text, place) => ({
    letter: "ABC"[place] as string,
    text,
  }));
  const answers = ["2019", "2020", "2021"].map((year) => {
    const text = `How many guests were there in ${year}?`;
    const question = { id: "q", video: "a".repeat(64), text, task: "choice", options } as const;
    return weighOptions(question, evidence).letter;
  });
  expect(answers).toEqual(["A", "B", "C"]);
});
