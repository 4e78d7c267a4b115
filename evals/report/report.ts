import { countOf } from "../../src/core/count-of.ts";
import { listSettings, storedSettings, valueAt } from "../../src/core/settings.ts";
import type { ReportData, ReportPart } from "../../src/pages/report-data.ts";
import { subsetOf } from "../benchmarks/define-benchmark.ts";
import { countedNote } from "../benchmarks/tally.ts";
import { caveatsOf } from "../compare/caveats.ts";
import { differentScorers } from "../compare/require-comparable.ts";
import { mixedText } from "../human-study/study-questions.ts";
import { isScripted } from "../run/scripted-model.ts";
import { withExtractor } from "../score/extractor-choice.ts";
import type { StoredExtractor } from "../score/extractor-settings.ts";
import { partialOrdersText } from "../score/partial-orders.ts";
import type { Results } from "../score/read-results.ts";
import { countsCaveat } from "../score/right-counts.ts";
import { scoreReplies } from "../score/score-replies.ts";
import { scoreResults } from "../score/score-run.ts";
import { unscoredText } from "../score/scorer-choice.ts";
import { roundSum } from "../statistics/round-sum.ts";
import { blindTables } from "./blind.ts";
import { differencesOf } from "./differences.ts";
import { evidenceTestPart } from "./evidence-test.ts";
import { extractorTables } from "./extractors.ts";
import { percent, withInterval } from "./figures.ts";
import { funnelTables } from "./funnel.ts";
import { judgesPart } from "./judges.ts";
import { optionTables } from "./options.ts";
import { chanceOfRuns, plotsOf, scorable } from "./plots.ts";
import { presetParts } from "./preset.ts";
import { publishedPart } from "./published.ts";
import { questionsOf } from "./questions.ts";
import { replySignTables } from "./reply-signs.ts";
import { isBaseline, questionIds, type ReportOptions, type ReportRun, spentBy } from "./run.ts";
import { tablesOf } from "./tables.ts";

/** Makes the data of a report on runs and response files, with one section per set of questions. */
export function makeReport(runs: readonly Results[], options: ReportOptions = {}): ReportData {
  const { extractor, remarks = [] } = options;
  const named = withOwnNames(runs).map((run) => withExtractor(run, { extractor }));
  const sets = [...Map.groupBy(named, setOf).values()].map(runsOf);
  const parts = [...presetParts(sets.flat()), ...sets.map((of) => partOf(of, options))];
  const [first] = parts;
  if (first !== undefined) first.warnings.unshift(...remarks);
  const titles = [...new Set(parts.map(({ title }) => title))];
  return { title: `Report on ${titles.join(", ")}`, parts };
}

/** Runs over the same data and the same subset share a section. */
function setOf({ benchmark, data, name }: Results): string {
  return [benchmark.name, data === null ? name : `${data.hash} ${data.subset}`].join(" ");
}

function withOwnNames(runs: readonly Results[]): Results[] {
  const taken = new Map<string, number>();
  return runs.map((run) => {
    const count = (taken.get(run.name) ?? 0) + 1;
    taken.set(run.name, count);
    return count === 1 ? run : { ...run, name: `${run.name} (${count})` };
  });
}

function runsOf(results: readonly Results[]): ReportRun[] {
  const arms = armsOf(results);
  return results.map((one, place): ReportRun => {
    const said = scoreReplies(one);
    return {
      name: one.name,
      results: one,
      said,
      score: scoreResults(one),
      arm: arms[place] ?? "",
      models: [...new Set(said.flatMap(({ line }) => line?.calls.map(({ model }) => model) ?? []))],
      spent: spentBy(one.said),
    };
  });
}

function partOf(runs: readonly ReportRun[], options: ReportOptions): ReportPart {
  const { tables, apart, certificates } = publishedPart(runs);
  const differences = differencesOf(runs, options);
  const judges = judgesPart(runs);
  const evidence = evidenceTestPart(runs);
  return {
    title: titleOf(runs),
    summary: [...bestRun(runs), ...differences.sentences],
    about: aboutOf(runs),
    warnings: [
      ...runs.flatMap(warningsOf),
      ...judges.warnings,
      ...evidence.warnings,
      ...dataNotes(runs),
    ],
    tables: [
      ...tablesOf(runs, differences.tables),
      ...blindTables(runs, options),
      ...extractorTables(runs, options),
      ...replySignTables(runs),
      ...funnelTables(runs),
      ...optionTables(runs),
      ...evidence.tables,
      ...judges.tables,
      ...tables,
    ],
    plots: [...plotsOf(runs), ...judges.plots],
    apart,
    certificates,
    runs: runs.map(({ name }) => name),
    questions: questionsOf(runs),
  };
}

/** The highest accuracy, with that of guessing. Names no best run among runs whose accuracies are not comparable. */
function bestRun(runs: readonly ReportRun[]): string[] {
  const scored = runs.filter(({ score }) => score.all.ofAll !== null);
  if (scored.length === 0) return [];
  const why = notComparable(scored);
  if (why !== null) return [`No run is named as the best: ${why}.`];
  const accuracy = ({ score }: ReportRun) => roundSum(score.all.ofAll?.mean ?? 0);
  const highest = Math.max(...scored.map(accuracy));
  const best = scored.filter((run) => accuracy(run) === highest);
  const [first] = best;
  if (first === undefined) return [];
  const { right, all, ofAll } = first.score.all;
  const caveat = countsCaveat(first.score.all, "ofAll");
  const counts = `${right} of ${all} ${caveat === null ? "right" : `results right; ${caveat}`}`;
  const chance = chanceOfRuns(runs);
  const names = new Intl.ListFormat("en").format(best.map(({ name }) => name));
  const failed = scored.length === 1 ? [] : scored.flatMap(failedText);
  const what =
    scored.length === 1
      ? "has an accuracy of"
      : best.length === 1
        ? "has the highest accuracy:"
        : best.length === scored.length
          ? "have the same accuracy:"
          : "share the highest accuracy:";
  return [
    `${names} ${what} ${withInterval(ofAll)} % (${counts})${chance === null || chance === 0 ? "" : `; guessing scores ${percent(chance)} %`}.${failed.length === 0 ? "" : ` Failed samples count as wrong (${failed.join(", ")}).`}`,
  ];
}

function failedText({ name, results }: ReportRun): string[] {
  const { count, of } = caveatsOf(results).failed;
  return count === 0 ? [] : [`${name}: ${count} of ${of}`];
}

/** Why accuracies of these runs cannot be ranked; null if they can. */
function notComparable(runs: readonly ReportRun[]): string | null {
  if (runs.length < 2) return null;
  const scorers = differentScorers(runs.map(({ results }) => results));
  if (scorers !== null) return scorers;
  const asked = runs.map(questionIds);
  const [first = new Set<string>()] = asked;
  const differs = (ids: Set<string>) =>
    ids.size !== first.size || [...ids].some((id) => !first.has(id));
  if (asked.some(differs))
    return `the runs do not have results for the same questions (${runs.map(({ name }, place) => `${name}: ${asked[place]?.size}`).join(", ")})`;
  const stopped = runs.flatMap(({ name, results }) => {
    const text = caveatsOf(results).stopped;
    return text === null ? [] : [`${name}: ${text}`];
  });
  if (stopped.length === 0) return null;
  return `samples that a budget stopped count as wrong (${stopped.join(", ")})`;
}

function titleOf([first]: readonly ReportRun[]): string {
  if (first === undefined) return "";
  const { benchmark, data } = first.results;
  const suffix = subsetOf(benchmark, data?.subset)?.suffix;
  return suffix === undefined ? benchmark.title : `${benchmark.title} ${suffix}`;
}

/** Each run's strategy, with the settings in which the runs of that strategy differ. */
function armsOf(results: readonly Results[]): string[] {
  const settings = results.map(({ header }) => storedSettings(header?.settings));
  const differing = listSettings().filter(({ path }) => {
    if (path === "strategy" || path.startsWith("runtime.")) return false;
    const values = settings.flatMap((of) =>
      of === null ? [] : [JSON.stringify(valueAt(of, path))],
    );
    return new Set(values).size > 1;
  });
  return settings.map((of, place) => {
    const people = results[place]?.header?.human_study?.raters.length;
    if (people !== undefined) return `human study, ${people} ${people === 1 ? "person" : "people"}`;
    if (of === null) return "response file";
    const own = differing
      .filter(({ strategies }) => strategies === null || strategies.includes(of.strategy))
      .map(({ path }) => `${path} ${valueText(valueAt(of, path))}`);
    const baseline = isBaseline(of.strategy) ? " (baseline, no language model)" : "";
    const gold = results[place]?.header?.descriptions === "gold" ? ["gold descriptions"] : [];
    return [`${of.strategy}${baseline}`, ...gold, ...own].join(", ");
  });
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return "not set";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function aboutOf(runs: readonly ReportRun[]): string[] {
  const most = Math.max(0, ...runs.map((run) => questionIds(run).size));
  const clusters = new Set(
    runs.flatMap(({ results }) => scorable(results).map((of) => results.benchmark.cluster(of))),
  );
  return [
    `${countOf(most, "question")} on ${countOf(clusters.size, "video")}; guessing scores ${percent(chanceOfRuns(runs))} %. ${extractorText(runs)}`,
    "Accuracies are percentages; brackets hold 95 % intervals: Wilson's, on the effective number of independent questions, clustered by video, with t on videos minus one. A single video has no interval. Unanswered questions count as wrong, except in columns named answered only.",
    ...cautionsFor(runs),
  ];
}

function cautionsFor([first]: readonly ReportRun[]): readonly string[] {
  return first === undefined ? [] : first.results.benchmark.protocol.cautions;
}

/** Why runs have different extractors, if it is the same for all of them; the prompts of a response file are not known. */
const EXTRACTOR_CHOICE: Partial<Record<StoredExtractor["by"], string>> = {
  format: ", each matching the answer format of its prompts",
  protocol: ", each that of the published protocol for its model",
};

/** Which extractor read which run. */
function extractorText(runs: readonly ReportRun[]): string {
  const by = Map.groupBy(runs, ({ score }) => score.extractor);
  const [only] = by.keys();
  if (by.size === 1) return `Answers were read from the replies by the extractor "${only}".`;
  const each = [...by].map(([name, of]) => `"${name}" (${of.map((run) => run.name).join(", ")})`);
  const [why, ...others] = new Set(runs.map(({ score }) => score.extraction.by));
  const known = why === undefined || others.length > 0 ? "" : (EXTRACTOR_CHOICE[why] ?? "");
  return `Answers were read from the replies by the extractors ${each.join(" and ")}${known}.`;
}

/** Notes about the data, which are mostly the same for all runs. Runs are named where they differ. */
function dataNotes(runs: readonly ReportRun[]): string[] {
  const all = runs.flatMap(({ name, score }) =>
    score.notes.map((one) => ({
      name,
      note: `${countedNote(one)}, such as ${one.examples[0]}`,
    })),
  );
  return [...Map.groupBy(all, ({ note }) => note)].map(([note, of]) =>
    of.length === runs.length ? note : `${of.map(({ name }) => name).join(", ")}: ${note}`,
  );
}

function warningsOf({ name, score, results, models }: ReportRun): string[] {
  const { header } = results;
  const strategy = String(header?.settings.strategy ?? "");
  const scripted = models.filter(isScripted);
  const { warning } = score.extraction;
  const mixed = mixedText(header?.human_study?.mixed_questions);
  return [
    ...(warning === null ? [] : [`${name}: ${warning}`]),
    ...(score.match === null || score.match.verified ? [] : [`${name}: ${score.match.told}`]),
    ...(header?.human_study !== undefined
      ? [
          `${name} is a human study: ${header.human_study.raters.length} people answered, ${header.human_study.per_item} each question, and no model.`,
        ]
      : header !== null && isBaseline(strategy)
        ? [`${name} is a baseline (${strategy}): no language model was asked.`]
        : []),
    ...(mixed === null ? [] : [`${name}: ${mixed}`]),
    ...(scripted.length > 0
      ? [
          `${name} was answered by a scripted model (${scripted.join(", ")}): its scores say nothing about a language model.`,
        ]
      : []),
    ...score.failures.map(
      ({ what, count, examples }) =>
        `${name}: ${count} failed (${what})${score.unscored.length === 0 ? ", counted as wrong" : ""}: ${examples[0]}`,
    ),
    ...(score.missing > 0
      ? [`${name}: without a result yet, and not counted: ${score.missing}.`]
      : []),
    ...(score.skipped > 0
      ? [
          `${name}: ${countOf(score.skipped, "sample was excluded because its", "samples were excluded because their")} video is missing (--skip-missing).`,
        ]
      : []),
    ...(header !== null && header.status !== "finished"
      ? [
          `${name} is not finished (${header.status})${header.ended_by === null ? "" : `: ${header.ended_by}`}`,
        ]
      : []),
    ...score.unscored.map((one) => `${name}: ${unscoredText(one)}`),
    ...(score.partial_orders === null
      ? []
      : [`${name}: ${partialOrdersText(score.partial_orders)}`]),
  ];
}
