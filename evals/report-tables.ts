import { oneLine } from "../src/core/errors.ts";
import type { ReportTable } from "../src/pages/report-data.ts";
import { type Contrast, compareResults } from "./compare.ts";
import { holm } from "./paired-statistics.ts";
import type { ReportOptions, ReportRun } from "./report-run.ts";
import { stoppedText, type TimeSpent } from "./run-account.ts";
import type { Accuracy } from "./score-run.ts";
import type { Mean } from "./statistics.ts";

/** Kinds of groups by what a reader calls them. */
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

export function tablesOf(runs: readonly ReportRun[], options: ReportOptions): ReportTable[] {
  return [
    accuracies(runs),
    ...officialScores(runs),
    ...comparison(runs, options),
    ...spending(runs),
    ...groupTables(runs),
  ];
}

function accuracies(runs: readonly ReportRun[]): ReportTable {
  const anyStopped = runs.some(({ score }) => stoppedText(score.account) !== null);
  return {
    title: "Accuracy",
    about:
      "All questions: unanswered, failed and stopped ones count as wrong. Answered only: questions that an answer was read for.",
    head: [
      "Run",
      "Arm",
      "Model",
      "All questions",
      "Right",
      "Answered only",
      "Right",
      "Invalid replies",
      ...(anyStopped ? ["Stopped by a budget"] : []),
    ],
    words: 3,
    rows: runs.map(({ name, arm, models, score }) => [
      name,
      arm,
      models.join(", ") || "none",
      withInterval(score.all.ofAll),
      `${score.all.right} of ${score.all.all}`,
      withInterval(score.all.ofAnswered),
      `${score.all.right} of ${score.all.answered}`,
      percent(score.invalid_rate),
      ...(anyStopped ? [stoppedText(score.account) ?? "–"] : []),
    ]),
  };
}

/** Numbers under the names of the released scorers, and ours beside them. */
function officialScores(runs: readonly ReportRun[]): ReportTable[] {
  const scores = runs.map(({ score }) => {
    const { official, measures, over_epochs } = score;
    return new Map([
      ...Object.entries(official).flatMap(([name, value]) => {
        const shown = officialNumber(value);
        return shown === null ? [] : [[name, shown] as const];
      }),
      ...Object.entries(measures).map(
        ([name, value]) =>
          [name, name === "kendall_tau" ? decimal(value) : percent(value)] as const,
      ),
      ...(over_epochs === null
        ? []
        : [
            [`majority of ${over_epochs.epochs}`, percent(over_epochs.majority)] as const,
            ...over_epochs.pass_at.map((value, k) => [`pass@${k + 1}`, percent(value)] as const),
          ]),
    ]);
  });
  const names = [...new Set(scores.flatMap((of) => [...of.keys()]))];
  if (names.length === 0) return [];
  return [
    {
      title: "Scores of the released code, and further measures",
      about:
        "Percentages by the names of the released code, over the first epoch; kendall_tau goes from -1 to 1.",
      head: ["Run", ...names],
      words: 1,
      rows: runs.map(({ name }, place) => [
        name,
        ...names.map((of) => scores[place]?.get(of) ?? "–"),
      ]),
    },
  ];
}

function officialNumber(value: unknown): string | null {
  if (typeof value === "number") return value.toFixed(2);
  if (typeof value !== "object" || value === null || !("accuracy" in value)) return null;
  const { accuracy, count } = value as { accuracy: unknown; count?: unknown };
  return typeof accuracy === "string" ? `${accuracy.replace("%", "")} (${count})` : null;
}

/** Each run against the first, or the one before it, on the questions that all of them have. */
function comparison(
  runs: readonly ReportRun[],
  { seed = 0, against = "first" }: ReportOptions,
): ReportTable[] {
  const done = runs.filter(({ score }) => score.all.all > 0);
  if (done.length < 2) return [];
  const results = done.map((run) => ({ ...run.results, name: run.name }));
  let found: { a: string; b: string; all: Contrast; mcnemar: number | null }[];
  try {
    found =
      against === "first"
        ? compareResults(results, { seed }).comparisons.map(two)
        : results.slice(1).flatMap((run, place) => {
            const before = results[place];
            if (before === undefined) return [];
            return compareResults([before, run], { seed }).comparisons.map(two);
          });
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error));
    return [
      { title: "Differences", about: `Not compared: ${why}`, head: ["Run"], words: 1, rows: [] },
    ];
  }
  const adjusted = holm(found.map(({ all }) => all.p));
  return [
    {
      title: "Differences between runs",
      about: `Percentage points on the same questions, each run less ${against === "first" ? "the first" : "the one before it"}: paired cluster-bootstrap interval, sign-flip permutation by video, Holm's correction over the rows. Detectable: the smallest true difference that such a test would find four times in five.`,
      head: [
        "Run",
        "Against",
        "Questions",
        "Difference",
        "p",
        "p (Holm)",
        "McNemar p",
        "Detectable",
      ],
      words: 2,
      rows: found.map(({ a, b, all, mcnemar }, place) => [
        b,
        a,
        String(all.n),
        `${points(all.difference)} [${points(all.low)}, ${points(all.high)}]`,
        pValue(all.p),
        pValue(adjusted[place] ?? all.p),
        mcnemar === null ? "–" : pValue(mcnemar),
        all.detectable === null ? "–" : (100 * all.detectable).toFixed(2),
      ]),
    },
  ];
}

function two({ a, b, all, mcnemar }: ReturnType<typeof compareResults>["comparisons"][number]) {
  return { a, b, all, mcnemar: mcnemar?.p ?? null };
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
      title: "What it took, for each sample",
      about: `Calls, frames, tokens, cost and model time as if nothing had been kept from before. Cost in dollars; a dash where a price is not known. Model time adds up the calls, which may run at once, each with the duration it first had${unknown === 0 ? "" : `; ${unknown} calls of unknown duration are left out`}. Own time and waiting are of the process that ran it.${own.some(({ score }) => (score.account?.estimated_calls ?? 0) > 0) ? " ~: the server did not count these tokens, they are estimates." : ""}`,
      head: [
        "Run",
        "Calls",
        "Frames",
        "Tokens in",
        "Tokens out",
        "Cost",
        "Cost of a right answer",
        "Model seconds",
        "Own seconds",
        "Waiting",
        "Wall seconds",
      ],
      words: 1,
      rows: own.map(({ name, spent, score }) => {
        const each = (total: number) => total / spent.results;
        const { time = null, estimated_calls = 0 } = score.account ?? {};
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
          dollars(
            spent.cost === null || score.all.right === 0 ? null : spent.cost / score.all.right,
          ),
          timed(({ model_s }) => model_s),
          timed(({ own_s }) => own_s),
          timed(({ waited_s }) => waited_s),
          rounded(each(spent.seconds)),
        ];
      }),
    },
  ];
}

/** Groups of the questions down, runs across. */
function groupTables(runs: readonly ReportRun[]): ReportTable[] {
  const kinds = [...new Set(runs.flatMap(({ score }) => score.groups.map(({ kind }) => kind)))];
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
    const size = (group: string) => Math.max(0, ...of.map((found) => found.get(group)?.all ?? 0));
    return {
      title: `Accuracy by ${kindName(kind)}`,
      head: [kindName(kind), "Questions", ...runs.map(({ name }) => name)],
      words: 1,
      rows: groups.map((group) => [
        group,
        String(size(group)),
        ...of.map((found) => inGroup(found.get(group))),
      ]),
    };
  });
}

function inGroup(found: Accuracy | undefined): string {
  return found === undefined ? "–" : withInterval(found.ofAll);
}

export function withInterval(mean: Mean | null): string {
  if (mean === null) return "–";
  const { low, high } = mean;
  const interval =
    low === null || high === null ? "" : ` [${hundredths(low)}, ${hundredths(high)}]`;
  return `${hundredths(mean.mean)}${interval}`;
}

export function percent(share: number | null): string {
  return share === null ? "–" : hundredths(share);
}

function hundredths(share: number): string {
  return (100 * share).toFixed(2);
}

function points(share: number): string {
  return `${share < 0 ? "" : "+"}${(100 * share).toFixed(2)}`;
}

function decimal(value: number | null): string {
  return value === null ? "–" : value.toFixed(4);
}

function pValue(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toFixed(2)));
}

function dollars(value: number | null): string {
  return value === null ? "–" : value.toFixed(4);
}
