import { expect, test } from "vitest";
import { createTally } from "../../../evals/benchmarks/tally.ts";
import { readRecords } from "../../../evals/score/records.ts";

/** The rows of a response file, and the number of its damaged lines. */
function read(text: string, name: string) {
  const tally = createTally();
  const rows = readRecords(text, name, tally);
  return { rows, damaged: tally.notes().reduce((sum, { count }) => sum + count, 0) };
}

test.each([
  [
    "an empty last cell",
    "id\treply\nq1\tA\nq2\t\n",
    [
      { id: "q1", reply: "A" },
      { id: "q2", reply: "" },
    ],
  ],
  [
    "an empty first name, as of an index",
    "\tid\treply\n0\tq1\tA\n",
    [{ "": "0", id: "q1", reply: "A" }],
  ],
  ["a byte order mark", "\uFEFFid\treply\nq1\tA\n", [{ id: "q1", reply: "A" }]],
  ["empty lines around it", "\n \nid\treply\nq1\tA\n\n\t\n", [{ id: "q1", reply: "A" }]],
])("a table separated by tabs, with %s", (_, text, rows) => {
  expect(read(text, "r.tsv")).toEqual({ rows, damaged: 0 });
});

test("a table separated by commas keeps an empty last cell", () => {
  expect(read("id,reply\nq1,A\nq2,\n", "r.csv").rows).toEqual([
    { id: "q1", reply: "A" },
    { id: "q2", reply: "" },
  ]);
});
