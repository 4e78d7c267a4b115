import type { ReportTable } from "../../src/pages/report-data.ts";
import { stoppedText, type TimeSpent } from "../run/run-account.ts";
import { hasScorer, scoredQuestions } from "../score/metrics.ts";
import { countsCaveat } from "../score/right-counts.ts";
import type { Accuracy } from "../score/score-run.ts";
import { settingsModel } from "../score/settings-model.ts";
import { percent, withInterval } from "./figures.ts";
import { type ReportRun, spentBy } from "./run.ts";
import { scoreTables } from "./scores.ts";

/** Display names of the kinds of groups. */
const KINDS: Record<string, string> = {
  steps: "number of steps",
  goal: "goal",
  category: "category",
  length: "length of the video",
  difficulty: "difficulty",
  reasoning: "kind of reasoning",
  l2: "ability (level 2)",
  l3: "ability (level 3)",
  video_type: "type of video",
};

export function kindName(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** `differences` follow the scores. */
export function tablesOf(
  runs: readonly ReportRun[],
  differences: readonly ReportTable[],
): ReportTable[] {
  return [
    accuracies(runs),
    ...scoreTables(runs),
    ...differences,
    ...spending(runs),
    ...groupTables(runs),
  ];
}

function accuracies(runs: readonly ReportRun[]): ReportTable {
  const anyStopped = runs.some(({ score }) => stoppedText(score.account) !== null);
  const anyMissing = runs.some(({ score }) => score.all_planned !== null);
  const first = anyMissing ? "Questions with a result" : "All questions";
  return {
    title: "Accuracy",
    about: [
      `${first}: unanswered, failed and stopped ones count as wrong. Answered only: questions for which an answer was read.`,
      ...(anyMissing ? ["All questions: those without a result count as wrong too."] : []),
      ...runs.flatMap(rightNote),
    ].join(" "),
    head: [
      "Run",
      "Arm",
      "Model",
      "Extractor",
      first,
      "Right",
      "Answered only",
      "Right",
      "Invalid replies",
      ...(anyMissing ? ["All questions"] : []),
      ...(anyStopped ? ["Stopped by a budget"] : []),
    ],
    words: 4,
    rows: runs.map(({ name, arm, models, results, score }) => [
      name,
      arm,
      // The model of the settings, for a run that was stopped before its first call.
      models.join(", ") || settingsModel(results) || "none",
      score.extractor,
      withInterval(score.all.ofAll),
      `${score.all.right} of ${score.all.all}`,
      withInterval(score.all.ofAnswered),
      `${score.all.right} of ${score.all.answered}`,
      percent(score.invalid_rate),
      ...(anyMissing ? [withInterval((score.all_planned ?? score.all).ofAll)] : []),
      ...(anyStopped ? [stoppedText(score.account) ?? "–"] : []),
    ]),
  };
}

/** Why the column "Right" does not give the accuracies of a run. */
function rightNote({ name, score: { all } }: ReportRun): string[] {
  const caveat = countsCaveat(all, "ofAll") ?? countsCaveat(all, "ofAnswered");
  return caveat === null
    ? []
    : [`Right counts results, which do not give the accuracies of ${name}: ${caveat}.`];
}

function spending(runs: readonly ReportRun[]): ReportTable[] {
  const own = runs.filter(({ spent }) => spent.results > 0);
  if (own.length === 0) return [];
  const unknown = own.reduce(
    (sum, { score }) => sum + (score.account?.time?.unknown_calls ?? 0),
    0,
  );
  return [
    {
      title: "Calls, cost and time per sample",
      about: `Calls, frames, tokens, cost and model time as if nothing had been cached. Cost in dollars; a dash means that a price is not known${own.some(({ score }) => score.all.right === 0) ? ", or that no answer is right" : ""}.${own.some(({ score }) => score.unscored.length > 0) ? " Cost per right answer: without answers that have no scorer." : ""} Model time is the sum over the calls, which may overlap, each with its original duration${unknown === 0 ? "" : `; ${unknown} calls of unknown duration are left out`}. Own time and waiting time are measured in the process of the run.${own.some(({ score }) => (score.account?.estimated_calls ?? 0) > 0) ? " ~: an estimate, because the server did not count these tokens." : ""}${batchNote(own)}`,
      head: [
        "Run",
        "Calls",
        "Frames",
        "Tokens in",
        "Tokens out",
        "Cost",
        "Cost per right answer",
        "Model seconds",
        "Own seconds",
        "Waiting",
        "Wall seconds",
      ],
      words: 1,
      rows: own.map(({ name, results, spent, score }) => {
        const each = (total: number) => total / spent.results;
        const { time = null, estimated_calls = 0 } = score.account ?? {};
        const { cost: scored } = spentBy(
          results.said.filter(({ sample }) => hasScorer(results.benchmark, sample)),
        );
        const mark = estimated_calls > 0 ? "~" : "";
        const timed = (of: (time: TimeSpent) => number) =>
          time === null ? "–" : rounded(of(time) / time.samples);
        return [
          name,
          rounded(each(spent.calls)),
          rounded(each(spent.frames)),
          mark + rounded(each(spent.input)),
          mark + rounded(each(spent.output)),
          dollars(spent.cost === null ? null : each(spent.cost)),
          dollars(scored === null || score.all.right === 0 ? null : scored / score.all.right),
          timed(({ model_s }) => model_s),
          timed(({ own_s }) => own_s),
          timed(({ waited_s }) => waited_s),
          rounded(each(spent.seconds)),
        ];
      }),
    },
  ];
}

/** Which runs have the prices of batches. */
function batchNote(runs: readonly ReportRun[]): string {
  const names = runs.flatMap(({ name, score }) => (score.account?.batch ? [name] : []));
  return names.length === 0 ? "" : ` At the prices of batches: ${names.join(", ")}.`;
}

/** One row per group of questions, one column per run. */
function groupTables(runs: readonly ReportRun[]): ReportTable[] {
  const kinds = [...new Set(runs.flatMap(({ score }) => score.groups.map(({ kind }) => kind)))];
  const asked = runs.flatMap(({ results, said }) => scoredQuestions(results, said));
  return kinds.map((kind): ReportTable => {
    const of = runs.map(
      ({ score }) =>
        new Map(
          score.groups.filter((group) => group.kind === kind).map((group) => [group.group, group]),
        ),
    );
    const groups = [...new Set(of.flatMap((found) => [...found.keys()]))].sort((a, b) =>
      a.localeCompare(b, "en", { numeric: true }),
    );
    // A question counts once, whatever the number of runs and epochs that have a result for it.
    const size = (group: string) =>
      new Set(asked.flatMap((one) => (one.groups[kind] === group ? [one.id] : []))).size;
    const rows = groups.map((group) => [
      group,
      String(size(group)),
      ...of.map((found) => inGroup(found.get(group), size(group))),
    ]);
    const differs = of.some((found) =>
      groups.some((group) => (found.get(group)?.ofAll?.n ?? size(group)) !== size(group)),
    );
    return {
      title: `Accuracy by ${kindName(kind)}`,
      ...(differs
        ? {
            about:
              "Questions: those with a result in any run. In parentheses: the questions of a cell, if it has another number.",
          }
        : {}),
      head: [kindName(kind), "Questions", ...runs.map(({ name }) => name)],
      words: 1,
      rows,
    };
  });
}

/** The accuracy of a cell, with its number of questions if that is not the row's. */
function inGroup(found: Accuracy | undefined, questions: number): string {
  if (found === undefined) return "–";
  const { ofAll } = found;
  const n = ofAll === null || ofAll.n === questions ? "" : ` (${ofAll.n})`;
  return `${withInterval(ofAll)}${n}`;
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toFixed(2)));
}

function dollars(value: number | null): string {
  if (value === null) return "–";
  return value > 0 && value < 0.00005 ? "< 0.0001" : value.toFixed(4);
}
