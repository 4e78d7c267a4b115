import { join } from "node:path";
import { expect, test } from "vitest";
import { makeReport } from "../../../evals/report/report.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import type { SettingsInput } from "../../../src/core/settings.ts";
import { tempFolder } from "../../support/temp.ts";
import { GOOD, makeRun, POOR, PROCEDURES } from "../run/made-runs.ts";

async function runOf(
  name: string,
  settings: SettingsInput,
  replies: Record<string, string | null>,
) {
  const folder = await makeRun(join(await tempFolder(), name), {
    settings,
    samples: PROCEDURES,
    replies,
  });
  return readResults(folder);
}

/** The pairs of the table of differences and of the table of extractors. */
function pairsOf(runs: Results[]) {
  const tables = makeReport(runs, { against: "previous" }).parts.flatMap((part) => part.tables);
  const rowsOf = (title: string) => tables.find((table) => table.title === title)?.rows ?? [];
  return {
    differences: rowsOf("Differences between runs"),
    extractors: rowsOf("Conclusions under each extractor").flatMap(([name = ""]) =>
      name.includes(" minus ") ? [name] : [],
    ),
  };
}

test("the arms of a second model do not continue those of the first", async () => {
  const [a, b] = ["openai:a", "openai:b"];
  const runs = [
    await runOf("a-blind", { strategy: "blind", model: a }, POOR),
    await runOf("a-direct", { strategy: "direct", model: a }, GOOD),
    await runOf("b-blind", { strategy: "blind", model: b }, POOR),
    await runOf("b-direct", { strategy: "direct", model: b }, GOOD),
  ];
  const { differences, extractors } = pairsOf(runs);
  const pairs = new Set(differences.map(([run, against]) => `${run} minus ${against}`));
  expect([...pairs]).toEqual(["a-direct minus a-blind", "b-direct minus b-blind"]);
  expect(extractors).toEqual([...pairs]);
  // Holm's correction counts two tests, and no third.
  const own = differences.filter(([, , metric]) => metric === differences[0]?.[2]);
  const alone = pairsOf(runs.slice(0, 2)).differences;
  const [p, corrected] = [Number(alone[0]?.[6]), Number(own[0]?.[7])];
  expect(p).toBeGreaterThan(0);
  expect(corrected).toBeCloseTo(Math.min(1, 2 * p));
});

test("a run that differs from the previous one only by its model is compared with it", async () => {
  const runs = [
    await runOf("a", { strategy: "direct", model: "openai:a" }, POOR),
    await runOf("b", { strategy: "direct", model: "openai:b" }, GOOD),
  ];
  expect(pairsOf(runs).extractors).toEqual(["b minus a"]);
});
