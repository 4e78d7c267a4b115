import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { exportResults } from "../../../evals/export/export-run.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { epochsOf, inDataLetters, shifted, variantOf } from "../../../evals/run/option-orders.ts";
import { planRun } from "../../../evals/run/plan-run.ts";
import { resumeRun, startRun } from "../../../evals/run/run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { mmrData, refusal } from "./run-fixtures.ts";

const question = (letters: readonly string[], answer: string): Sample => ({
  ...{ id: "1", video: "v.mp4", hasVideo: true, question: "Which?", task: "choice", row: {} },
  options: letters.map((letter) => ({ letter, text: `words of ${letter}` })),
  answer,
});

describe("orders", () => {
  const letters = fc.subarray([..."ABCDEFGHIJKL"], { minLength: 2 });

  test("a shift moves the texts under the letters, and the letters of the data undo it", () => {
    fc.assert(
      fc.property(letters, fc.nat(), fc.nat(30), (named, pick, shift) => {
        const answer = named[pick % named.length] as string;
        const sample = question(named, answer);
        const seen = shifted(sample, shift);
        expect(seen.options.map(({ letter }) => letter)).toEqual(named);
        expect(inDataLetters(sample, seen.answer, shift)).toBe(answer);
        for (const { letter, text } of seen.options)
          expect(text).toBe(`words of ${inDataLetters(sample, letter, shift)}`);
      }),
    );
  });

  test("over as many orders as options, the right one is at every position once", () => {
    const sample = question([..."ABCDE"], "B");
    const places = [0, 1, 2, 3, 4].map((shift) => shifted(sample, shift).answer);
    expect(places.sort()).toEqual([..."ABCDE"]);
    expect(shifted(sample, 0)).toBe(sample);
    expect(inDataLetters(sample, null, 2)).toBeNull();
    expect(inDataLetters(sample, "Z", 2)).toBe("Z");
  });

  test("every epoch is one repetition of one order; a question has no more orders than options", () => {
    expect(epochsOf(question([..."AB"], "A"), 2, 3)).toEqual([1, 2, 4, 5]);
    expect([1, 2, 3, 4].map((epoch) => variantOf(epoch, 3))).toEqual([
      { round: 0, shift: 0 },
      { round: 0, shift: 1 },
      { round: 0, shift: 2 },
      { round: 1, shift: 0 },
    ]);
  });
});

describe("a run", () => {
  let server: ModelServer;
  let data: string;
  let root: string;
  let runs = 0;

  beforeAll(async () => {
    server = await startModelServer(() => "");
    data = await mmrData(1, 2);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    server.reset();
    root = await tempFolder();
  });

  /** Finds the right option by its text in any order: `one` for the first question, `two` for the second. */
  const knowing: Script = ({ texts }) => {
    const text = texts.join("\n");
    const words = text.includes("Which of 0?") ? "one" : "two";
    return `[[${new RegExp(`\\(([A-C])\\) ${words}\\b`).exec(text)?.[1]}]]`;
  };

  const settings = (more: object = {}) => ({
    ...{ benchmark: "mmr-v", data, strategy: "blind", model: "openai:scripted" },
    runtime: { base_url: server.url, data: join(root, "store") },
    ...more,
  });
  async function run(script: Script, more: object = {}) {
    server.answer(script);
    const folder = join(root, `run-${++runs}`);
    await startRun(settings(more), folder);
    return folder;
  }
  const optionsOf = (texts: readonly string[]) =>
    [...texts.join("\n").matchAll(/\(([A-C])\) (one|two|three)/g)].map(([, , words]) => words);

  test("asks every order once, reads letters as they were shown, and asks the order of the data unchanged", async () => {
    const plain = await run(knowing);
    const before = await openRunLog(plain).read();
    expect(server.requests).toHaveLength(2);
    server.reset();
    const folder = await run(knowing, { option_orders: 5 });
    // Three options have three orders; the order of the data is already answered.
    expect(server.requests).toHaveLength(4);
    expect(server.requests.map(({ texts }) => optionsOf(texts).join())).toEqual(
      expect.arrayContaining(["two,three,one", "three,one,two"]),
    );
    const { samples: lines } = await openRunLog(folder).read();
    expect(lines).toHaveLength(6);
    const keys = (of: readonly object[]) =>
      of.flatMap((line) => (line as { calls: { key: string }[] }).calls.map(({ key }) => key));
    expect(keys(lines)).toEqual(expect.arrayContaining(keys(before.samples)));
    const results = await readResults(folder);
    expect(results.missing).toBe(0);
    const score = scoreResults(results);
    expect(score.all).toMatchObject({ right: 6, all: 6, ofAll: { mean: 1, n: 2 } });
    expect(score.option_orders).toMatchObject({
      questions: 2,
      same_in_all: { mean: 1 },
      same_in_pairs: { mean: 1 },
      right_in_all: { mean: 1 },
    });
    expect(score.option_positions.map(({ results: n, accuracy }) => [n, accuracy?.mean])).toEqual([
      [2, 1],
      [2, 1],
      [2, 1],
    ]);
    const released: object[] = JSON.parse(exportResults(results, "mmr-v"));
    expect(released).toMatchObject([
      { scripted_raw_response: "[[A]]" },
      { scripted_raw_response: "[[B]]" },
    ]);
    const plan = await planRun(settings({ option_orders: 5 }));
    expect(plan).toMatchObject({ samples: 2, results: 6, calls: 6 });
  });

  test("exposes a model that always answers A", async () => {
    const folder = await run(() => "[[A]]", { option_orders: 3 });
    const results = await readResults(folder);
    const score = scoreResults(results);
    expect(score.all.accuracy).toBeCloseTo(1 / 3);
    expect(score.option_orders).toMatchObject({
      same_in_all: { mean: 0 },
      same_in_pairs: { mean: 0 },
      right_in_all: { mean: 0 },
    });
    expect(score.option_positions).toMatchObject([
      { position: 1, results: 2, accuracy: { mean: 1 }, offered: 6, named: 6 },
      { position: 2, results: 2, accuracy: { mean: 0 }, named: 0 },
      { position: 3, results: 2, accuracy: { mean: 0 }, named: 0 },
    ]);
    const answers = results.said.map(({ line }) => line?.answer);
    expect(answers).toEqual(["A", "B", "C", "A", "B", "C"]);
    const titles = makeReport([results]).parts[0]?.tables.map(({ title }) => title);
    expect(titles).toContain("Accuracy by position of the right option");
    expect(titles).toContain("Consistency over orders of the options");
  });

  test("resumes with the missing orders", async () => {
    const folder = await run(knowing, { option_orders: 2 });
    const path = join(folder, "samples.jsonl");
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    await writeFile(path, `${lines.filter((line) => !line.includes('"shift":1')).join("\n")}\n`);
    const stopped = scoreResults(await readResults(folder));
    expect(stopped).toMatchObject({ missing: 2, option_orders: { questions: 0, left_out: 2 } });
    server.reset();
    const { progress } = await resumeRun(folder);
    expect(progress).toMatchObject({ total: 4, done: 4, fresh: 2 });
    // Earlier calls are not billed again.
    expect(server.requests).toHaveLength(0);
    const again = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(again.filter((line) => line.includes('"shift":1'))).toHaveLength(2);
  });

  test("questions without options have no orders", async () => {
    const { kind, message } = await refusal(
      startRun(settings({ benchmark: "vcrbench", option_orders: 2 }), join(root, "none")),
    );
    expect(kind).toBe("wrong-setting");
    expect(message).toBe(
      "Invalid --option-orders 2 for vcrbench: its questions have no options. Leave it out, or use --epochs.",
    );
  });
});
