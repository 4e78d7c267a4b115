import { join } from "node:path";
import { expect, test } from "vitest";
import { makeReport } from "../../../../evals/report/report.ts";
import { readResults } from "../../../../evals/score/read-results.ts";
import { renderSweep } from "../../../../src/app/cli/render/sweep.ts";
import type { ReportPart } from "../../../../src/pages/report-data.ts";
import { makeRun, officialRun, order, ordering } from "../../../evals/run/made-runs.ts";
import { tempFolder } from "../../../support/temp.ts";

test("the tables of a sweep are printed with their notes, such as an interval that its test contradicts", async () => {
  const root = await tempFolder();
  const samples = Array.from({ length: 24 }, (_, place) => ordering(String(place), [1, 2, 3]));
  const run = async (name: string, right: (place: number) => boolean) =>
    readResults(
      await makeRun(join(root, name), {
        settings: { strategy: "direct", model: `openai:${name}` },
        samples,
        replies: Object.fromEntries(
          samples.map(({ id }, place) => [id, right(place) ? order(1, 2, 3) : order(1, 3, 2)]),
        ),
      }),
    );
  const [a, b] = [await run("a", () => false), await run("b", (place) => place < 4)];
  const [part] = makeReport([a, b]).parts;
  const tables = part?.tables.filter(({ title }) => title === "Differences between runs") ?? [];
  const printed = renderSweep({
    ...{ folder: root, runs: [], judged: [], judge_commands: [], tables, remarks: [] },
    calls: { sum: 0, unique: 0, sent: 0 },
  });
  // Four questions differ in one direction: 2 of 16 patterns of signs are as extreme.
  expect(printed).toMatch(
    /b +a +accuracy +24 +\+16\.67 +\+4\.17 to \+33\.33 +0\.125[\s\S]*\nPercentage points, .*b compared with a, accuracy: The interval excludes 0, but the sign-flip test does not reject \(p 0\.125\): read this as no difference shown\./,
  );
});

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
