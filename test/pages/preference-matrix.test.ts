import { expect, test } from "vitest";
import type { OrderingDiagnostics } from "../../src/core/ordering.ts";
import { preferenceMatrix, summary } from "../../src/pages/preference-matrix.ts";

const ordering: OrderingDiagnostics = {
  method: "tournament",
  clips: [1, 2, 3],
  matrix: [
    [null, 0, 0.25],
    [1, null, 1],
    [0.4, null, null],
  ],
  weighed: 2,
  pairs_both_ways: 2,
  contradictions: 1,
  cycles: 0,
  margin: 0.35,
  agreement: 0.8,
  invalid: 1,
};

test("rows and columns are in the order found, and contradictions are marked below the diagonal", () => {
  const text = String(preferenceMatrix(ordering, [2, 1, 3]));
  const rows = [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = ""]) =>
      cell.replace(/<[^>]+>/g, ""),
    ),
  );
  expect(rows).toEqual([
    ["", "Clip 2", "Clip 1", "Clip 3"],
    ["Clip 2", "·", "1", "1"],
    ["Clip 1", "0", "·", "0.25 ✗"],
    ["Clip 3", "·", "0.40", "·"],
  ]);
  expect(text).toContain('scope="row"');
  expect(text).toContain("<caption>");
});

test("the diagnostics are stated in words, also if no pair was judged", () => {
  expect(summary(ordering)).toBe(
    "Ordered by tournament: 1 of 2 pairs compared both ways contradict themselves, 0 cycles of three, 0.35 ahead of the second-best order, 1 unreadable reply, 2 judgements weighed by log-probability.",
  );
  const votes = { ...ordering, method: "vote", matrix: [[null]], clips: [1] };
  expect(String(preferenceMatrix(votes, [1]))).not.toContain("<table");
});
