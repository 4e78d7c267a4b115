import { join } from "node:path";
import { checkModels } from "../../graphs/check-models.ts";
import { valueAt } from "../../src/core/settings.ts";
import { checkPrices } from "../../src/models/check-prices.ts";
import { benchmarkNamed } from "../benchmarks/define-benchmark.ts";
import { judgeFor } from "../judges/define-judge.ts";
import { judgeResults } from "../judges/judge-run.ts";
import { type JudgeInput, judgeSettings, readJudgeInput } from "../judges/judge-settings.ts";
import { type JudgingPlan, planJudging } from "../judges/plan-judging.ts";
import { readEvalSettings } from "../run/eval-settings.ts";
import { epochsOf, variantOf } from "../run/option-orders.ts";
import { prepare } from "../run/prepare-run.ts";
import { limitedBy, type RemainingDollars } from "../run/remaining-dollars.ts";
import { resumeCommand } from "../run/resume-command.ts";
import type { RunOptions } from "../run/run.ts";
import { type Results, readResults } from "../score/read-results.ts";
import { presetNamed } from "./presets/presets.ts";
import type { Sweep, SweepCell } from "./sweep-settings.ts";

/* The judges of a preset, which read the replies of its runs. */

/** A run whose replies a judge reads. */
interface JudgedCell {
  cell: SweepCell;
  kind: string;
}

/** The runs of a sweep whose replies its preset has judged. */
function judgedCells({ preset, cells }: Sweep): JudgedCell[] {
  const { judges = [] } = presetNamed(preset ?? "") ?? {};
  return judges.flatMap(({ kind, arms }) =>
    cells.filter(({ arm }) => arms.includes(arm ?? "")).map((cell) => ({ cell, kind })),
  );
}

/** The runs of a sweep whose model takes the event recognition test. */
export function eventTestCells({ preset, cells }: Sweep): SweepCell[] {
  const arms = presetNamed(preset ?? "")?.eventTest ?? [];
  return cells.filter(({ arm }) => arms.includes(arm ?? ""));
}

/** The commands that judge the replies of a sweep that has no model for its judges. */
export function judgeCommands(sweep: Sweep, folder: string): string[] {
  if (sweep.judge_model !== undefined) return [];
  return judgedCells(sweep).map(
    ({ cell, kind }) =>
      `video-rrd judge ${join(folder, cell.name)} --kind ${kind} --judge-model provider:model`,
  );
}

/** Judgements of one run. */
export interface CellJudging {
  run: string;
  kind: string;
  failed: number;
}

/** Store, signal and progress of the judging of a sweep. */
export interface JudgeSweepOptions extends Pick<RunOptions, "signal" | "store" | "createModels"> {
  onJudging?: (cell: SweepCell, done: number, total: number) => void;
}

/**
 * Has the replies judged that the preset of a sweep names, by its `judge_model`; without one, nothing is asked. Stored
 * judgements are kept. `dollars`: what is left of the limit of the sweep. Throws as `judgeResults`, and `limit-met` once
 * the sweep has spent its `total_cost_limit`.
 */
export async function judgeSweep(
  sweep: Sweep,
  folder: string,
  { onJudging, dollars, ...options }: JudgeSweepOptions & { dollars: RemainingDollars },
): Promise<CellJudging[]> {
  const { judge_model } = sweep;
  if (judge_model === undefined) return [];
  const done: CellJudging[] = [];
  for (const { cell, kind } of judgedCells(sweep)) {
    const path = join(folder, cell.name);
    const judging = await judgeResults(await readResults(path), inputOf(cell, kind, judge_model), {
      ...options,
      folder: path,
      ...limitedBy(dollars),
      resume: `\`${resumeCommand("sweep", folder)}\``,
      onProgress: (judged, total) => onJudging?.(cell, judged, total),
    });
    const failed = judging.lines.filter(({ error }) => error !== undefined).length;
    done.push({ run: cell.name, kind, failed });
  }
  return done;
}

/** Checks the model of the judges before the first run. Throws as `judgeResults` before its first call. */
export async function checkJudges(sweep: Sweep): Promise<void> {
  const { judge_model, total_cost_limit } = sweep;
  if (judge_model === undefined) return;
  for (const { cell, kind } of judgedCells(sweep)) {
    const asked = readJudgeInput(inputOf(cell, kind, judge_model));
    const judge = judgeFor(kind, benchmarkNamed(readEvalSettings(cell.input).benchmark));
    const settings = judgeSettings(asked, judge, undefined);
    checkModels(settings, ["judge"]);
    await checkPrices(settings, total_cost_limit, ["judge"]);
  }
}

/** Judges are called where the model of the run is. */
function inputOf({ input }: SweepCell, kind: string, judge_model: string): JudgeInput {
  return { kind, judge_model, settings: { runtime: valueAt(input, "runtime") ?? {} } };
}

/** The most that the judges of a run ask and cost. */
export interface CellJudgingPlan {
  run: string;
  kind: string;
  plan: JudgingPlan;
}

/** Plans the judging of a sweep, as if every reply were wrong and had 500 tokens; empty without a `judge_model`. */
export async function planJudgings(sweep: Sweep): Promise<CellJudgingPlan[]> {
  const { judge_model } = sweep;
  if (judge_model === undefined) return [];
  const plans: CellJudgingPlan[] = [];
  for (const { cell, kind } of judgedCells(sweep))
    plans.push({
      run: cell.name,
      kind,
      plan: await planJudging(await assumedResults(cell), inputOf(cell, kind, judge_model)),
    });
  return plans;
}

/** No extractor reads an answer in it. */
const ASSUMED_REPLY = "0 ".repeat(1000);

async function assumedResults({ name, input }: SweepCell): Promise<Results> {
  const asked = readEvalSettings(input);
  const { benchmark, samples, loaded } = await prepare(asked);
  const { option_orders } = asked;
  const epochs = asked.epochs * option_orders;
  return {
    ...{ name, benchmark, samples, epochs, option_orders, missing: 0, skipped: 0 },
    said: samples.flatMap((sample) =>
      epochsOf(sample, asked.epochs, option_orders).map((epoch) => {
        const { shift } = variantOf(epoch, option_orders);
        return { sample, epoch, shift, reply: ASSUMED_REPLY, why: "", line: null };
      }),
    ),
    data: { hash: loaded.hash, subset: asked.subset },
    ...{ unknownGroups: [], notes: [], header: null },
  };
}
