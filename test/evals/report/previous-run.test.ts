import { join } from "node:path";
import { expect, test } from "vitest";
import { readForReport } from "../../../evals/report/input.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import { writeSweepFolder } from "../../../evals/sweep/sweep-folder.ts";
import { readSweep, type SweepInput } from "../../../evals/sweep/sweep-settings.ts";
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

/** The pairs of a sweep, and what its table of differences says of the others. */
async function pairsOfSweep(given: SweepInput, models: readonly string[], isOlder = false) {
  const folder = await tempFolder();
  const base = { data: "/d", benchmark: "vcrbench" };
  const sweep = readSweep({ against: "previous", ...given }, base, models);
  const cells = sweep.cells.map(({ model: _, ...cell }) => cell);
  await writeSweepFolder(isOlder ? { ...sweep, cells } : sweep, folder);
  for (const [place, { name, input }] of sweep.cells.entries()) {
    const { settings, epochs } = readEvalSettings(input);
    await makeRun(join(folder, name), {
      settings,
      samples: PROCEDURES,
      replies: place % 2 === 0 ? POOR : GOOD,
      header: { epochs },
    });
  }
  const { results, against } = await readForReport([folder], {});
  const tables = makeReport(results, { against }).parts.flatMap((part) => part.tables);
  const about = tables.find(({ title }) => title.startsWith("Differences"))?.about ?? "";
  const pairs = pairsOf(results).differences.map(([run, before]) => `${run} minus ${before}`);
  return { pairs: [...new Set(pairs)], skipped: about.match(/Not compared: [^.]*\./g) };
}

const MODELS = ["openai:a", "openai:b"];

test.each([false, true])(
  "runs that differ by their model and by an axis of the run are not compared (older sweep: %s)",
  async (isOlder) => {
    const axes = { epochs: [1, 4] };
    expect(await pairsOfSweep({ base: { strategy: "direct" }, axes }, MODELS, isOlder)).toEqual({
      pairs: ["2-a,epochs=4 minus 1-a,epochs=1", "4-b,epochs=4 minus 3-b,epochs=1"],
      skipped: [
        "Not compared: 3-b,epochs=1 and 2-a,epochs=4 differ by their model and by other settings.",
      ],
    });
  },
);

test("arms that change the model and other settings together are compared", async () => {
  const arms = MODELS.map((model, place) => ({
    name: model.slice(-1),
    settings: { model, strategy: place === 0 ? "direct" : "blind" },
  }));
  expect(await pairsOfSweep({ arms }, [])).toEqual({ pairs: ["2-b minus 1-a"], skipped: null });
});
