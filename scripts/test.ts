/**
 * `npm test`: format and lint, types, then the tests, among them those of import directions and of names; reports what the
 * machine lacks and ends with `N passed, N failed, N skipped`. `--project browser` runs only the browser tests,
 * `--project whole` only those of whole commands.
 * With CI set, a skipped test fails the run unless it only needs `../shared`, failed files are run once more, and the
 * tests of whole commands start what `npm run build` makes. With TESTS_AFTER set, tests begin when that file exists: until
 * then, the machine is being prepared.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
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

/** Named at the end of the output, which is long. */
const failedSteps: string[] = [];

function step(label: string, command: string, args: string[]): Counts {
  console.log(`\n== ${label}`);
  const ok = spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0;
  if (!ok) failedSteps.push(label);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] };
}

/** The program as users have it, which the tests then start: it starts in half of the time of its source. */
function build(): Counts {
  // `npm test` has checked them.
  process.env.TYPES_CHECKED = "1";
  const counts = step("build", process.execPath, [join(root, "scripts/build.ts")]);
  if (counts.failed === 0) process.env.BUILT = "1";
  return counts;
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

type FileResult = z.infer<typeof Report>["testResults"][number];

/** Failed files are run a second time if they are at most this many: more than these are no accident of timing. */
const MAX_RUN_AGAIN = 6;

/**
 * With CI set, the failed files run once more, alone: kills, sockets and timers of real processes meet a busy machine.
 * What passes only then is counted as passed, and named.
 */
function tests(project: string): Counts {
  const prepared = process.env.TESTS_AFTER;
  while (prepared && !existsSync(prepared)) sleep(200);
  console.log(`\n== tests (${project})`);
  const first = runVitest(project, []);
  const broken = first.files.filter(isBroken);
  const tooMany = broken.length === 0 || broken.length > MAX_RUN_AGAIN;
  if (!process.env.CI || tooMany) return countsOf(first.files, first.ok);
  const names = broken.map(({ name }) => relative(root, name));
  console.log(`\n== tests (${project}), the failed files alone: ${names.join(", ")}`);
  const second = runVitest(project, ["--maxWorkers=1", ...names]);
  const passedNow = new Set(
    second.files.filter((file) => !isBroken(file)).map((file) => file.name),
  );
  for (const file of broken)
    if (passedNow.has(file.name))
      for (const name of failedIn(file)) console.log(`Passed only in the second run: ${name}`);
  const again = new Map(second.files.map((file) => [file.name, file]));
  const files = first.files.map((file) => again.get(file.name) ?? file);
  return countsOf(files, second.ok && broken.every(({ name }) => again.has(name)));
}

function failedIn({ name, assertionResults }: FileResult): string[] {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  return failed.length === 0 ? [relative(root, name)] : failed.map(({ fullName }) => fullName);
}

const isBroken = ({ status, assertionResults }: FileResult) =>
  status === "failed" || assertionResults.some((result) => result.status === "failed");

/**
 * Makes glibc return the memory of pictures and replies: a worker would keep a gigabyte of it, and to start a program
 * the system copies the page tables of all of it, which takes longer than many programs run.
 */
const SMALL_HEAP = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: String(512 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 * 1024),
};

function runVitest(project: string, args: string[]): { files: FileResult[]; ok: boolean } {
  const folder = mkdtempSync(join(tmpdir(), "video-rrd-report-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const { status } = spawnSync("vitest", ["run", "--project", project, ...reporters, ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...SMALL_HEAP, ...process.env },
  });
  const files = existsSync(file)
    ? Report.parse(JSON.parse(readFileSync(file, "utf8"))).testResults
    : [];
  rmSync(folder, { recursive: true, force: true });
  return { files, ok: status === 0 };
}

function countsOf(files: readonly FileResult[], ok: boolean): Counts {
  const results = files.flatMap((file) => file.assertionResults);
  const brokenFiles = files.filter(
    (file) => file.status === "failed" && file.assertionResults.every((r) => r.status !== "failed"),
  ).length;
  const failed = results.filter((result) => result.status === "failed").length + brokenFiles;
  return {
    passed: results.filter((result) => result.status === "passed").length,
    failed: failed === 0 && !ok ? 1 : failed,
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
    ...(has("chromium") || has("chromium-headless-shell")
      ? []
      : ["Chromium (browser tests are not run)"]),
    ...(existsSync(join(root, "../shared/data"))
      ? []
      : ["../shared/data (tests on it are skipped)"]),
  ];
}

/** Checkers in parallel repeat work, for which a machine with two cores has no time. */
const FEW_CHECKERS = process.env.CI ? ["--singleThreaded"] : [];
const parts =
  values.project === "unit"
    ? [
        step("format and lint", "biome", ["ci", "."]),
        step("types", "tsc", [...FEW_CHECKERS, "-p", "tsconfig.json"]),
        step("types of the page's scripts", "tsc", ["-p", "src/pages/service"]),
        tests("unit"),
      ]
    : [...(values.project === "whole" && process.env.CI ? [build()] : []), tests(values.project)];

const passed = parts.reduce((sum, part) => sum + part.passed, 0);
const skipped = parts.flatMap((part) => part.skipped);
const unwanted = process.env.CI ? skipped.filter((name) => !name.includes("[shared]")) : [];
for (const name of unwanted) console.log(`Skipped, which fails with CI set: ${name}`);
const failed = parts.reduce((sum, part) => sum + part.failed, 0) + unwanted.length;

if (failedSteps.length > 0) console.log(`\nFailed steps: ${failedSteps.join(", ")}`);
const missing = lacks();
console.log(`\nThis machine lacks: ${missing.length === 0 ? "nothing" : missing.join("; ")}`);
if (process.env.TEST_COUNTS)
  appendFileSync(process.env.TEST_COUNTS, `${passed} ${failed} ${skipped.length}\n`);
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
if (failed > 0 || passed === 0) process.exitCode = 1;
