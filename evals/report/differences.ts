import { oneLine } from "../../src/core/errors.ts";
import type { ReportTable } from "../../src/pages/report-data.ts";
import {
  type CompareOptions,
  type Comparison,
  compareResults,
  rerunOf,
} from "../compare/compare.ts";
import {
  detectableWords,
  disagreement,
  FEW_CLUSTERS_NOTE,
  intervalWords,
  leftOutText,
  noFloorText,
  otherServerText,
  points,
  pValue,
  verdict,
} from "../compare/contrast-words.ts";
import { type Contrast, withHolm } from "../compare/contrasts.ts";
import { metricTitle } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { percent, withInterval } from "./figures.ts";
import { continuesChain } from "./previous-run.ts";
import type { ReportOptions, ReportRun } from "./run.ts";

/* Compares runs: paired differences by every metric that the runs share, and the difference between reruns. */

interface Row {
  a: string;
  b: string;
  metric: string;
  contrast: Contrast;
  mcnemar: number | null;
  rerun: boolean;
}

/** Compares each run with the first or with the previous one, on the questions that both have, in sentences too. */
export function differencesOf(
  runs: readonly ReportRun[],
  { metric = "accuracy", seed = 0, against = "first" }: ReportOptions,
): { tables: ReportTable[]; sentences: string[] } {
  const done = runs.filter(({ score }) => score.all.all > 0);
  if (done.length < 2) return { tables: [], sentences: [] };
  const results = done.map((run) => ({ ...run.results, name: run.name }));
  const { found, refused } = comparisons(results, against, { metric, seed });
  const rows = found.flatMap(({ comparisons: of }) =>
    of.flatMap(({ a, b, all, also, mcnemar, rerun }): Row[] => [
      { a, b, metric: metricTitle(metric), contrast: all, mcnemar: mcnemar?.p ?? null, rerun },
      ...also.map((contrast) => ({
        ...{ a, b, metric: contrast.group, contrast, mcnemar: null, rerun },
      })),
    ]),
  );
  const corrected = correctForMultipleTests(rows);
  return {
    tables: [differences(corrected, against, refused), ...noiseTable(found)],
    sentences: sentencesOf(corrected, metricTitle(metric)),
  };
}

/** Most comparisons that are written out; of more, only those that show a difference. */
const MOST_SENTENCES = 5;

/** Which runs differ by the metric, without reruns. */
function sentencesOf(rows: readonly Row[], metric: string): string[] {
  const own = rows.filter((row) => row.metric === metric && !row.rerun);
  const words = ({ a, b, contrast }: Row) =>
    `${b} compared with ${a}, ${metric}: ${verdict(contrast)}.`;
  if (own.length <= MOST_SENTENCES) return own.map(words);
  const differing = own.filter(({ contrast }) => !contrast.identical && contrast.p_holm <= 0.05);
  const largest = differing
    .toSorted((a, b) => Math.abs(b.contrast.difference) - Math.abs(a.contrast.difference))
    .slice(0, MOST_SENTENCES);
  return [
    `${differing.length} of ${own.length} comparisons show a difference in ${metric}${differing.length > largest.length ? "; the largest are:" : "."}`,
    ...largest.map(words),
  ];
}

/**
 * One comparison for each pair of runs, on the questions that both have: a third run with fewer questions changes nothing.
 * `refused`: why a pair cannot be compared.
 */
function comparisons(
  results: readonly Results[],
  against: "first" | "previous",
  options: CompareOptions,
): { found: Comparison[]; refused: string[] } {
  const rerun = against === "first" ? rerunOf(results) : undefined;
  const found: Comparison[] = [];
  const refused = new Set<string>();
  for (const [place, run] of results.slice(1).entries()) {
    const base = results[against === "first" ? 0 : place];
    if (base === undefined) continue;
    if (against === "previous" && !continuesChain(base, run)) {
      refused.add(`${run.name} and ${base.name} differ by their model and by other settings.`);
      continue;
    }
    try {
      found.push(compareResults([base, run], { ...options, rerun }));
    } catch (error) {
      refused.add(oneLine(error instanceof Error ? error.message : String(error)));
    }
  }
  return { found, refused: [...refused] };
}

/** Applies Holm's correction over the rows of a metric, without reruns, which test no hypothesis. */
function correctForMultipleTests(rows: readonly Row[]): Row[] {
  const adjusted = new Map(
    [...Map.groupBy(rows, ({ metric }) => metric).values()].flatMap((of) => {
      const tested = of.filter(({ rerun }) => !rerun);
      const contrasts = withHolm(tested.map(({ contrast }) => contrast));
      return tested.map((row, place) => [row, contrasts[place] ?? row.contrast] as const);
    }),
  );
  return rows.map((row) => ({ ...row, contrast: adjusted.get(row) ?? row.contrast }));
}

function differences(
  rows: readonly Row[],
  against: "first" | "previous",
  refused: readonly string[],
): ReportTable {
  const notCompared = refused.map((why) => `Not compared: ${why}`);
  if (rows.length === 0)
    return {
      title: "Differences",
      about: notCompared.join(" "),
      head: ["Run"],
      words: 1,
      rows: [],
    };
  const conflicts = rows.flatMap(({ a, b, metric, contrast }) => {
    const sentence = disagreement(contrast);
    return sentence === null ? [] : [`${b} compared with ${a}, ${metric}: ${sentence}`];
  });
  return {
    title: "Differences between runs",
    about: [
      `Percentage points, each run minus ${against === "first" ? "the first run" : "the previous run"}, on the questions that both runs of a row have; their number is under Scored (of steps for ${metricTitle("step-accuracy")}): paired cluster-bootstrap interval, sign-flip permutation by video, Holm's correction over the rows of a metric. Detectable: the smallest true difference that such a test finds with a power of 80 %.`,
      ...(rows.some(({ contrast }) => contrast.n_too_small) ? [FEW_CLUSTERS_NOTE] : []),
      ...conflicts,
      ...notCompared,
    ].join(" "),
    head: [
      "Run",
      "Against",
      "Metric",
      "Scored",
      "Difference",
      "95 % interval",
      "p",
      "p (Holm)",
      "McNemar p",
      "Detectable",
    ],
    words: 3,
    rows: rows.map(({ a, b, metric, contrast, mcnemar, rerun }) => [
      b,
      `${a}${rerun ? " (same settings)" : ""}`,
      metric,
      String(contrast.n),
      points(contrast.difference),
      intervalWords(contrast),
      pValue(contrast.p),
      pValue(contrast.p_holm),
      mcnemar === null ? "–" : pValue(mcnemar),
      detectableWords(contrast),
    ]),
  };
}

/** No table if there is no rerun of the first run. */
function noiseTable(found: readonly Comparison[]): ReportTable[] {
  const measured = found.find(({ noise }) => noise !== null);
  const noise = measured?.noise ?? null;
  if (measured === undefined || noise === null) return [];
  const { run, rerun, questions, answers_changed, flipped, difference, floor } = noise;
  const copied = (noise.from_memory ?? 0) > 0 && noise.no_floor !== "stored-replies";
  const none = noFloorText(noise);
  const notes = [none, leftOutText(noise), otherServerText(noise)];
  const compared = found.flatMap(({ comparisons: of }) => of);
  const against = compared.flatMap(({ b, noise: of }) =>
    of === null ? [] : [`${b} ${of.exceeds ? "exceeds" : "does not exceed"} the floor.`],
  );
  return [
    {
      title: "Noise floor",
      about: [
        `The difference between two runs with the same settings, in percent and percentage points of ${metricTitle(measured.metric)}. Flipped: questions that are right in only one of the runs. Floor: two such runs differ by at most this, 95 times in 100.`,
        ...against,
        ...notes.filter((text) => text !== null),
        ...(copied
          ? [
              `${percent(noise.from_memory)} % of the calls of ${rerun} were answered from stored replies, so their answers cannot change.`,
            ]
          : []),
      ].join(" "),
      head: ["Run", "Rerun", "Questions", "Answers changed", "Flipped", "Difference", "Floor"],
      words: 2,
      rows: [
        [
          run,
          rerun,
          String(questions),
          withInterval(answers_changed),
          withInterval(flipped),
          difference === null ? "–" : points(difference),
          floor === null
            ? noise.no_floor === "few-videos"
              ? "n too small"
              : "none"
            : (100 * floor).toFixed(2),
        ],
      ],
    },
  ];
}
