import type { ReportTable } from "../../src/pages/report-data.ts";
import { readForReport } from "../report/input.ts";
import { makeReport } from "../report/report.ts";
import type { ReportOptions } from "../report/run.ts";
import { accountOf, stoppedText } from "../run/run-account.ts";
import type { SharedCalls, SweepEnd } from "./sweep.ts";

/** Printed at the end of a sweep: its runs side by side, without breakdowns. */
export interface SweepReport {
  folder: string;
  runs: {
    name: string;
    folder: string;
    errors: number;
    /** Samples that a budget stopped, such as `16 of 16 (cost)`; null if none. */
    stopped: string | null;
  }[];
  calls: SharedCalls;
  tables: ReportTable[];
  remarks: string[];
}

const SHOWN = [
  "Accuracy",
  "Step accuracy",
  "Majority and pass@k",
  "Differences between runs",
  "Conclusions under each extractor",
  "Calls, cost and time per sample",
];

export async function sweepReport(
  { sweep, folder, runs, calls }: SweepEnd,
  { metric }: Pick<ReportOptions, "metric"> = {},
): Promise<SweepReport> {
  const { against } = sweep;
  const { results } = await readForReport([folder], {});
  const { parts } = makeReport(results, { against, metric });
  const accounts = new Map(results.map((one) => [one.name, accountOf(one)]));
  return {
    folder,
    runs: runs.map(({ folder: path, progress }, place) => ({
      name: sweep.cells[place]?.name ?? "",
      folder: path,
      errors: progress.errors,
      stopped: stoppedText(accounts.get(sweep.cells[place]?.name ?? "") ?? null),
    })),
    calls,
    tables: parts.flatMap(({ tables }) => tables.filter(({ title }) => SHOWN.includes(title))),
    remarks: [...sweep.remarks, ...parts.flatMap(({ warnings }) => warnings)],
  };
}
