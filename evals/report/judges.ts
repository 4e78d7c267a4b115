import type { Plot, ReportTable } from "../../src/pages/report-data.ts";
import { COT_LABELS, type CotLabel } from "../judges/cot/cot.ts";
import type { CotSummary } from "../judges/cot/summary.ts";
import type { ErrorSummary } from "../judges/errors/summary.ts";
import type { Judging } from "../judges/judging.ts";
import type { StepSummary } from "../judges/steps/summary.ts";
import { type JudgeSummary, summarise } from "../judges/summary.ts";
import { isScripted } from "../run/scripted-model.ts";
import type { Mean } from "../statistics/statistics.ts";
import { percent, withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";

/* What judges said of the runs' replies, where any were asked. */

type OfRun<S> = S & { run: string };

/** Tables, the picture of chains of thought by position (MMR-V's figure 6), and what a reader has to know of the judges. */
export function judgesPart(runs: readonly ReportRun[]): {
  tables: ReportTable[];
  plots: Plot[];
  warnings: string[];
} {
  const summaries = runs.flatMap(({ name, results, score: { extractor } }) =>
    (results.judgings ?? []).filter(isSummarised).map((judging) => ({
      ...summarise(results, judging, { extractor }),
      run: name,
    })),
  );
  const of = <K extends JudgeSummary["kind"]>(kind: K) =>
    summaries.filter((one) => one.kind === kind) as OfRun<Extract<JudgeSummary, { kind: K }>>[];
  return {
    tables: [...stepTable(of("steps")), ...errorTable(of("errors")), ...of("cot").map(cotTable)],
    plots: of("cot").map(cotPlot),
    warnings: summaries.flatMap(warningsOf),
  };
}

/** Letters are scored, not summarised. */
function isSummarised({ header }: Judging): boolean {
  return header.kind !== "letter";
}

function warningsOf(summary: OfRun<JudgeSummary>): string[] {
  const { run, judge, kind, not_judged, judged, failed, missing, without_frames } = summary;
  const about = `${run}, ${kind} by ${judge}`;
  const told = [
    not_judged > 0 ? `${not_judged} of ${judged + not_judged} not judged` : "",
    failed > 0 ? `${failed} failed` : "",
    missing > 0 ? `${missing} replies not asked about yet` : "",
    without_frames > 0 ? `${without_frames} judged without frames of the video` : "",
  ].filter((clause) => clause !== "");
  return [
    ...(isScripted(judge)
      ? [`${run} was judged (${kind}) by a scripted model: the judgements say nothing about it.`]
      : []),
    ...(told.length > 0 ? [`${about}: ${told.join("; ")}.`] : []),
  ];
}

function stepTable(summaries: readonly OfRun<StepSummary>[]): ReportTable[] {
  if (summaries.length === 0) return [];
  return [
    {
      title: "Step score, 0 to 10",
      about:
        "Official: as released, where an unreadable grade is 0 and samples that fill no batch of 8 are left out. Judged only: grades that could not be read are left out. All replies: they are 0. Means over the judge's runs.",
      head: [
        ...["Run", "Judge", "Runs", "Official", "Over", "Judged only", "All replies"],
        ...["Judged", "Not judged", "Steps matched"],
      ],
      words: 2,
      rows: summaries.map(({ run, judge, runs, official, sound, all, ...told }) => [
        ...[run, judge, String(runs), official.mean === null ? "–" : official.mean.toFixed(2)],
        ...[`${official.scored} of ${official.of}`, scoreText(sound), scoreText(all)],
        ...[String(told.judged), String(told.not_judged), percent(told.matched)],
      ]),
    },
  ];
}

function scoreText(mean: Mean | null): string {
  if (mean === null) return "–";
  const { low, high } = mean;
  const interval = low === null || high === null ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  return `${mean.mean.toFixed(2)}${interval}`;
}

function errorTable(summaries: readonly OfRun<ErrorSummary>[]): ReportTable[] {
  const [first] = summaries;
  if (first === undefined) return [];
  return [
    {
      title: "Error types, by a judge",
      about: `Percent of the judged replies, and in brackets of all that the judge was asked about.${first.types.some(({ about }) => about !== "") ? " A reply may have several types." : ""}`,
      head: ["Type", ...summaries.map(({ run, judge }) => `${run}, ${judge}`)],
      words: 1,
      rows: [
        ...first.types.map(({ type, about }, index) => [
          about === "" ? type : `${type} ${about}`,
          ...summaries.map(({ types }) => {
            const found = types[index];
            return `${percent(found?.of_judged ?? null)} (${percent(found?.of_all ?? null)})`;
          }),
        ]),
        ["judged of all", ...summaries.map(({ judged, replies }) => `${judged} of ${replies}`)],
      ],
    },
  ];
}

const LABELS = Object.keys(COT_LABELS) as CotLabel[];

function cotTable({ run, judge, positions }: OfRun<CotSummary>): ReportTable {
  return {
    title: `What the chains of thought of ${run} do, by ${judge}`,
    about:
      "Percent of the pieces judged at each tenth of the text; a piece may do several things. Brackets hold 95 % intervals clustered by video.",
    head: ["Piece", ...LABELS.map((label) => capital(COT_LABELS[label])), "Judged", "Not judged"],
    words: 1,
    rows: positions.map(({ piece, shares, judged, not_judged }) => [
      String(piece),
      ...LABELS.map((label) => withInterval(shares[label])),
      String(judged),
      String(not_judged),
    ]),
  };
}

function cotPlot({ run, judge, positions }: OfRun<CotSummary>): Plot {
  return {
    title: `What the chains of thought of ${run} do as they go on, by ${judge}`,
    kind: "line",
    x: "piece of the text, of ten",
    y: "share of the texts",
    chance: null,
    series: LABELS.map((label) => ({
      name: COT_LABELS[label],
      points: positions.flatMap(({ piece, shares }) => {
        const share = shares[label];
        if (share === null) return [];
        const { mean, low, high } = share;
        const words = `${COT_LABELS[label]}, piece ${piece}: ${withInterval(share)} %`;
        return [{ x: piece, y: mean, low, high, label: words }];
      }),
    })),
  };
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
