import type { ReportPart, ReportTable } from "../../src/pages/report-data.ts";
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
  judged: SweepEnd["judged"];
  judge_commands: string[];
  /** Tables of the preset with the columns of its paper; missing without a preset. */
  preset?: Pick<ReportPart, "title" | "about" | "tables" | "apart">;
  tables: ReportTable[];
  remarks: string[];
}

/** Also printed with the tables of a preset. */
const ALWAYS_SHOWN = [
  "Majority and pass@k",
  "Differences between runs",
  "Calls, cost and time per sample",
];
const SHOWN = [...ALWAYS_SHOWN, "Accuracy", "Step accuracy", "Conclusions under each extractor"];

export async function sweepReport(
  { sweep, folder, runs, calls, judged, judge_commands }: SweepEnd,
  { metric }: Pick<ReportOptions, "metric"> = {},
): Promise<SweepReport> {
  const { against } = sweep;
  const { results } = await readForReport([folder], {});
  const { parts } = makeReport(results, { against, metric });
  const preset = parts.find((part) => part.preset !== undefined);
  const titles = preset === undefined ? SHOWN : ALWAYS_SHOWN;
  const accounts = new Map(results.map((one) => [one.name, accountOf(one)]));
  return {
    folder,
    runs: runs.map(({ folder: path, progress }, place) => ({
      name: sweep.cells[place]?.name ?? "",
      folder: path,
      errors: progress.errors,
      stopped: stoppedText(accounts.get(sweep.cells[place]?.name ?? "") ?? null),
    })),
    ...{ calls, judged, judge_commands },
    ...(preset === undefined ? {} : { preset: shownOf(preset) }),
    tables: parts.flatMap((part) =>
      part === preset ? [] : part.tables.filter(({ title }) => titles.includes(title)),
    ),
    remarks: [...sweep.remarks, ...parts.flatMap(({ warnings }) => warnings)],
  };
}

function shownOf({ title, about, tables, apart }: ReportPart) {
  return { title, about, tables, apart };
}
