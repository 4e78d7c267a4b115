import type { ModuleFile } from "../../src/core/loaded-modules.ts";
import type { Plot, ReportTable } from "../../src/pages/report-data.ts";
import { judges, type OfRun } from "../judges/define-judge.ts";
import type { Judged } from "../judges/judged-replies.ts";
import { moduleFlags } from "../run/resume-command.ts";
import { isScripted } from "../run/scripted-model.ts";
import type { ReportRun } from "./run.ts";

/** Tables and plots of the judgements of replies, and warnings about the judges. */
export function judgesPart(runs: readonly ReportRun[]): {
  tables: ReportTable[];
  plots: Plot[];
  warnings: string[];
} {
  const parts = judges.all().map(({ name: kind, summarise, report }) => {
    const summaries: OfRun<Judged>[] = runs.flatMap(({ name, results, score: { extractor } }) =>
      (results.judgings ?? [])
        .filter(({ header }) => header.kind === kind)
        .map((judging) => ({ ...summarise(results, judging, { extractor }), run: name })),
    );
    return { ...report(summaries), warnings: summaries.flatMap(warningsOf) };
  });
  const unknown = runs.flatMap(({ name, results: { judgings = [] } }) =>
    judgings
      .filter(({ header }) => judges.find(header.kind) === undefined)
      .map(({ header: { kind, modules = [] } }) => unknownText(name, kind, modules)),
  );
  return {
    tables: parts.flatMap(({ tables }) => tables),
    plots: parts.flatMap(({ plots = [] }) => plots),
    warnings: [...unknown, ...parts.flatMap(({ warnings }) => warnings)],
  };
}

function unknownText(run: string, kind: string, modules: readonly ModuleFile[]): string {
  return `The judgements ${kind} of ${run} are left out: add ${moduleFlags(modules).join(" ") || "--module with its file"}.`;
}

function warningsOf(summary: OfRun<Judged>): string[] {
  const { run, judge, kind, not_judged, judged, failed, missing, without_frames } = summary;
  const about = `${run}, ${kind} by ${judge}`;
  const clauses = [
    not_judged > 0 ? `${not_judged} of ${judged + not_judged} not judged` : "",
    failed > 0 ? `${failed} failed` : "",
    missing > 0 ? `${missing} replies not sent to the judge yet` : "",
    without_frames > 0 ? `${without_frames} judged without frames of the video` : "",
  ].filter((clause) => clause !== "");
  return [
    ...(isScripted(judge)
      ? [`${run} was judged (${kind}) by a scripted model: ignore the judgements.`]
      : []),
    ...(clauses.length > 0 ? [`${about}: ${clauses.join("; ")}.`] : []),
  ];
}
