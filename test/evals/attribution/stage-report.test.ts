import { expect, test } from "vitest";
import type { AttributedRuns } from "../../../evals/attribution/attributed-runs.ts";
import { attributeToStages } from "../../../evals/attribution/shapley.ts";
import { stageReport } from "../../../evals/attribution/stage-report.ts";
import { reportPage } from "../../../src/pages/report.ts";
import { reportLatex, reportMarkdown } from "../../../src/pages/report-text.ts";

/** Gold captions make 3 of 4 questions right, gold search one wrong; 24 videos. */
function runs(videos: number): AttributedRuns {
  const clusters = Array.from({ length: videos }, (_, at) => `v${at}`);
  const score = (of: (at: number) => number) => clusters.map((_, at) => of(at));
  return {
    ...{ benchmark: "mmr-v", strategy: "rrd", metric: "accuracy", extractor: "sound", seed: 0 },
    ...{ recogniser: "openai:small", reasoner: null, relative_to: "openai:large", notes: [] },
    gold: [{ stage: "captions", from: { "openai:large": videos } }],
    without_gold: [],
    failed: [{ sample: "s1", message: "recognised: no reply" }],
    table: {
      stages: ["captions", "search"],
      samples: clusters,
      clusters,
      arms: [
        score((at) => Number(at % 4 === 0)),
        score(() => 1),
        score(() => 0),
        score((at) => Number(at % 4 !== 0)),
      ],
    },
  };
}

test("negative values are kept, values sum to the gain, and the results are relative to the stronger model", () => {
  const data = stageReport(runs(24));
  const [part] = data.parts;
  const [costs, scores] = part?.tables ?? [];
  const column = (row: string, at: number) =>
    costs?.rows.find(([name]) => name === row)?.[at] ?? "";
  expect(data.title).toBe("Errors by stage, relative to openai:large");
  expect(column("captions", 2)).toMatch(/^\+75\.00 \[\+\d/);
  expect(column("search", 2)).toMatch(/^-25\.00 \[-\d+\.\d\d, -\d/);
  expect(column("all stages", 2)).toMatch(/^\+50\.00/);
  expect(column("not attributed", 2)).toMatch(/^25\.00/);
  expect(column("captions", 1)).toBe("openai:large (24)");
  expect(scores?.rows.map(([right]) => right)).toEqual([
    ...["none (as it is)", "captions", "search", "captions + search"],
  ]);
  expect(part?.summary?.join(" ")).toContain("Made right, search lowers the score.");
  expect(part?.warnings).toEqual([
    "1 sample failed and is in no figure. The first failed with: recognised: no reply",
  ]);
  const values = part?.plots[0]?.series[0]?.points.map(({ at, y }) => [at, y]);
  expect(values).toEqual([
    ["captions", 0.75],
    ["search", -0.25],
    ["not attributed", 0.25],
  ]);
  // The axis of the plot reaches below 0.
  expect(reportPage(data)).toMatch(/text-anchor="middle">-\d/);
  for (const text of [reportMarkdown(data), reportLatex(data)]) expect(text).toContain("-25.00");
});

test("below 20 videos there are values without intervals, and the page says so", () => {
  const few = runs(12);
  const found = attributeToStages(few.table, { seed: 0 });
  expect(found.stages.map(({ value }) => value)).toEqual([
    { mean: 0.75, low: null, high: null },
    { mean: -0.25, low: null, high: null },
  ]);
  expect(found.stages.map(({ p }) => p)).not.toContain(1);
  const [part] = stageReport(few, found).parts;
  expect(part?.tables[0]?.rows[0]?.[2]).toBe("+75.00");
  expect(part?.warnings[0]).toContain("n too small: fewer than 20 videos");
});

test("a stage is said to lower the score only if its test rejects", () => {
  // On three of four videos the gold of a single stage makes a right answer wrong: 2 of 8 patterns of signs.
  const clusters = ["v1", "v2", "v3", "v4"];
  const table = {
    stages: ["search"],
    samples: clusters,
    clusters,
    arms: [
      [1, 1, 1, 0],
      [0, 0, 0, 0],
    ],
  };
  const found = attributeToStages(table, { seed: 0 });
  expect(found.stages[0]).toMatchObject({ value: { mean: -0.75, high: null }, p: 0.25 });
  const [part] = stageReport({ ...runs(4), table }, found).parts;
  expect(part?.summary?.join(" ")).toContain("search costs -75.00");
  expect(part?.summary?.join(" ")).not.toContain("lowers the score");
});
