import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { caveatsOf } from "../../../evals/compare/caveats.ts";
import { framesOf } from "../../../evals/report/published.ts";
import { makeReport } from "../../../evals/report/report.ts";
import type { ReportRun } from "../../../evals/report/run.ts";
import { extractorOf } from "../../../evals/score/extractor-choice.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import type { SettingsInput } from "../../../src/core/settings.ts";
import type { ReportData, ReportTable } from "../../../src/pages/report-data.ts";
import { madeOrdering } from "../../pages/made-ordering.ts";
import { tempFolder } from "../../support/temp.ts";
import { GOOD, makeRun, officialRun, order, POOR, PROCEDURES } from "../run/made-runs.ts";

const MODEL = { strategy: "direct", model: "openai:gpt-4o" } as const;
const CALL = {
  key: "k",
  stage: "ask",
  role: "reasoner",
  label: "answer directly",
  model: "openai:gpt-4o",
  finish: "stop",
  cached: false,
  seconds: 1,
  frames: 8,
  input: 1000,
  output: 20,
};

let root: string;
let report: ReportData;

beforeAll(async () => {
  root = await tempFolder();
  const good = await makeRun(join(root, "good"), {
    settings: MODEL,
    samples: PROCEDURES,
    replies: GOOD,
    line: { calls: [CALL], answer: [2, 1, 3], diagnostics: { ordering: madeOrdering(3) } },
  });
  const poor = await makeRun(join(root, "poor"), {
    settings: { ...MODEL, recognition: { frames: 16 } },
    samples: PROCEDURES,
    replies: POOR,
    line: {
      calls: [CALL],
      usage: { calls: 1, frames: 4, input: 500, output: 10, cost: 0.002, paid: 0 },
    },
  });
  report = makeReport(await Promise.all([good, poor].map((path) => readResults(path))));
});

const part = () => report.parts[0] as ReportData["parts"][number];
const table = (title: string) => {
  const found = part().tables.find((one) => one.title === title);
  if (found === undefined) throw new Error(`no table ${title}`);
  return found;
};
/** Rows as objects by the heads of their columns; of two columns of one name the first. */
const records = ({ head, rows }: ReportTable) =>
  rows.map((row) => Object.fromEntries(head.map((name, n) => [name, row[n]]).reverse()));

describe("the tables equal a calculation by hand", () => {
  test("accuracies by both denominators", () => {
    const [good, poor] = records(table("Accuracy"));
    // Wilson's intervals with t(3) of 3 and 1 of 4, and with t(1) of 1 of 2.
    expect(good).toMatchObject({
      Run: "good",
      Arm: "direct, recognition.frames 32",
      Model: "openai:gpt-4o",
      "All questions": "75.00 [16.27, 97.89]",
      Right: "3 of 4",
      "Answered only": "75.00 [16.27, 97.89]",
      "Invalid replies": "0.00",
    });
    expect(poor).toMatchObject({
      Arm: "direct, recognition.frames 16",
      "All questions": "25.00 [2.11, 83.73]",
      "Answered only": "50.00 [0.31, 99.69]",
      "Invalid replies": "33.33",
    });
    expect(table("Accuracy").rows[1]).toContain("1 of 2");
  });

  test("the released scores by their names", () => {
    const [good, poor] = records(table("Scores of the released code"));
    // Of 14 positions 12 are right; goals: 100 and 50.
    expect(good).toMatchObject({
      avg_accuracy: "75.00",
      avg_step_accuracy: "85.71",
      weighted_avg_accuracy: "75.00",
    });
    const [{ Micro, Macro } = {}] = records(table("Step accuracy"));
    expect(Micro).toMatch(/^85\.71 \[/);
    expect(Macro).toMatch(/^87\.50 \[/);
    // Three orders agree, one has one of six pairs swapped.
    expect(records(table("Agreement with the right orders"))[0]).toMatchObject({
      kendall_tau: "0.9167",
    });
    expect(table("Further measures").head).not.toContain("kendall_tau");
    expect(poor).toMatchObject({ avg_accuracy: "25.00", avg_step_accuracy: "21.43" });
  });

  test("the judgements of an order are shown with the reply", () => {
    const [first] = part().questions;
    expect(first?.said.map(({ ordering }) => ordering)).toEqual([
      { found: madeOrdering(3), order: [2, 1, 3] },
      null,
    ]);
  });

  test("groups", () => {
    const byStep = table("Accuracy by number of steps");
    expect(byStep.head).toEqual(["number of steps", "Questions", "good", "poor"]);
    expect(byStep.rows.map((row) => row.map((cell) => cell.split(" ")[0]))).toEqual([
      ["3", "2", "100.00", "50.00"],
      ["4", "2", "50.00", "0.00"],
    ]);
    expect(table("Accuracy by goal").rows.map((row) => row[0])).toEqual([
      "Grill steak",
      "Make tea",
    ]);
  });

  test("the difference of two runs, question by question", () => {
    const [row] = records(table("Differences between runs"));
    // Two of four flip: -50 points; of the four patterns of signs two are as extreme; McNemar 2 of 2: 0.5.
    expect(row).toMatchObject({
      Run: "poor",
      Against: "good",
      Metric: "accuracy",
      Scored: "4",
      Difference: "-50.00",
      "95 % interval": "n too small",
      Detectable: "n too small",
      p: "0.500",
      "McNemar p": "0.500",
    });
    expect(records(table("Differences between runs")).map(({ Metric }) => Metric)).toEqual([
      "accuracy",
      "step accuracy (micro)",
      "step accuracy (macro)",
    ]);
  });

  test("usage", () => {
    const [good, poor] = records(table("Calls, cost and time per sample"));
    expect(good).toMatchObject({
      Calls: "2",
      Frames: "8",
      "Tokens in": "1000",
      Cost: "0.0100",
      "Cost per right answer": "0.0133",
      "Wall seconds": "1.5",
      "Model seconds": "–",
    });
    expect(poor).toMatchObject({ Frames: "4", "Cost per right answer": "0.0080" });
  });
});

test("plots show the same numbers", () => {
  const named = (title: string) => part().plots.find((plot) => plot.title === title);
  const frames = named("Accuracy by frames sent");
  expect(frames?.series.map(({ points }) => points.map(({ x, y }) => [x, y]))).toEqual([
    [[8, 0.75]],
    [[4, 0.25]],
  ]);
  // (1/6 + 1/6 + 1/24 + 1/24) / 4
  expect(frames?.chance).toBeCloseTo(0.104167, 5);
  expect(frames?.series[0]?.points[0]?.low).toBeCloseTo(0.1627, 4);
  expect(named("Accuracy against cost")?.series[1]?.points[0]).toMatchObject({ x: 0.002, y: 0.25 });
  expect(named("Accuracy by number of steps")?.series[0]?.points.map(({ x, y }) => [x, y])).toEqual(
    [
      [3, 1],
      [4, 0.5],
    ],
  );
});

test("every sample has what each run replied, right or wrong, unanswered or failed", () => {
  expect(part().questions).toHaveLength(4);
  expect(part().questions.map(({ said }) => said.map(({ outcome }) => outcome))).toEqual([
    ["right", "right"],
    ["right", "wrong"],
    ["right", "unanswered"],
    ["wrong", "failed"],
  ]);
  expect(part().questions[2]).toMatchObject({
    right: "4, 1, 2, 3",
    groups: ["goal: Grill steak", "steps: 4"],
    said: [{ answer: "4, 1, 2, 3", frames_s: [0.5, 61.25], calls: [CALL] }, { answer: null }],
  });
});

test("errors, missing and excluded samples, baselines and scripted models are named", async () => {
  expect(part().warnings).toEqual([
    "poor: 1 failed (model-unreachable), counted as wrong: 4: The server was away.",
  ]);
  const scripted = await makeRun(join(root, "scripted"), {
    settings: { ...MODEL, model: "openai:scripted" },
    samples: PROCEDURES,
    replies: { "1": order(2, 1, 3) },
    line: { calls: [{ ...CALL, model: "openai:scripted" }] },
    header: { status: "stopped", ended_by: "Cancelled." },
  });
  const guessed = await makeRun(join(root, "guessed"), {
    settings: { strategy: "random" },
    samples: PROCEDURES,
    replies: GOOD,
  });
  const [told] = makeReport([await readResults(scripted), await readResults(guessed)]).parts;
  expect(told?.warnings).toEqual([
    "scripted was answered by a scripted model (openai:scripted): its scores say nothing about a language model.",
    "scripted: without a result yet, and not counted: 3.",
    "scripted is not finished (stopped): Cancelled.",
    "guessed is a baseline (random): no language model was asked.",
  ]);
  expect(told?.tables[0]?.rows[1]?.[1]).toBe("random (baseline, no language model)");
  expect(told?.questions[1]?.said.map(({ outcome }) => outcome)).toEqual(["not asked", "right"]);
});

test("notes about the data follow all others, once for runs that share them", async () => {
  const noted = async (
    name: string,
    notes: { what: string; count: number; examples: string[] }[],
  ) => {
    const folder = await makeRun(join(root, name), {
      settings: { strategy: "random" },
      samples: PROCEDURES,
      replies: GOOD,
    });
    return { ...(await readResults(folder)), notes };
  };
  const both = { what: "odd rows", count: 2, examples: ["row 4"] };
  const one = { what: "unused rows", count: 1, examples: ["row 9"] };
  const [told] = makeReport([await noted("noted", [both]), await noted("more", [both, one])]).parts;
  expect(told?.warnings).toEqual([
    "noted is a baseline (random): no language model was asked.",
    "more is a baseline (random): no language model was asked.",
    "2 odd rows, such as row 4",
    "more: 1 unused rows, such as row 9",
  ]);
});

describe("published numbers", () => {
  test("are separate from our runs, with every deviation", () => {
    const { apart } = part();
    expect(apart?.why.map(({ run }) => run)).toEqual(["good", "poor"]);
    expect(apart?.why[0]?.deviations).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^questions: 4, published: 365/),
        expect.stringMatching(/^prompts: .*prompts of this project/),
        expect.stringMatching(/^sampler: ends, published: fps-else-N/),
      ]),
    );
    expect(part().tables.map(({ title }) => title)).not.toContain(
      "Published results and comparable runs",
    );
    expect(apart?.tables[0]?.rows.length).toBeGreaterThan(20);
  });

  test("are in one table with a run that followed the published protocol", async () => {
    const whole = await officialRun(join(root, "whole"), { line: { calls: [CALL] } });
    const results = await readResults(whole);
    const [beside] = makeReport([results]).parts;
    expect(beside?.apart).toBeNull();
    const table = beside?.tables.find(
      ({ title }) => title === "Published results and comparable runs",
    );
    const rows = table?.rows;
    expect(table?.about).toMatch(/Not certified: whole: model: .*temperature: /);
    expect(beside?.certificates?.[0]?.certificate).toMatchObject({
      model: { published: "GPT-4o" },
      comparable: true,
    });
    expect(rows?.[0]).toEqual([
      "openai:gpt-4o",
      "direct",
      "1 fps, at most 32",
      "ours: whole",
      "100.00",
      "100.00",
    ]);
    expect(rows?.some((row) => row[0] === "Random guess" && row[4] === "7.8")).toBe(true);

    const [sound] = makeReport([results], { extractor: "sound" }).parts;
    expect(sound?.apart?.why[0]?.deviations).toEqual([
      expect.stringMatching(/^extractor: sound, published: official/),
    ]);
  });
});

test.each<[settings: SettingsInput, frames: string]>([
  [{ strategy: "direct", recognition: { frames: 16 } }, "16"],
  [{ strategy: "direct", recognition: { sampler: "fps", fps: 2 } }, "2 fps"],
  [{ strategy: "direct", recognition: { media: "video" } }, "video"],
  [{ strategy: "direct", recognition: { media: "video", video_fps: 1 } }, "video, 1 fps"],
  [
    { strategy: "direct", recognition: { media: "video", video_frames: 768 } },
    "video, at most 768 frames",
  ],
  [{ strategy: "blind" }, "–"],
  [{ strategy: "key-frame" }, "1"],
  [{ strategy: "rrd" }, "32"],
  [{ strategy: "agent" }, "–"],
  [{ strategy: "react" }, "–"],
  [{ strategy: "random", model: null }, "–"],
])("the frames of %j are %s", async (settings, frames) => {
  const folder = await makeRun(join(await tempFolder(), "run"), {
    settings: { model: "openai:gpt-4o", ...settings },
    samples: PROCEDURES,
    replies: GOOD,
  });
  const results = await readResults(folder);
  expect(framesOf({ results } as ReportRun)).toBe(frames);
});

test("runs of other data are in a separate part, and runs of one name are distinguished", async () => {
  const other = await makeRun(join(root, "elsewhere", "good"), {
    settings: MODEL,
    samples: PROCEDURES,
    replies: GOOD,
    header: {
      data: { folder: root, files: [], hash: "other", subset: "mcq", samples: 4, notes: [] },
    },
  });
  const runs = await Promise.all([join(root, "good"), other].map((path) => readResults(path)));
  const { parts } = makeReport(runs);
  expect(parts.map(({ runs }) => runs)).toEqual([["good"], ["good (2)"]]);
});

describe("runs that cannot be ranked, ties, and counts", () => {
  const named = (name: string, made: Partial<Parameters<typeof makeRun>[1]> = {}) =>
    makeRun(join(root, "ranked", name), {
      settings: MODEL,
      samples: PROCEDURES,
      replies: GOOD,
      header: { run: name },
      ...made,
    }).then((path) => readResults(path));
  const summary = (...runs: Awaited<ReturnType<typeof named>>[]) =>
    makeReport(runs).parts.flatMap(({ summary: told }) => told)[0];

  test("a best run is named among runs with results for the same questions only", async () => {
    const [good, poor] = [await named("good"), await named("poor", { replies: POOR })];
    const half = await named("half", { replies: { "1": order(2, 1, 3), "2": order(3, 1, 2) } });
    expect(summary(poor, good)).toMatch(
      /^good has the highest accuracy: 75\.00 .*\(3 of 4 right\).*\. Failed samples count as wrong \(poor: 1 of 4\)\.$/,
    );
    expect(summary(poor, half)).toBe(
      "No run is named as the best: the runs do not have results for the same questions (poor: 4, half: 2).",
    );
    const stopped = await named("stopped", {
      line: { status: "not-answered", limits_met: ["cost"], reply: null },
    });
    expect(summary(poor, stopped)).toBe(
      "No run is named as the best: samples that a budget stopped count as wrong (stopped: 4 of 4 (cost)).",
    );
  });

  test("an accuracy without the missing results is named so, next to that of all questions", async () => {
    const half = await named("half", { replies: { "1": order(2, 1, 3), "2": order(3, 1, 2) } });
    const [accuracies] = makeReport([half, await named("good")]).parts[0]?.tables ?? [];
    expect(accuracies?.head).toContain("Questions with a result");
    expect(accuracies?.about).toMatch(/^Questions with a result: .* All questions: those without/);
    const all = accuracies?.head.indexOf("All questions") ?? 0;
    // Half of the four, and three of the four; Wilson's intervals with t(3).
    expect(accuracies?.rows.map((row) => [row[5], row[all]])).toEqual([
      ["2 of 2", "50.00 [7.67, 92.33]"],
      ["3 of 4", "75.00 [16.27, 97.89]"],
    ]);
  });

  test("results without a scorer are in no count of wrong ones, and not in the cost of a right answer", async () => {
    const open = ["5", "6", "7"].map((id) => ({
      ...(PROCEDURES[0] as Sample),
      ...{ id, video: `${id}.mp4`, task: "open" as const, answer: "tea" },
    }));
    const made = {
      benchmark: "dataset",
      samples: [...PROCEDURES.slice(0, 2), ...open],
      header: { scorers: { order: { name: "order", settings: {} } } },
    };
    const replies = { "1": order(2, 1, 3), "2": order(1, 2, 3), "5": "tea", "6": null, "7": "tea" };
    const a = await named("a", { ...made, replies });
    const stopped = a.said.map((one) =>
      one.sample.id === "7" && one.line !== null
        ? {
            ...{ ...one, reply: null },
            line: { ...one.line, status: "not-answered" as const, limits_met: ["cost"] },
          }
        : one,
    );
    const [told] = makeReport([
      { ...a, said: stopped },
      await named("b", { ...made, replies }),
    ]).parts;
    expect(told?.summary?.[0]).toMatch(/^a and b have the same accuracy: 50\.00 .*\.$/);
    expect(told?.summary?.[0]).not.toContain("Failed");
    expect(told?.summary?.[0]).toContain("; guessing scores 16.67 %");
    expect(told?.about[0]).toMatch(/^2 questions on 2 videos; guessing scores 16\.67 %/);
    expect(told?.warnings).toContain("a: 1 failed (model-unreachable): 6: The server was away.");
    const costs = told?.tables.find(({ title }) => title.startsWith("Calls, cost"));
    // One of the two orders is right, and each result costs $0.01.
    expect(records(costs as ReportTable)[0]).toMatchObject({
      Cost: "0.0100",
      "Cost per right answer": "0.0200",
    });
    expect(costs?.about).toContain("Cost per right answer: without answers that have no scorer.");
    expect(caveatsOf({ ...a, said: stopped })).toMatchObject({
      ...{ failed: { count: 0, of: 2 }, stopped: null },
    });
  });

  test("a cost too small for four decimals is not shown as 0, nor a missing right answer as a missing price", async () => {
    const usage = { calls: 1, frames: 0, input: 1, output: 1, cost: 0.00002, paid: 0 };
    const wrong = await named("wrong", { line: { usage }, replies: { "1": order(1, 2, 3) } });
    const [told] = makeReport([wrong]).parts;
    const costs = told?.tables.find(({ title }) => title.startsWith("Calls, cost"));
    expect(records(costs as ReportTable)[0]).toMatchObject({
      Cost: "< 0.0001",
      "Cost per right answer": "–",
    });
    expect(costs?.about).toContain("a price is not known, or that no answer is right.");
  });

  test("equal accuracies are a tie", async () => {
    const [a, b] = [await named("a"), await named("b")];
    const poor = await named("poor", { replies: POOR });
    expect(summary(a, b)).toMatch(/^a and b have the same accuracy: 75\.00 /);
    expect(summary(a, poor, b)).toMatch(/^a and b share the highest accuracy: 75\.00 /);
  });

  test("a question with results of several epochs counts once", async () => {
    const folder = join(root, "ranked", "epochs");
    await named("epochs", { header: { run: "epochs", epochs: 3 } });
    const lines = await readFile(join(folder, "samples.jsonl"), "utf8");
    // The third epoch has a single result.
    const third = `${lines.split("\n")[0]}\n`.replaceAll('"epoch":1', '"epoch":3');
    await appendFile(
      join(folder, "samples.jsonl"),
      lines.replaceAll('"epoch":1', '"epoch":2') + third,
    );
    const [told] = makeReport([await readResults(folder), await named("one")]).parts;
    const groups = told?.tables.find(({ title }) => title === "Accuracy by number of steps");
    expect(groups?.rows.map((row) => row.slice(0, 2))).toEqual([
      ["3", "2"],
      ["4", "2"],
    ]);
    expect(told?.about[0]).toMatch(/^4 questions on 4 videos/);
  });

  test("a run without a call has the model of its settings, and a missing setting is said to be not set", async () => {
    const told = makeReport([
      await named("unset", { replies: { "1": null } }),
      await named("set", { settings: { ...MODEL, budget: { expected_output: 10 } } }),
      await named("guess", { settings: { strategy: "random" } }),
    ]).parts[0];
    expect(told?.tables[0]?.rows.map((row) => row.slice(1, 3))).toEqual([
      ["direct, model openai:gpt-4o, budget.expected_output not set", "openai:gpt-4o"],
      ["direct, model openai:gpt-4o, budget.expected_output 10", "openai:gpt-4o"],
      ["random (baseline, no language model)", "none"],
    ]);
  });

  test("a pair of runs is compared on its own questions, whatever a third run has", async () => {
    const [good, poor] = [await named("good"), await named("poor", { replies: POOR })];
    const one = await named("one", { replies: { "4": order(1, 3, 2, 4) } });
    const [told] = makeReport([good, poor, one]).parts;
    const differences = told?.tables.find(({ title }) => title === "Differences between runs");
    expect(differences?.about).toContain("on the questions that both runs of a row have");
    const rows = differences?.rows.filter(([, , metric]) => metric === "accuracy");
    // Run, number of questions, difference.
    expect(rows?.map((row) => [row[0], row[3], row[4]])).toEqual([
      ["poor", "4", "-50.00"],
      ["one", "1", "+100.00"],
    ]);
  });

  test("a pair without a common question does not hide the other differences", async () => {
    const good = await named("good", { replies: { "1": order(2, 1, 3), "2": order(3, 1, 2) } });
    const poor = await named("poor", { replies: POOR });
    const other = await named("other", { replies: { "4": order(1, 3, 2, 4) } });
    const [told] = makeReport([good, poor, other]).parts;
    const differences = told?.tables.find(({ title }) => title === "Differences between runs");
    expect(differences?.rows[0]?.slice(0, 5)).toEqual([
      "poor",
      "good (same settings)",
      "accuracy",
      "2",
      "-50.00",
    ]);
    expect(differences?.about).toContain("Not compared: Cannot compare good and other");
  });

  test("a single extractor does not show that a conclusion holds", async () => {
    const runs = [await named("good"), await named("poor", { replies: POOR })].map((run) => {
      const { sound } = run.benchmark.extractors;
      // Two names of one function are one extractor.
      const extractors = { official: sound, sound };
      return { ...run, benchmark: { ...run.benchmark, extractors } };
    });
    const conclusions = makeReport(runs, { extractor: "sound" }).parts[0]?.tables.find(
      ({ title }) => title === "Conclusions under each extractor",
    );
    expect(conclusions?.about).toContain('Only the extractor "sound" reads these replies');
    expect(conclusions?.rows.map((row) => row.at(-1))).toEqual(Array(3).fill("only one extractor"));
  });

  test("nothing is said of how a response file was made", async () => {
    const path = join(root, "responses.jsonl");
    const rows = PROCEDURES.map(({ row }) => JSON.stringify({ ...row, pred: order(2, 1, 3) }));
    await writeFile(path, rows.join("\n"));
    const file = await readResults(path, { benchmark: "vcrbench" });
    const own = await named("own");
    const told = makeReport([
      { ...file, data: own.data, extraction: { ...extractorOf(file), name: "official" } },
      { ...own, extraction: { ...extractorOf(own), name: "sound" } },
    ]).parts[0];
    expect(told?.warnings.join(" ")).not.toContain("baseline");
    expect(told?.about[0]).toContain('"official" (responses.jsonl) and "sound" (own).');
    expect(told?.about[0]).not.toContain("answer format");
  });
});
