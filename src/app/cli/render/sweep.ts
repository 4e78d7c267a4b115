import type { SweepReport } from "../../../../evals/sweep/sweep-report.ts";
import type { ReportTable } from "../../../pages/report-data.ts";
import { printable, table } from "../output.ts";

/** Deviations that all runs share are printed once. */
function deviationLines(why: readonly { run: string; deviations: string[] }[]): string[] {
  const isShared = (deviation: string) => why.every((one) => one.deviations.includes(deviation));
  const own = why.flatMap(({ run: name, deviations }) =>
    deviations.filter((one) => !isShared(one)).map((one) => `${name}: ${one}`),
  );
  const shared = (why[0]?.deviations ?? []).filter(isShared);
  return [...shared.map((one) => `${why.length > 1 ? "all runs" : why[0]?.run}: ${one}`), ...own];
}

/** How many calls the results took, and how many of them this sweep sent. */
export function callsText({ sum, unique, sent }: SweepReport["calls"]): string {
  const stored = unique - sent;
  const how =
    stored === 0
      ? "each was sent once"
      : `${sent} were sent to a model, ${stored} were answered from replies that were stored already`;
  return `Calls: ${sum} in all runs, ${unique} of them distinct${unique === 0 ? "" : `: ${how}`}.`;
}

/** The tables of a sweep that has ended, each with how to read it; with a preset, those of the paper. */
export function renderSweep(report: SweepReport): string {
  const { preset, tables, calls, remarks, folder, judge_commands } = report;
  const printed = (of: readonly ReportTable[]) =>
    of.flatMap(({ title, about, head, rows }) => [
      title,
      table([head, ...rows]),
      ...(about === undefined || about === "" ? [] : [printable(about)]),
      "",
    ]);
  return [
    ...printed(preset?.tables ?? []),
    ...(preset === undefined ? [] : [...preset.about, ""]),
    ...(preset?.apart == null
      ? []
      : [
          "Published results, not comparable:",
          ...deviationLines(preset.apart.why),
          "",
          ...printed(preset.apart.tables),
        ]),
    ...printed(tables),
    ...remarks,
    callsText(calls),
    ...(judge_commands.length === 0
      ? []
      : ["Judge the replies, then make the report:", ...judge_commands]),
    `Report page: video-rrd report ${folder} -o report.html`,
  ].join("\n");
}
