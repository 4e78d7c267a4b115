import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { GOOD, makeRun, POOR, PROCEDURES } from "../../evals/run/made-runs.ts";
import { mmrData } from "../../evals/run/run-fixtures.ts";
import { runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

let root: string;

beforeAll(async () => {
  root = await tempFolder();
  const settings = { strategy: "direct", model: "openai:gpt-4o" } as const;
  await makeRun(join(root, "good"), { settings, samples: PROCEDURES, replies: GOOD });
  await makeRun(join(root, "poor"), { settings, samples: PROCEDURES, replies: POOR });
});

const cli = (...args: string[]) => runCommand(root, args);

describe("report", () => {
  test("writes the page, and prints tables for a paper", async () => {
    const page = await cli("report", "good", "poor", "-o", "out/report.html");
    expect(page).toMatchObject({ code: 0, out: "" });
    expect(await readFile(join(root, "out/report.html"), "utf8")).toContain("75.00 [16.27, 97.89]");
    const markdown = await cli("report", "good", "--format", "markdown");
    expect(markdown.out).toMatch(
      /\| good \| direct \| openai:gpt-4o \| sound \| 75\.00 \\\[16\.27, 97\.89\\\] \|/,
    );
    const json = JSON.parse((await cli("report", "good", "poor", "--format", "json")).out);
    expect(json.parts[0].tables[0].rows[0]).toContain("75.00 [16.27, 97.89]");
    await cli("report", "good", "-o", "table.tex");
    expect(await readFile(join(root, "table.tex"), "utf8")).toContain(
      "75.00 {[}16.27, 97.89{]} & 3 of 4",
    );
  });

  test.each([
    [["report", "nowhere"], 1, /Cannot open nowhere/],
    [
      ["report", "good", "-o", "report.pdf"],
      2,
      /^Invalid --out "report\.pdf": use a name that ends in \.html, /,
    ],
    [
      ["report", "good", "--extractor", "guess"],
      2,
      /Invalid --extractor "guess": use one of official, lmms-eval-0.7, sound/,
    ],
  ])("%j is refused in one sentence", async (args, code, message) => {
    const ended = await cli(...args);
    expect(ended.code).toBe(code);
    expect(ended.err.trimEnd()).toMatch(message);
    expect(ended.err.trimEnd()).not.toContain("\n");
  });
});

describe("sweep", () => {
  test("plans, runs, prints its calls, and appears in one report", async () => {
    const data = await mmrData(2, 2);
    await writeFile(
      join(root, "grid.yaml"),
      `base: { benchmark: mmr-v, strategy: random }\naxes:\n  seed: [1, 2]\n`,
    );
    const given = ["sweep", "grid.yaml", "--data", data, "--data-dir", "store"];
    const planned = await cli(...given, "--dry-run", "--json");
    expect(JSON.parse(planned.out)).toMatchObject({
      calls: 0,
      cells: [{ name: "1-seed=1", plan: { samples: 4 } }, { name: "2-seed=2" }],
    });
    const ran = await cli(...given, "--out", "swept", "--json");
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({
      calls: { sum: 0, unique: 0 },
      runs: [{ name: "1-seed=1", errors: 0 }, { name: "2-seed=2" }],
    });
    const report = await cli("report", "swept", "--format", "markdown");
    expect(report.out).toContain("1-seed=1 is a baseline (random)");
    const scored = await cli("score", "swept", "--json");
    expect(JSON.parse(scored.out)).toMatchObject({
      sweep: "swept",
      not_begun: 0,
      runs: [{ video_rrd: { name: "1-seed=1" } }, { video_rrd: { name: "2-seed=2" } }],
    });
    expect((await cli("score", "swept")).out).toMatch(/^1-seed=1: mmr-v[\s\S]*\n2-seed=2: mmr-v/);
    const csv = await cli("export", "swept", "--format", "csv");
    const named = csv.out.split("\n").flatMap((line) => /^\d-seed=\d|^run,/.exec(line)?.[0] ?? []);
    expect(named).toEqual(["run,", ...Array(4).fill("1-seed=1"), ...Array(4).fill("2-seed=2")]);
    const refused = await cli("export", "swept", "--format", "mmr-v");
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toContain("Pass a folder with -o");
    await cli("export", "swept", "--format", "mmr-v", "-o", "released");
    expect(await readdir(join(root, "released"))).toEqual(["1-seed=1.json", "2-seed=2.json"]);
    const judge = ["judge", "swept", "--kind", "errors", "--judge-model", "openai:j", "--json"];
    const plan = await cli(...judge, "--dry-run", "--data-dir", "store");
    expect(JSON.parse(plan.out)).toMatchObject({
      runs: [{ run: "1-seed=1" }, { run: "2-seed=2" }],
    });
    expect((await cli(...judge, "--out", "x")).err).toContain("--out is not allowed for a sweep");
    const again = await cli(...given, "--out", "swept");
    expect(again).toMatchObject({ code: 2 });
    expect(again.err).toContain("sweep --resume swept");
    expect(await cli("sweep", "--resume", "swept", "--seed", "3")).toMatchObject({ code: 2 });
    const width = await cli("sweep", "--resume", "swept", "--max-samples", "1");
    expect(width.code).toBe(0);
  }, 300_000);

  test.each([
    [
      ["sweep"],
      /No sweep given. Pass either a YAML file or --preset; `video-rrd sweep --help` lists/,
    ],
    [["sweep", "grid.yaml", "--preset", "rrd"], /exclude each other/],
    [["sweep", "--preset", "rrd"], /Missing --data: /],
  ])("%j is refused in one sentence", async (args, message) => {
    const ended = await cli(...args);
    expect(ended.code).toBe(2);
    expect(ended.err.trimEnd()).toMatch(message);
    expect(ended.err.trimEnd()).not.toContain("\n");
  });
});
