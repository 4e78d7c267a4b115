import { join } from "node:path";
import { expect, test } from "vitest";
import { makeReport } from "../../../../evals/report/report.ts";
import { readResults } from "../../../../evals/score/read-results.ts";
import { renderSweep } from "../../../../src/app/cli/render/sweep.ts";
import type { ReportPart } from "../../../../src/pages/report-data.ts";
import { officialRun } from "../../../evals/run/made-runs.ts";
import { tempFolder } from "../../../support/temp.ts";

test("runs that share a table with published results are printed with what could not be certified", async () => {
  const root = await tempFolder();
  const results = await readResults(await officialRun(join(root, "1-direct")));
  const cell = { sweep: root, preset: "vcrbench-table-1", arm: "direct" };
  const { parts } = makeReport([{ ...results, cell }]);
  const preset = parts.find((part) => part.preset !== undefined) as ReportPart;
  expect(preset.apart).toBeNull();
  const printed = renderSweep({
    ...{ folder: root, runs: [], judged: [], judge_commands: [], tables: [], remarks: [], preset },
    calls: { sum: 0, unique: 0, sent: 0 },
  });
  expect(printed).toMatch(/openai:gpt-4o +1 fps, at most 32 +ours +100\.00/);
  expect(printed).toMatch(/Qwen2\.5-VL-7B .*published, table 1/);
  expect(printed).toMatch(
    /\nNot certified: .*1-direct: model: the name does not include the version, .*temperature: /,
  );
});
