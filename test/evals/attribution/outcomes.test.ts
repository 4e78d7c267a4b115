import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomesOf } from "../../../evals/attribution/outcomes.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import type { Limit } from "../../../src/core/shapes.ts";
import { tempFolder } from "../../support/temp.ts";
import { GOOD, makeRun, PROCEDURES } from "../run/made-runs.ts";

/** The run with one sample as a budget of frames left it. */
function limited(run: Results, status: "answered" | "not-answered"): Results {
  const limits_met: Limit[] = ["frames"];
  const said = run.said.map((one, place) =>
    place === 0 && one.line !== null ? { ...one, line: { ...one.line, status, limits_met } } : one,
  );
  return { ...run, name: "1-recognised", said };
}

test("a sample whose recognition a budget stopped is in no figure, and one with an answer is counted", async () => {
  const folder = join(await tempFolder(), "run");
  const settings = { strategy: "direct", model: "openai:gpt-4o" } as const;
  await makeRun(folder, { settings, samples: PROCEDURES, replies: GOOD });
  const run = await readResults(folder);
  const all = run.samples.length;
  const sample = run.said[0]?.sample.id;
  const outcomes = (status: "answered" | "not-answered") =>
    outcomesOf(["captions"], [run, run], "accuracy", [limited(run, status)]);
  const stopped = outcomes("not-answered");
  expect(stopped).toMatchObject({
    failed: [],
    stopped: [{ sample, by: "frames", run: "1-recognised" }],
    at_limit: 0,
  });
  expect(stopped.table.samples).toHaveLength(all - 1);
  const answered = outcomes("answered");
  expect(answered).toMatchObject({ stopped: [], at_limit: 1 });
  expect(answered.table.samples).toHaveLength(all);
});

test("arrangements of one source are one cluster", async () => {
  const folder = join(await tempFolder(), "run");
  const samples = PROCEDURES.map((sample, place) => ({
    ...sample,
    row: { ...sample.row, provenance: { source_sha256: place < 2 ? "tea" : "steak" } },
  }));
  const settings = { strategy: "direct", model: "openai:gpt-4o" } as const;
  const run = await readResults(await makeRun(folder, { settings, samples, replies: GOOD }));
  const { table } = outcomesOf(["captions"], [run, run], "accuracy");
  expect(table.clusters).toEqual(["tea", "tea", "steak", "steak"]);
});
