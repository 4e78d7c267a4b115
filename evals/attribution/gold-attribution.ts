import { join } from "node:path";
import type { EvidenceStage } from "../../graphs/evidence-stages.ts";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { Failure } from "../../src/core/errors.ts";
import type { Settings } from "../../src/core/settings.ts";
import { fullName, nameOf, parseModelName } from "../../src/models/name.ts";
import { makeFolder } from "../../src/storage/make-folder.ts";
import { openStore } from "../../src/storage/open.ts";
import type { Note } from "../benchmarks/sample.ts";
import type { Grader } from "../graders/define-grader.ts";
import { gradeJudge } from "../judges/open-answer.ts";
import { readEvalSettings } from "../run/eval-settings.ts";
import { type GoldFile, readGold, type SampleGold, writeGold } from "../run/gold-file.ts";
import { prepare, type ResumeChanges } from "../run/prepare-run.ts";
import { newRunFolder } from "../run/run.ts";
import { extractorOf } from "../score/extractor-choice.ts";
import { withGrades } from "../score/grade-replies.ts";
import { letterJudge } from "../score/letter-judge.ts";
import type { MetricName } from "../score/metrics.ts";
import { withLetters } from "../score/name-letters.ts";
import { type Results, readResults } from "../score/read-results.ts";
import {
  continueSweep,
  planSweep,
  type SharedCalls,
  type SweepEnd,
  type SweepOptions,
  type SweepPlan,
  startSweep,
} from "../sweep/sweep.ts";
import { readSweepFolder } from "../sweep/sweep-folder.ts";
import type { AttributedRuns, MissingGold, StageGold } from "./attributed-runs.ts";
import {
  type LimitedAttribution,
  limitOfJudge,
  limitOfRuns,
  withOwnResume,
} from "./attribution-cost.ts";
import { refuseSecondAttribution, requireAttribution } from "./check-folder.ts";
import { goldSweep, runsByMask } from "./gold-arms.ts";
import { outcomesOf } from "./outcomes.ts";
import { type GoldPlan, type GoldSources, planGold } from "./plan-gold.ts";
import { RESULT } from "./read-attribution.ts";
import { attributeToStages, type StageAttribution } from "./shapley.ts";
import type { StoppedSample } from "./stopped-samples.ts";

/** Store, limits and progress of an attribution. */
export interface GoldAttributionOptions extends SweepOptions {
  /** The score that is attributed. Default: accuracy. */
  metric?: MetricName;
}

/** The plan of an attribution: its runs and prices, and the gold. */
export interface GoldAttributionPlan extends SweepPlan {
  stages: EvidenceStage[];
  /** The stronger model that recognises again; null: none. */
  oracle: string | null;
  /** Samples that are asked in every run, and those left out because they have no gold for these stages. */
  samples: number;
  without_gold: MissingGold[];
  gold: StageGold[];
  notes: Note[];
}

/** The scores of a strategy with every combination of its stages made right, and what each stage costs. */
export interface GoldAttribution extends AttributedRuns {
  /** Name of the run of each combination, in the order of the masks of `table`. */
  runs: string[];
  stopped: StoppedSample[];
  attribution: StageAttribution;
  calls: SharedCalls;
}

/**
 * Plans an attribution: which stages can be made right for which samples, its runs, and what they cost at most. Calls that
 * runs share are counted for each. Nothing is sent. Throws as `planGold` and `planRun`.
 */
export async function planGoldAttribution(
  input: unknown,
  sources: GoldSources,
  options: Pick<GoldAttributionOptions, "signal"> & {
    onOpened?: (done: number, total: number) => void;
  } = {},
): Promise<GoldAttributionPlan> {
  const { plan, settings } = await prepared(input, sources, options);
  const planned = await planSweep(goldSweep(input, settings, plan), options);
  const { stages, oracle, usable, without_gold, notes } = plan;
  return {
    ...planned,
    stages,
    oracle,
    samples: usable.length,
    without_gold,
    gold: goldByStage(plan),
    notes,
  };
}

/**
 * Runs a strategy with every combination of its stages made right, each as a run below `folder`; calls that runs share are
 * paid once. The gold is kept in `gold.json`. Throws as `planGold` and `startSweep`; after a stop `resumeGoldAttribution`
 * continues.
 *
 * @example
 * const { table } = await startGoldAttribution(settings, "attribution", { sidecars: "sidecars" });
 */
export async function startGoldAttribution(
  input: unknown,
  folder: string,
  sources: GoldSources,
  options: GoldAttributionOptions = {},
): Promise<GoldAttribution> {
  await refuseSecondAttribution(folder);
  const { plan, settings } = await prepared(input, sources, options);
  const sweep = goldSweep(input, settings, plan);
  const { usable: _, ...gold } = plan;
  await makeFolder(folder);
  // Before the sweep, so that a folder with a sweep always has its gold.
  await writeGold(folder, gold);
  const limited = { folder, limit: sweep.total_cost_limit, sweep, signal: options.signal };
  return withOwnResume(limited, async () =>
    conclude(await startSweep(sweep, folder, options), ["model", "program"], limited, options),
  );
}

/** Continues what `startGoldAttribution` began. Throws as `resumeSweep` and `requireAttribution`. */
export async function resumeGoldAttribution(
  folder: string,
  changes: ResumeChanges = {},
  options: GoldAttributionOptions = {},
): Promise<GoldAttribution> {
  await requireAttribution(folder);
  const sweep = await readSweepFolder(folder);
  const limit = changes.total_cost_limit ?? sweep.total_cost_limit;
  const limited = { folder, limit, sweep, signal: options.signal };
  return withOwnResume(limited, async () => {
    const left = { ...changes, ...(await limitOfRuns(limit, folder, sweep)) };
    // The program that scores is in the runs' folders, and was not named by this command.
    return conclude(await continueSweep(folder, left, options), ["model"], limited, options);
  });
}

async function prepared(
  input: unknown,
  sources: GoldSources,
  { signal, store: given }: Pick<GoldAttributionOptions, "signal" | "store">,
): Promise<{ plan: GoldPlan; settings: Settings }> {
  const asked = readEvalSettings(input);
  const { settings, descriptions } = asked;
  if (descriptions === "gold")
    throw new Failure(
      "wrong-usage",
      "Invalid --descriptions gold: an attribution makes captions right by itself. Leave it out.",
    );
  const { oracle } = sources;
  // Refused here, before a plan is made with it.
  if (oracle !== undefined) parseModelName(oracle);
  if (oracle !== undefined && fullName(oracle) === nameOf(settings, "recogniser"))
    throw new Failure(
      "wrong-usage",
      `Invalid --oracle-model ${oracle}: the strategy recognises with it already. Name a stronger model.`,
      { oracle },
    );
  const run = await prepare(asked);
  const store = given ?? (await openStore(settings.runtime.data));
  try {
    const job = { store, run: "attribution", signal };
    return { settings, plan: await planGold(run, settings, sources, job) };
  } finally {
    if (given === undefined) await store.close();
  }
}

async function conclude(
  { folder, sweep, runs: ended, calls }: SweepEnd,
  ask: readonly Grader["by"][],
  { limit }: LimitedAttribution,
  { metric = "accuracy", signal }: GoldAttributionOptions,
): Promise<GoldAttribution> {
  const gold = await readGold(folder);
  const header = ended[0]?.header;
  if (gold === null || header === undefined)
    throw new Failure("not-found", `gold.json is missing in ${folder}.`, { folder });
  const { runtime, seed } = header.settings as Settings;
  const runs = runsByMask(sweep, gold.stages);
  const results: Results[] = [];
  // One run after another, because each may pay what the others left of the limit.
  for (const name of runs) {
    const path = join(folder, name);
    const total_cost_limit = (kind: string) =>
      limitOfJudge(limit, folder, sweep, { run: name, kind });
    const lettered = await withLetters(await readResults(path), path, {
      ask: true,
      settings: { runtime },
      total_cost_limit: await total_cost_limit(letterJudge.kind),
      signal,
    });
    const graded = await withGrades(lettered, path, {
      ask,
      calls: { runtime },
      total_cost_limit: await total_cost_limit(gradeJudge(null).kind),
      signal,
    });
    results.push(graded);
  }
  const sources = await Promise.all(
    sweep.cells
      .filter(({ name }) => !runs.includes(name))
      .map(({ name }) => readResults(join(folder, name))),
  );
  const { table, failed, stopped, at_limit } = outcomesOf(gold.stages, results, metric, sources);
  const [first] = results;
  const settings = header.settings as Settings;
  const found: GoldAttribution = {
    benchmark: header.benchmark,
    strategy: settings.strategy,
    recogniser: nameOf(settings, "recogniser"),
    reasoner: nameOf(settings, "reasoner"),
    metric,
    extractor: first === undefined ? "" : extractorOf(first).name,
    seed,
    relative_to: gold.oracle,
    gold: goldByStage(gold),
    without_gold: gold.without_gold,
    failed,
    stopped,
    at_limit,
    runs,
    table,
    attribution: attributeToStages(table, { seed }),
    calls,
    notes: gold.notes,
  };
  await writeAtomically(join(folder, RESULT), `${JSON.stringify(found, null, 1)}\n`);
  return found;
}

function goldByStage({
  stages,
  samples,
  oracle,
}: Pick<GoldFile, "stages" | "samples" | "oracle">): StageGold[] {
  const all = Object.values(samples);
  return stages.map((stage) => {
    const from: Record<string, number> = {};
    for (const gold of all) {
      const name = sourceName(gold[stage], oracle);
      if (name !== null) from[name] = (from[name] ?? 0) + 1;
    }
    return { stage, from };
  });
}

function sourceName(gold: SampleGold[EvidenceStage], oracle: string | null): string | null {
  if (gold === undefined) return null;
  if (typeof gold === "string") return gold === "oracle" ? oracle : gold;
  return gold.by.endsWith(".json") ? "sidecars" : "the data";
}

/** A folder for an attribution: `attributions/mmr-v-rrd-20260801-093000`. */
export function newAttributionFolder(input: unknown): string {
  return newRunFolder(readEvalSettings(input)).replace(/runs([/\\][^/\\]*)$/, "attributions$1");
}
