import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { makeReport } from "../../evals/report/report.ts";
import type { ReportOptions } from "../../evals/report/run.ts";
import { readResults } from "../../evals/score/read-results.ts";
import type { ReportData } from "../../src/pages/report-data.ts";
import { reportJson } from "../../src/pages/report-text.ts";
import { tempFolder } from "./temp.ts";

const SCRIPT = fileURLToPath(new URL("check_report.py", import.meta.url));

/** The output of `check_report.py` for a report of these runs. Rejects if `python3` is missing. */
export async function recomputed(data: ReportData, folders: readonly string[]): Promise<string> {
  const file = join(await tempFolder(), "report.json");
  await writeFile(file, reportJson(data));
  return new Promise((done, failed) =>
    execFile("python3", ["-B", SCRIPT, file, ...folders], (error, out, err) =>
      error !== null && out === "" ? failed(new Error(err || error.message)) : done(out),
    ),
  );
}

/** Makes a report, and fails with the first numbers that differ from those of the script; returns the report. */
export async function expectRecomputed(
  folders: readonly string[],
  options: ReportOptions = {},
): Promise<ReportData> {
  const results = await Promise.all(folders.map((folder) => readResults(folder)));
  const data = makeReport(results, options);
  const lines = (await recomputed(data, folders)).trimEnd().split("\n");
  expect(lines.slice(0, -1).slice(0, 20)).toEqual([]);
  expect(lines.at(-1)).toMatch(/^[1-9]\d+ values checked, 0 differ$/);
  return data;
}
