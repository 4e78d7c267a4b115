import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { studyCalibration } from "../../../evals/calibration/calibration-study.ts";
import { compareResults } from "../../../evals/compare/compare.ts";
import { makeReport } from "../../../evals/report/report.ts";
import type { EvalHeader } from "../../../evals/run/run-header.ts";
import { addLine, estimateRate, noProgress } from "../../../evals/run/run-progress.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import { scoreJson, scoreResults } from "../../../evals/score/score-run.ts";
import { progressText } from "../../../src/app/cli/eval-progress.ts";
import { renderScore } from "../../../src/app/cli/render/score.ts";
import { NO_USAGE } from "../../../src/core/shapes.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { tempFolder } from "../../support/temp.ts";
import { lineOf, makeRun } from "../run/made-runs.ts";
import { mathRows, refusal } from "../run/run-fixtures.ts";

async function file(name: string, content: unknown): Promise<string> {
  const path = join(await tempFolder(), name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const vcr = (pred: string, qid = "1", answer = [2, 1, 3]) => ({
  qid,
  answer,
  video_file: `video_${qid}.mp4`,
  pred,
});

test("a VCRBench file without its data is scored by its content, and not by goal", async () => {
  const path = await file("r.json", [vcr("2, 1, 3"), vcr("3, 2, 1", "2"), vcr("2 -> 1 -> 3", "3")]);
  const score = scoreResults(await readResults(path));
  expect(score.official).toEqual({
    avg_accuracy: 33.33,
    avg_step_accuracy: 33.33,
    scores_per_step: { 3: 33.33 },
  });
  expect(score.all).toMatchObject({ right: 1, all: 3, answered: 2, unscored: 0 });
  expect(score.invalid_rate).toBeCloseTo(1 / 3);
  expect(score.groups.map(({ kind, group }) => [kind, group])).toEqual([["steps", "3"]]);
  const sound = scoreResults(await readResults(path), "sound");
  expect(sound).toMatchObject({ extractor: "sound", invalid_rate: 0, all: { right: 2 } });
});

test("an lmms-eval log is scored over the documents in it", async () => {
  const lines = mathRows(3).map((doc, doc_id) =>
    JSON.stringify({ doc_id, doc, target: doc.answer, resps: [["A"]], filtered_resps: ["A"] }),
  );
  const path = await file("log.jsonl", lines.join("\n"));
  const score = scoreResults(await readResults(path));
  expect(score.benchmark).toBe("videomathqa");
  expect(scoreJson(score)).toMatchObject({
    MCQ: 100 / 3,
    video_rrd: { extractor: "official", all: { right: 1, all: 3 } },
  });
});

test("a file without required data is refused with what to provide", async () => {
  const bare = await file("bare.jsonl", JSON.stringify({ question_idx: 1, raw_response: "[[A]]" }));
  expect((await refusal(readResults(bare))).message).toBe(
    "Missing --data for bare.jsonl: the file does not contain the questions that it answers.",
  );
  const silent = await file("silent.jsonl", JSON.stringify({ doc_id: 0, resps: ["A"] }));
  expect((await refusal(readResults(silent))).message).toContain("Missing --benchmark for");
  const none = await refusal(readResults(join(await tempFolder(), "none.json")));
  expect(none).toMatchObject({ kind: "not-found" });
  const empty = await refusal(readResults(await tempFolder()));
  expect(empty.message).toContain("header.json is missing");
  const odd = await file("odd.json", [vcr("1, 2, 3")]);
  expect((await refusal(readResults(odd, { benchmark: "mmr-v" }))).kind).toMatch(
    /wrong-usage|data-malformed/,
  );
});

const choice = (id: string): Sample => ({
  ...{ id, video: `${id}.mp4`, hasVideo: true, question: "Which one?", task: "choice" },
  options: [..."ABC"].map((letter) => ({ letter, text: `option ${letter}` })),
  answer: "A",
  row: {
    ...{ video: `${id}.mp4`, question: "Which one?", correctAnswer: "(A)" },
    options: [..."ABC"].map((letter) => `(${letter}) option ${letter}`),
  },
});
const settings = { strategy: "blind", model: "openai:m" };

test("results that are missing count as wrong beside those that exist, and a stopped run says why", async () => {
  const samples = ["a", "b", "c", "d"].map(choice);
  const folder = await makeRun(join(await tempFolder(), "stopped"), {
    ...{ benchmark: "mmr-v", settings, samples, replies: { a: "[[A]]", b: null } },
    header: { status: "stopped", ended_by: "Stopped at --total-cost-limit 1." },
  });
  const score = scoreResults(await readResults(folder));
  expect(score.all).toMatchObject({ right: 1, all: 2, accuracy: 0.5 });
  expect(score.all_planned).toMatchObject({ right: 1, all: 4, accuracy: 0.25 });
  expect(score.missing).toBe(2);
  const text = renderScore(score);
  expect(text).toMatch(/questions with a result \(unanswered = wrong\) +50\.00 %/);
  expect(text).toMatch(/all questions \(without a result = wrong\) +25\.00 % .* 1 +4\n/);
  expect(text).toContain("not finished: Stopped at --total-cost-limit 1.");
});

/** A run of several epochs; `said`: the replies to each sample, epoch by epoch. */
async function epochsRun(
  said: Record<string, readonly (string | null)[]>,
  header: Partial<EvalHeader>,
): Promise<Results> {
  const samples = Object.keys(said).map(choice);
  const folder = await makeRun(join(await tempFolder(), "epochs"), {
    ...{ benchmark: "mmr-v", settings, samples, replies: {}, header },
  });
  const lines = Object.entries(said).flatMap(([id, replies]) =>
    replies.map((reply, place) =>
      JSON.stringify({ ...lineOf(id, reply, samples), epoch: place + 1 }),
    ),
  );
  await writeFile(join(folder, "samples.jsonl"), lines.join("\n"));
  return readResults(folder);
}

test("questions answered in different numbers of epochs weigh the same, of all and of the answered ones", async () => {
  const [right, wrong] = ["[[A]]", "[[B]]"];
  const { all, all_planned } = scoreResults(
    await epochsRun(
      { a: [right, right, right], b: [right, wrong, null], c: [null, null, null] },
      { epochs: 3 },
    ),
  );
  // Of all: 1, 1/3 and 0; of the answered ones: 1 and 1/2.
  expect(all).toMatchObject({ right: 4, partial: 0, all: 9, answered: 5 });
  expect(all.ofAll).toMatchObject({ mean: expect.closeTo(4 / 9, 12), n: 3 });
  expect(all.ofAnswered).toMatchObject({ mean: 0.75, n: 2 });
  expect(all.accuracyAnswered).toBe(0.75);
  expect(all_planned).toBeNull();
});

test("with missing epochs, every accuracy of a run weighs questions, and says so next to the counts", async () => {
  const [right, wrong] = ["[[A]]", "[[B]]"];
  const results = await epochsRun(
    { a: [right], b: [right], c: [wrong, wrong, wrong] },
    { epochs: 3, status: "stopped" },
  );
  const score = scoreResults(results);
  // Right: 2 of 5 results, and 2 of 3 questions.
  for (const value of [
    score.all.accuracy,
    score.all.accuracyAnswered,
    score.all.ofAll?.mean,
    score.all.ofAnswered?.mean,
  ])
    expect(value).toBeCloseTo(2 / 3, 12);
  expect(score.all_planned?.accuracy).toBeCloseTo(2 / 9, 12);
  const caveat = "every question weighs the same";
  const text = renderScore(score);
  expect(text).toMatch(/answered only +66\.67 % .* 2 +5\n/);
  expect(text).toContain(
    `accuracy: ${caveat}, so the counts do not give it (for example 2 of 5 is 40.00 %)`,
  );
  const [part] = makeReport([results]).parts;
  expect(part?.summary?.[0]).toMatch(
    /^epochs has an accuracy of 66\.67 .* \(2 of 5 results right; every question weighs the same\)/,
  );
  const tables = new Map(part?.tables.map((table) => [table.title, table]));
  expect(tables.get("Accuracy")?.about).toContain(
    `Right counts results, which do not give the accuracies of epochs: ${caveat}.`,
  );
  // Only one question has all its epochs.
  expect(text).toMatch(/pass@2 \(1 question with all epochs\) +0\.00 %/);
  expect(tables.get("Majority and pass@k")?.rows[0]?.slice(3)).toEqual(
    [1, 2, 3].map(() => "0.00 (n 1)"),
  );
  const even = await epochsRun({ a: [right, wrong], b: [right, right] }, { epochs: 2 });
  expect(renderScore(scoreResults(even))).not.toContain(caveat);
  expect(makeReport([even]).parts[0]?.summary?.[0]).toContain("(3 of 4 right)");
});

test("the consistency over orders of the options counts questions with all planned orders", async () => {
  // In the data's letters: B under the second order is the option that it shows as A.
  const [first, second, third] = ["[[A]]", "[[C]]", "[[B]]"];
  const shifted = async (said: Parameters<typeof epochsRun>[0]) => {
    const results = await epochsRun(said, { option_orders: 3 });
    const seen = results.said.map((one) => ({ ...one, shift: one.epoch - 1 }));
    return scoreResults({ ...results, said: seen });
  };
  const some = await shifted({ a: [first, second, third], b: [first, second], c: [first] });
  expect(some.option_orders).toMatchObject({
    ...{ questions: 1, left_out: 2, same_in_all: { mean: 1, n: 1 }, right_in_all: { mean: 1 } },
  });
  expect(renderScore(some)).toContain("orders of the options, 1 question with all orders");
  const none = await shifted({ a: [first, second], b: [first, second] });
  expect(none.option_orders).toEqual({
    ...{ questions: 0, left_out: 2, same_in_all: null, same_in_pairs: null, right_in_all: null },
  });
  expect(renderScore(none)).toMatch(
    /right in all orders +none\nleft out: 2 questions lack the result of at least one order/,
  );
});

test("the majority is of as many epochs as a question can have", async () => {
  const samples = ["a", "b"].map(choice);
  const folder = await makeRun(join(await tempFolder(), "orders"), {
    ...{ benchmark: "mmr-v", settings, samples, replies: {}, header: { option_orders: 5 } },
  });
  const lines = samples.flatMap(({ id }) =>
    [1, 2, 3].map((epoch) => JSON.stringify({ ...lineOf(id, "[[A]]", samples), epoch })),
  );
  await writeFile(join(folder, "samples.jsonl"), lines.join("\n"));
  const { over_epochs, missing } = scoreResults(await readResults(folder));
  expect([over_epochs?.epochs, over_epochs?.pass_at.length, missing]).toEqual([3, 3, 0]);
});

describeShared("released responses", () => {
  test("of VCRBench's random baseline give every official number under its name", async () => {
    const results = await readResults(sharedFile("vcrbench/random_responses_1.json"), {
      benchmark: "vcrbench",
      data: sharedFile("vcrbench"),
    });
    const official = JSON.parse(
      await readFile(sharedFile("vcrbench/random_responses_1_official_scores.json"), "utf8"),
    );
    expect(scoreJson(scoreResults(results))).toMatchObject(official);
  });

  test("of MMR-V are scored without further data if the rows are in the file", async () => {
    const path = sharedFile("mmr-v/questions_with_gpt-4o_responses.json");
    const score = scoreResults(await readResults(path));
    expect(score.all).toMatchObject({ all: 100, right: 47 });
    const rows = JSON.parse(await readFile(path, "utf8")) as { correctAnswer: string }[];
    expect(score.official).toMatchObject({ total: { count: `47/${rows.length}` } });
  });
});

test("progress is computed from lines: stored results have no rate, and errors are not results", () => {
  const line = {
    status: "answered",
    limits_met: [],
    scores: { official: { value: 1 } },
    usage: { ...NO_USAGE, calls: 2, cost: 0.5, paid: 0.25 },
  };
  const failed = {
    status: "error",
    limits_met: [],
    scores: { official: { value: null } },
    usage: NO_USAGE,
    error: { kind: "x", message: "y" },
  };
  let progress = addLine(noProgress(10), line, false, "official");
  expect(estimateRate(progress, 5)).toBeNull();
  const stopped = { ...line, status: "not-answered", limits_met: ["cost"] };
  expect(addLine(progress, stopped, true, "official")).toMatchObject({
    stopped: 1,
    errors: 0,
    done: 2,
  });
  progress = addLine(addLine(progress, line, true, "official"), failed, true, "official");
  expect(progress).toEqual({
    ...{ total: 10, done: 2, fresh: 2, errors: 1, stopped: 0, right: 2, scored: 2, calls: 4 },
    ...{ cost: 1, paid: 0.25 },
  });
  expect(estimateRate(progress, 4)).toEqual({ rate: 0.5, left_s: 14 });
  // The error is not scored, and counts as wrong only at the end of the run.
  expect(progressText(progress, 4)).toBe(
    "3 of 10 (30 %) · 0.50 a second · 00:14 left · accuracy 100.0 % of 2 scored · $1.0000 ($0.2500 paid now) · 1 error",
  );
  expect(progressText({ ...progress, cost: null }, 4)).toContain(" of 2 scored · – · 1 error");
  const unpriced = { ...line, usage: { ...line.usage, cost: null, paid: null } };
  expect(addLine(progress, unpriced, true, "official")).toMatchObject({ cost: null, paid: null });
});

const pair = (question: number, place: number): Sample => ({
  ...choice(`${question}/${place}`),
  options: [..."AB"].map((letter) => ({ letter, text: `option ${letter}` })),
  pairs: 2,
  row: { question_id: question, category: "Chart", length: "short" },
});

test("a question has no result in an epoch before all of its pairs have one, also in runs that do not store how many", async () => {
  const whole = [pair(1, 1), pair(1, 2), pair(2, 1), pair(2, 2)];
  const runOf = async (name: string, samples: readonly Sample[], missing: string[]) => {
    const folder = await makeRun(join(await tempFolder(), name), {
      ...{ benchmark: "videomathqa", settings, samples, replies: {}, header: { epochs: 2 } },
    });
    const lines = samples.flatMap(({ id }) =>
      [1, 2]
        .filter((epoch) => !missing.includes(`${epoch} ${id}`))
        .map((epoch) => JSON.stringify({ ...lineOf(id, "A", samples), epoch })),
    );
    await writeFile(join(folder, "samples.jsonl"), lines.join("\n"));
    return readResults(folder);
  };
  for (const samples of [whole, whole.map(({ pairs: _, ...sample }) => sample)]) {
    const some = await runOf("some", samples, ["2 1/2"]);
    const score = scoreResults(some);
    expect(score.all).toMatchObject({ right: 3, all: 3, unscored: 0, accuracy: 1 });
    expect(score.all_planned).toMatchObject({ right: 3, all: 4, accuracy: 0.75 });
    expect(score.missing).toBe(1);
    expect(score.over_epochs?.pass_at.map(({ n, mean }) => [n, mean])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(score.option_positions[0]).toMatchObject({ results: 7, accuracy: { mean: 1 } });
    // The vote of the pair has a single ballot.
    expect(studyCalibration(some).signals[0]).toMatchObject({ signal: "votes", risk: { aurc: 0 } });
    expect(studyCalibration(some).signals[0]?.stated?.brier).toBe(0);
    const all = await runOf("all", samples, []);
    expect(compareResults([all, some]).runs.map(({ value }) => value.mean)).toEqual([1, 1]);
    const rerun = { ...some, said: some.said.map((one) => ({ ...one, line: started(one.line) })) };
    expect(compareResults([all, rerun]).noise).toMatchObject({ results: 4, left_out: 1 });
  }
});

function started(line: Results["said"][number]["line"]) {
  return line && { ...line, started_at: "2026-11-21T10:00:00.000Z" };
}

test("questions of which only some pairs are asked are in a note instead of the accuracy", async () => {
  const scoreOf = async (asked: readonly Sample[]) => {
    const replies = Object.fromEntries(asked.map(({ id }) => [id, "A"]));
    const run = { settings: { strategy: "random" }, samples: asked, replies };
    const folder = await makeRun(await tempFolder(), { ...run, benchmark: "videomathqa" });
    return scoreResults(await readResults(folder));
  };
  const note = {
    what: "questions with missing pairs, counted neither as right nor as wrong",
    count: 1,
    examples: ["question 1 (1 of 2 pairs)"],
  };
  const part = await scoreOf([pair(1, 2)]);
  expect(part.official).toMatchObject({ MBin: null });
  expect(part.all).toMatchObject({ all: 0, accuracy: null, ofAll: null });
  expect(part.notes).toEqual([note]);
  expect(renderScore(part)).toContain(
    "note: 1 question with missing pairs, counted neither as right nor as wrong: question 1 (1 of 2 pairs)",
  );
  const both = await scoreOf([pair(1, 2), pair(2, 1), pair(2, 2)]);
  expect(both).toMatchObject({ official: { MBin: 100 }, all: { right: 1, all: 1 }, notes: [note] });
  const whole = await scoreOf([pair(2, 1), pair(2, 2)]);
  expect(whole.notes).toEqual([]);
});
