import type { Plot, PlotPoint } from "../../src/pages/report-data.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { chanceAccuracy } from "../score/chance.ts";
import { hasScorer } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import type { Accuracy } from "../score/score-run.ts";
import { withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";
import { kindName } from "./tables.ts";

/** Kinds of groups that get a plot, in addition to the steps of a procedure. */
const PLOTTED_GROUPS = ["length", "category", "reasoning", "l2", "video_type"];

/** Accuracy by frames, steps, groups and cost. Leaves out plots whose runs or groups do not differ. */
export function plotsOf(runs: readonly ReportRun[]): Plot[] {
  const scored = runs.filter(({ score }) => score.all.ofAll !== null);
  const chance = chanceOfRuns(scored);
  const plots = [
    byFrames(scored, chance),
    bySteps(scored),
    byCost(scored, chance),
    ...PLOTTED_GROUPS.map((kind) => byGroup(scored, kind, chance)),
  ];
  return plots.filter((plot) => plot !== null);
}

function pointOf(x: number, accuracy: Accuracy, label: string): PlotPoint[] {
  if (accuracy.ofAll === null) return [];
  const { mean, low, high } = accuracy.ofAll;
  return [{ x, y: mean, low, high, label: `${label}: ${withInterval(accuracy.ofAll)} %` }];
}

function byFrames(runs: readonly ReportRun[], chance: number | null): Plot | null {
  const own = runs.filter(({ spent }) => spent.results > 0);
  const frames = (run: ReportRun) => run.spent.frames / run.spent.results;
  if (new Set(own.map(frames)).size < 2) return null;
  return {
    title: "Accuracy by frames sent",
    kind: "points",
    x: "frames sent per sample, including repeated ones",
    y: "accuracy",
    chance,
    series: own.map((run) => ({
      name: run.name,
      points: pointOf(frames(run), run.score.all, `${run.name}, ${Math.round(frames(run))} frames`),
    })),
  };
}

/** Accuracy by dollars if all prices are known, else by tokens; null if no run called a model. */
function byCost(runs: readonly ReportRun[], chance: number | null): Plot | null {
  const own = runs.filter(({ spent }) => spent.results > 0);
  const priced =
    own.every(({ spent }) => spent.cost !== null) && own.some(({ spent }) => spent.cost !== 0);
  const unit = priced ? "dollars" : "tokens";
  const of = ({ spent }: ReportRun) =>
    (priced ? (spent.cost ?? 0) : spent.input + spent.output) / spent.results;
  if (own.every((run) => of(run) === 0)) return null;
  return {
    title: `Accuracy against ${priced ? "cost" : "tokens"}`,
    kind: "points",
    x: `${unit} per sample`,
    y: "accuracy",
    chance,
    series: own.map((run) => ({
      name: run.name,
      points: pointOf(
        of(run),
        run.score.all,
        `${run.name}, ${Number(of(run).toPrecision(3))} ${unit}`,
      ),
    })),
  };
}

function bySteps(runs: readonly ReportRun[]): Plot | null {
  const series = runs.map(({ name, score }) => ({
    name,
    points: score.groups
      .filter(({ kind }) => kind === "steps")
      .flatMap((group) => pointOf(Number(group.group), group, `${name}, ${group.group} steps`)),
  }));
  if (new Set(series.flatMap(({ points }) => points.map(({ x }) => x))).size < 2) return null;
  return {
    title: "Accuracy by number of steps",
    kind: "line",
    x: "steps of the procedure",
    y: "accuracy",
    chance: null,
    series,
  };
}

function byGroup(runs: readonly ReportRun[], kind: string, chance: number | null): Plot | null {
  const groups = [
    ...new Set(
      runs.flatMap(({ score }) =>
        score.groups.filter((group) => group.kind === kind).map(({ group }) => group),
      ),
    ),
  ].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  if (groups.length < 2) return null;
  return {
    title: `Accuracy by ${kindName(kind)}`,
    kind: "places",
    x: kind,
    y: "accuracy",
    chance,
    series: runs.map(({ name, score }) => ({
      name,
      points: score.groups
        .filter((group) => group.kind === kind)
        .flatMap((group) =>
          pointOf(groups.indexOf(group.group), group, `${name}, ${group.group}`).map((point) => ({
            ...point,
            at: group.group,
          })),
        ),
    })),
  };
}

/** Expected accuracy of guessing over all questions of the runs that have a scorer. Null without questions. */
export function chanceOfRuns(runs: readonly ReportRun[]): number | null {
  const samples = new Map(
    runs.flatMap(({ results }) => scorable(results).map((sample) => [sample.id, sample] as const)),
  );
  return chanceAccuracy([...samples.values()]);
}

/** The samples of a run whose answers count in its accuracies. */
export function scorable({ benchmark, samples }: Results): Sample[] {
  return samples.filter((sample) => hasScorer(benchmark, sample));
}
