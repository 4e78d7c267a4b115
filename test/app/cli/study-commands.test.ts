import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { main } from "../../../src/app/cli/main.ts";
import { makeRun } from "../../evals/run/made-runs.ts";
import { tempFolder } from "../../support/temp.ts";

let out = "";
let err = "";
beforeEach(() => {
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

/** Runs a command in this process. Returns its JSON output. */
async function json(...args: string[]) {
  out = "";
  await main([...args, "--json"]);
  expect(err).toBe("");
  return JSON.parse(out);
}

async function refused(...args: string[]): Promise<string> {
  err = "";
  await main(args);
  expect(process.exitCode).toBeGreaterThan(0);
  return err.trim();
}

let direct: string;
let rrd: string;
beforeAll(async () => {
  const root = await tempFolder();
  const samples = Array.from(
    { length: 30 },
    (_, index): Sample => ({
      id: `q${index}`,
      video: `v${index}.mp4`,
      hasVideo: false,
      question: `Question ${index}?`,
      task: "choice",
      options: ["A", "B", "C", "D"].map((letter) => ({ letter, text: `text ${letter}` })),
      answer: "A",
      row: {},
    }),
  );
  // The first is right in every second question, the second also in every third.
  const run = (name: string, isRight: (index: number) => boolean, frames: number) =>
    makeRun(join(root, name), {
      benchmark: "dataset",
      settings: { strategy: "direct", model: "openai:m", runtime: { data: join(root, "store") } },
      samples,
      replies: Object.fromEntries(
        samples.map(({ id }, index) => [id, `Answer: ${isRight(index) ? "A" : "B"}`]),
      ),
      line: { usage: { calls: 1, frames, input: 100 * frames, output: 10, cost: 0.01, paid: 0 } },
    });
  direct = await run("direct", (index) => index % 2 === 0, 4);
  rrd = await run("rrd", (index) => index % 2 === 0 || index % 3 === 0, 16);
});

describe("power", () => {
  const videos = async (...flags: string[]) =>
    (await json("power", "--discordant", "0.25", "--difference", "5", ...flags)).sizes[0].clustered
      .videos;

  test("each flag changes the size in its direction", async () => {
    const plain = await videos();
    expect(plain).toBe(779);
    expect(await videos("--power", "0.9")).toBeGreaterThan(plain);
    expect(await videos("--alpha", "0.01")).toBeGreaterThan(plain);
    expect(await videos("--comparisons", "3")).toBeGreaterThan(plain);
    expect(await videos("--questions-per-video", "3")).toBeLessThan(plain);
    const three = await videos("--questions-per-video", "3");
    expect(await videos("--questions-per-video", "3", "--correlation", "0.5")).toBeGreaterThan(
      three,
    );
  });

  test("a pilot gives the spread", async () => {
    const plan = await json("power", direct, rrd, "--difference", "10", "--seed", "3");
    // 5 of 30 questions differ, all in favour of the second.
    expect(plan.spread).toMatchObject({ difference: 5 / 30, square: 5 / 30, questions: 30 });
  });

  test.each([
    [["--discordant", "2"], 'Invalid --discordant "2": use a number above 0, up to 1.'],
    [
      ["--discordant", "0.2", "--alpha", "0"],
      'Invalid --alpha "0": use a number above 0, up to 0.5.',
    ],
    [["--discordant", "0.2", "--questions-per-video", "0"], "Invalid --questions-per-video"],
    [
      ["--discordant", "0.2", "--difference", "30"],
      "Invalid --difference 30: runs that score 20 % of the questions differently (--discordant) differ by at most as many points.",
    ],
    [[], "No pilot. Give two runs, or --discordant"],
    [["only-one"], "Invalid pilot of 1 run: give two runs"],
  ])("%j is refused", async (flags, message) => {
    expect(await refused("power", ...flags)).toContain(message);
  });
});

describe("study frontier", () => {
  test("compares runs by what they spend", async () => {
    const spent = async (...flags: string[]) =>
      (await json("study", "frontier", direct, rrd, ...flags)).points.map(
        (point: { spent: number }) => point.spent,
      );
    expect(await spent()).toEqual([4, 16]);
    expect(await spent("--by", "tokens")).toEqual([410, 1610]);
    const named = await json("study", "frontier", direct, rrd, "--accuracy", "60", "--seed", "1");
    expect(named.target).toBe(0.6);
    expect(named.points[1].accuracy.mean).toBeCloseTo(20 / 30, 10);
    expect(await refused("study", "frontier", direct, rrd, "--accuracy", "101")).toBe(
      'Invalid --accuracy "101": use a number from 0 to 100.',
    );
  });

  test("a report in another format is refused before anything is read", async () => {
    expect(await refused("study", "frontier", "nothing", "-o", "page.pdf")).toContain(".html");
    const page = join(await tempFolder(), "page.html");
    await json("study", "frontier", direct, rrd, "-o", page).catch(() => undefined);
    expect((await stat(page)).size).toBeGreaterThan(1000);
  });
});

test("study calibration refuses runs without confidences", async () => {
  expect(await refused("study", "calibration", direct)).toContain(
    "No answer of direct has a confidence: use a run with several epochs",
  );
  expect(await refused("study", "calibration", direct, "--seed", "-1")).toContain(
    'Invalid --seed "-1"',
  );
});
