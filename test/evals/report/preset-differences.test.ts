import { join } from "node:path";
import { expect, test } from "vitest";
import { makeReport } from "../../../evals/report/report.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import { tempFolder } from "../../support/temp.ts";
import { GOOD, makeRun, order, PROCEDURES } from "../run/made-runs.ts";

/** A run of an arm of a preset. */
async function armOf(
  name: string,
  arm: string,
  replies: Record<string, string>,
  preset = "vcrbench-table-2",
) {
  const folder = await makeRun(join(await tempFolder(), name), {
    settings: { strategy: "direct", model: "openai:m" },
    samples: PROCEDURES,
    replies,
  });
  const results = await readResults(folder);
  return { ...results, cell: { preset, sweep: "s", arm } } as Results;
}

const presetTable = (runs: Results[]) =>
  makeReport(runs).parts.find(({ preset }) => preset !== undefined)?.tables[0];
const RRD = "all-at-once_all-at-once";

test("a difference is paired over the questions that both runs have, and the table says how many", async () => {
  const direct = await armOf("direct", "direct", GOOD);
  // The same replies to two of the four questions.
  const rrd = await armOf("rrd", RRD, { "1": GOOD["1"], "4": GOOD["4"] });
  const table = presetTable([direct, rrd]);
  const [own, compared] = table?.rows.map((row) => row.at(-2)) ?? [];
  expect(own).toMatch(/^75\.00 /);
  expect(compared).toMatch(/^50\.00.* \(0\.00\)$/);
  expect(table?.about).toContain(
    "rrd lacks 2 results: its cells cover 2 of 4 questions. rrd minus direct: over the 2 questions that both have.",
  );
  // Seven positions, of which two become wrong.
  const worse = await armOf("worse", RRD, { "1": order(2, 3, 1), "4": GOOD["4"] });
  const steps = presetTable([direct, worse])?.rows[1]?.at(-1);
  expect(steps).toMatch(/ \(-28\.57\)$/);

  const other = await armOf("other", "direct", { "2": GOOD["2"] });
  const apart = presetTable([other, rrd]);
  expect(apart?.rows[1]?.at(-2)).toMatch(/ \(–\)$/);
  expect(apart?.about).toContain("rrd minus other: over the 0 questions that both have.");
  expect(presetTable([direct, await armOf("all", RRD, GOOD)])?.about).not.toContain("both have");
});

test("a column of another arm says how many questions it covers", async () => {
  const preset = "videomathqa-table-1";
  const mcq = await armOf("mcq", "mcq", GOOD, preset);
  const silent = await armOf("mbin-silent", "mbin", { "1": GOOD["1"] }, preset);
  expect(presetTable([mcq, silent])?.about).toContain(
    "mbin-silent lacks 3 results: its cells cover 1 of 4 questions.",
  );
});

test("a cell of a group has its number of questions if that is not the row's", async () => {
  const direct = await armOf("direct", "direct", GOOD);
  const rrd = await armOf("rrd", RRD, { "1": GOOD["1"], "3": GOOD["3"], "4": GOOD["4"] });
  const groups = makeReport([direct, rrd])
    .parts.flatMap(({ tables }) => tables)
    .find(({ title }) => title === "Accuracy by number of steps");
  expect(groups?.rows.map((row) => row.map((cell) => cell.replace(/ \[.*?\]/, "")))).toEqual([
    ["3", "2", "100.00", "100.00 (1)"],
    ["4", "2", "50.00", "50.00"],
  ]);
  expect(groups?.about).toContain("In parentheses: the questions of a cell");
});
