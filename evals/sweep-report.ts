import type { ReportTable } from "../src/pages/report-data.ts";
import { makeReport } from "./report.ts";
import type { SharedCalls, SweepEnd } from "./sweep.ts";
import { readSweepRuns } from "./sweep-folder.ts";

/** What a sweep prints when it ends: its runs beside each other, not broken down. */
export interface SweepReport {
  folder: string;
  runs: { name: string; folder: string; errors: number }[];
  calls: SharedCalls;
  tables: ReportTable[];
  remarks: string[];
}

const SHOWN = ["Accuracy", "Differences between runs", "What it took, for each sample"];

export async function sweepReport({ sweep, folder, runs, calls }: SweepEnd): Promise<SweepReport> {
  const { parts } = makeReport(await readSweepRuns(sweep, folder), { against: sweep.against });
  return {
    folder,
    runs: runs.map(({ folder: path, progress }, place) => ({
      name: sweep.cells[place]?.name ?? "",
      folder: path,
      errors: progress.errors,
    })),
    calls,
    tables: parts.flatMap(({ tables }) => tables.filter(({ title }) => SHOWN.includes(title))),
    remarks: [...sweep.remarks, ...parts.flatMap(({ warnings }) => warnings)],
  };
}
