/**
 * `npm test`: format and lint, types, import directions, names, then the tests; reports what the machine lacks and ends with
 * `N passed, N failed, N skipped`. `--project browser` runs only the browser tests,
 * `--project whole` only those of whole commands.
 * With CI set, a skipped test fails the run unless it only needs `../shared`.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";

const root = join(import.meta.dirname, "..");
/** Shared by every process that a test starts: half of the time that a command takes to start is compilation. */
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compile");
const { values } = flags();

function flags() {
  try {
    return parseArgs({ options: { project: { type: "string", default: "unit" } } });
  } catch (error) {
    console.error(`Use only \`--project NAME\`: ${(error as Error).message}`);
    process.exit(2);
  }
}

const Report = z.looseObject({
  testResults: z.array(
    z.looseObject({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.looseObject({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

interface Counts {
  passed: number;
  failed: number;
  skipped: string[];
}

function step(label: string, command: string, args: string[]): Counts {
  console.log(`\n== ${label}`);
  const ok = spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0;
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] };
}

function tests(project: string): Counts {
  console.log(`\n== tests (${project})`);
  const folder = mkdtempSync(join(tmpdir(), "video-rrd-report-"));
  const file = join(folder, "report.json");
  const { status } = spawnSync(
    "vitest",
    [
      "run",
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ],
    { cwd: root, stdio: "inherit" },
  );
  const report = existsSync(file)
    ? Report.parse(JSON.parse(readFileSync(file, "utf8")))
    : { testResults: [] };
  rmSync(folder, { recursive: true, force: true });
  const results = report.testResults.flatMap((result) => result.assertionResults);
  const brokenFiles = report.testResults.filter(
    (result) =>
      result.status === "failed" && result.assertionResults.every((r) => r.status !== "failed"),
  ).length;
  const failed = results.filter((result) => result.status === "failed").length + brokenFiles;
  return {
    passed: results.filter((result) => result.status === "passed").length,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: results
      .filter((result) => result.status !== "passed" && result.status !== "failed")
      .map((result) => result.fullName),
  };
}

function lacks(): string[] {
  const has = (program: string) =>
    spawnSync(program, ["-version"], { stdio: "ignore" }).error === undefined;
  return [
    ...(has("ffmpeg") ? [] : ["ffmpeg on the system (the one from a package is used)"]),
    ...(has("chromium") ? [] : ["Chromium (browser tests are not run)"]),
    ...(existsSync(join(root, "../shared/data"))
      ? []
      : ["../shared/data (tests on it are skipped)"]),
  ];
}

const parts =
  values.project === "unit"
    ? [
        step("format and lint", "biome", ["ci", "."]),
        step("types", "tsc", ["-p", "tsconfig.json"]),
        step("types of the page's scripts", "tsc", ["-p", "src/pages/service"]),
        step("import directions", process.execPath, ["scripts/imports.ts"]),
        step("names outside their homes", process.execPath, ["scripts/names.ts"]),
        tests("unit"),
      ]
    : [tests(values.project)];

const passed = parts.reduce((sum, part) => sum + part.passed, 0);
const skipped = parts.flatMap((part) => part.skipped);
const unwanted = process.env.CI ? skipped.filter((name) => !name.includes("[shared]")) : [];
for (const name of unwanted) console.log(`Skipped, which fails with CI set: ${name}`);
const failed = parts.reduce((sum, part) => sum + part.failed, 0) + unwanted.length;

const missing = lacks();
console.log(`\nThis machine lacks: ${missing.length === 0 ? "nothing" : missing.join("; ")}`);
if (process.env.TEST_COUNTS)
  appendFileSync(process.env.TEST_COUNTS, `${passed} ${failed} ${skipped.length}\n`);
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
if (failed > 0 || passed === 0) process.exitCode = 1;
