import { join } from "node:path";
import { expect, test } from "vitest";
import { beyondBlind } from "../../../evals/compare/beyond-blind.ts";
import { planFromPilot } from "../../../evals/compare/plan-comparison.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { renderBeyondBlind } from "../../../src/app/cli/render/blind.ts";
import { tempFolder } from "../../support/temp.ts";
import { makeRun, order, ordering } from "../run/made-runs.ts";

const SAMPLES = [1, 2, 3, 4, 5, 6].map((id) => ordering(String(id), [2, 1, 3]));
const RIGHT = order(2, 1, 3);
const WRONG = order(3, 1, 2);

async function run(
  name: string,
  strategy: string,
  model: string,
  replies: (string | null)[],
  hash = "h",
) {
  const folder = await makeRun(join(await tempFolder(), name), {
    settings: { strategy, model } as { strategy: "blind" },
    samples: SAMPLES,
    replies: Object.fromEntries(replies.map((reply, place) => [String(place + 1), reply])),
    header: {
      data: { folder: "", files: [], hash, subset: "mcq", samples: 6, notes: [] },
    },
  });
  return readResults(folder);
}

test("a run is compared with the blind run of its model on their common questions", async () => {
  const blind = await run("blind", "blind", "openai:a", [RIGHT, RIGHT, WRONG, WRONG, "none"]);
  const direct = await run("direct", "direct", "openai:a", [
    ...[RIGHT, WRONG, RIGHT, RIGHT],
    ...[WRONG, RIGHT],
  ]);
  const [found, ...others] = beyondBlind([direct, blind]);
  expect(others).toEqual([]);
  // Five common questions: 3 right against 2, and 2 of the 3 that blind gets wrong.
  expect(found).toMatchObject({
    ...{ run: "direct", blind: "blind", same_model: true, accuracy: 0.6, blind_accuracy: 0.4 },
    difference: { n: 5 },
    where_blind_is_wrong: { n: 3 },
  });
  expect(found?.difference.difference).toBeCloseTo(0.2);
  expect(found?.where_blind_is_wrong?.mean).toBeCloseTo(2 / 3);
  const table = makeReport([direct, blind]).parts[0]?.tables.find(
    ({ title }) => title === "Accuracy beyond blind",
  );
  expect(table?.rows[0]?.slice(0, 5)).toEqual(["direct", "blind", "5", "60.00", "40.00"]);
});

test("the blind run of the same model is preferred; other data are left out", async () => {
  const all = [RIGHT, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT];
  const a = await run("blind-a", "blind", "openai:a", all);
  const b = await run("blind-b", "blind", "openai:b", all);
  const ofB = await run("direct-b", "direct", "openai:b", all);
  const ofC = await run("direct-c", "direct", "openai:c", all);
  const other = await run("other", "direct", "openai:a", all, "other data");
  const found = beyondBlind([a, b, ofB, ofC, other]);
  expect(found.map(({ run: name, blind, same_model }) => [name, blind, same_model])).toEqual([
    ["direct-b", "blind-b", true],
    ["direct-c", "blind-a", false],
  ]);
  expect(found[0]?.where_blind_is_wrong).toBeNull();
  expect(beyondBlind([ofB, ofC])).toEqual([]);
});

test("failed results of the blind run are named, because they make the others look better", async () => {
  const blind = await run("blind", "blind", "openai:a", [null, null, RIGHT, RIGHT, WRONG, WRONG]);
  const direct = await run("direct", "direct", "openai:a", Array(6).fill(RIGHT));
  const found = beyondBlind([direct, blind]);
  expect(found[0]?.blind_failed).toEqual({ count: 2, of: 6 });
  const told = "2 of 6 results of the blind run blind failed or were stopped by a budget";
  expect(renderBeyondBlind(found)).toContain(told);
  const table = makeReport([direct, blind]).parts[0]?.tables.find(
    ({ title }) => title === "Accuracy beyond blind",
  );
  expect(table?.about).toContain(told);
  const sound = await run("blind", "blind", "openai:a", Array(6).fill(WRONG));
  expect(renderBeyondBlind(beyondBlind([direct, sound]))).not.toContain("failed");
});

test("runs with different scorers are neither ranked nor subtracted in a report, with the reason", async () => {
  const exact = async (name: string, strategy: string, replies: string[], scorer = "exact") => {
    const results = await run(name, strategy, "openai:a", replies);
    const { benchmark } = results;
    const scorers = { ...benchmark.scorers, open: { name: scorer, settings: {} } };
    return { ...results, benchmark: { ...benchmark, scorers } };
  };
  const some = [RIGHT, RIGHT, WRONG, WRONG, WRONG, WRONG];
  const blind = await exact("blind", "blind", some);
  // A rerun by its settings, with other scorers.
  const again = await exact("again", "blind", [...some.slice(2), RIGHT, RIGHT], "includes");
  const direct = await exact("direct", "direct", [RIGHT, RIGHT, RIGHT, WRONG, WRONG, WRONG]);
  const other = await exact(
    "other",
    "direct",
    [RIGHT, RIGHT, RIGHT, RIGHT, RIGHT, RIGHT],
    "includes",
  );
  const [part] = makeReport([blind, direct, other]).parts;
  const table = (title: string) => part?.tables.find((one) => one.title === title);
  expect(part?.summary?.[0]).toBe(
    "No run is named as the best: their answers are scored in different ways (blind, direct: order=order, open=exact; other: order=order, open=includes), so that their accuracies are not comparable. Name the scorers for all with --scorer.",
  );
  expect(table("Accuracy beyond blind")?.rows.map((row) => row[0])).toEqual(["direct"]);
  expect(table("Accuracy beyond blind")?.about).toContain(
    "other is not compared with the blind run blind: their answers are scored in different ways.",
  );
  const conclusions = table("Conclusions under each extractor");
  expect(conclusions?.rows.map(([name, mean, ...rest]) => [name, mean, rest.at(-1)])).toEqual([
    ["blind", "33.33", "–"],
    ["direct", "50.00", "–"],
    ["other", "100.00", "–"],
    ["direct minus blind", "+16.67", "yes"],
  ]);
  expect(conclusions?.about).toContain(
    "No ranks, and no differences between runs whose answers are scored in different ways.",
  );
  const differences = (runs: (typeof blind)[]) =>
    makeReport(runs).parts[0]?.tables.find(({ title }) => title === "Differences between runs");
  expect(differences([blind, direct, other])?.rows.map((row) => row[0])).not.toContain("other");
  // Its scorers keep the rerun from being a noise floor, and the others are compared.
  expect(differences([blind, again, direct])?.rows.map((row) => row[0])).toContain("direct");
  expect(() => planFromPilot([direct, other], "accuracy", { differences: [0.1] })).toThrow(
    "Cannot compare other with direct: their answers are scored in different ways",
  );
});
