import { isBlind, strategies } from "../../graphs/define-strategy.ts";
import { Failure } from "../../src/core/errors.ts";
import { percent } from "../../src/core/percent.ts";
import { type Settings, storedSettings } from "../../src/core/settings.ts";
import { version } from "../../src/core/version.ts";
import { nameOf } from "../../src/models/name.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { epochsOf } from "../run/option-orders.ts";
import { unitOf } from "../run/selection.ts";
import { chanceOf } from "../score/chance.ts";
import { hasScorer, scoredQuestions } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import { atLeast } from "../statistics/poisson-binomial.ts";
import type { Check, Mark, MarksHeader } from "./marks-file.ts";

/** The results that have to be right: all of a question, or at least this many. */
export type RightIn = "all" | number;

/** Marks of a set, with what single runs marked. */
export interface MadeMarks {
  header: MarksHeader;
  marks: Mark[];
  checks: CheckSummary[];
  /** Questions that at least one run marked. */
  marked: number;
  /** Questions that no run marked, and that some run has not answered often enough to decide. */
  undecided: number;
}

export interface CheckSummary {
  check: string;
  strategy: string;
  model: string | null;
  questions: number;
  marked: number;
  undecided: number;
  /** Questions that guessing would mark; open questions are not counted. */
  expected_by_chance: number;
}

/**
 * Marks the questions that runs answer without the video: a run marks a question if it is right in all of its results
 * (repetitions and orders of the options), or in at least `right_in`. A question is marked if one run marks it.
 * Throws `Failure` `wrong-usage` for a run whose answers see the video, or runs over different data.
 */
export function makeMarks(runs: readonly Results[], right_in: RightIn = "all"): MadeMarks {
  const [first] = runs;
  if (first === undefined) throw new Failure("wrong-usage", "No runs: give at least one.");
  for (const run of runs) refuseOtherData(run, first);
  const checked = runs.map((run) => checksOf(run, right_in));
  const ids = [...new Set(checked.flatMap(({ checks }) => [...checks.keys()]))];
  const marks = ids.map((id): Mark => {
    const checks = checked.flatMap((of) => of.checks.get(id) ?? []);
    const by = checks.filter(({ marked }) => marked === true);
    const isOpen = checks.some(({ marked }) => marked === null);
    return {
      id,
      marked: by.length > 0 ? true : isOpen ? null : false,
      reasons: by.map(reasonOf),
      checks,
    };
  });
  return {
    header: {
      format: "video-rrd-marks",
      version: 1,
      benchmark: first.benchmark.name,
      data: first.data?.hash ?? null,
      subset: first.data?.subset ?? null,
      right_in,
      made_by: `video-rrd ${version()}`,
    },
    marks,
    checks: checked.map(({ checks, ...about }) => summaryOf([...checks.values()], about)),
    marked: marks.filter(({ marked }) => marked === true).length,
    undecided: marks.filter(({ marked }) => marked === null).length,
  };
}

type Said = ReturnType<typeof scoreReplies>[number];
type About = Pick<CheckSummary, "check" | "strategy" | "model">;

function checksOf(run: Results, right_in: RightIn): About & { checks: Map<string, Check> } {
  const settings = settingsOf(run);
  const { strategy } = settings;
  const about = { check: run.name, strategy, model: nameOf(settings, "reasoner") };
  const { tasks } = strategies.get(strategy);
  const { benchmark, epochs, option_orders: orders = 1 } = run;
  const usable = run.samples.filter(
    (sample) => tasks.includes(sample.task) && hasScorer(benchmark, sample),
  );
  const units = Map.groupBy(usable, unitOf);
  const replied = scoreReplies(run).filter(({ line }) => line !== null && line.error === undefined);
  // A question of several samples has a result once all of them were asked.
  const whole = [...Map.groupBy(replied, ({ sample, epoch }) => `${epoch} ${unitOf(sample)}`)]
    .filter(([, of]) => of.length === units.get(unitOf((of[0] as Said).sample))?.length)
    .flatMap(([, of]) => of);
  const values = Map.groupBy(scoredQuestions(run, whole), ({ id }) => id);
  const checks = new Map<string, Check>();
  for (const [id, parts] of units) {
    const planned = epochsOf(parts[0] as Sample, epochs / orders, orders).length;
    const results = values.get(id) ?? [];
    const right = results.filter(({ value }) => value === 1).length;
    const needed = right_in === "all" ? planned : Math.min(right_in, planned);
    const possible = right + planned - results.length;
    checks.set(id, {
      ...about,
      ...{ right, asked: results.length, planned, needed },
      chance: chanceOfMark(parts, planned, needed),
      marked: right >= needed ? true : possible >= needed ? null : false,
    });
  }
  return { ...about, checks };
}

function chanceOfMark(parts: readonly Sample[], planned: number, needed: number): number | null {
  if (parts.some(({ task }) => task === "open")) return null;
  const guess = parts.reduce((product, part) => product * chanceOf(part), 1);
  return atLeast(
    needed,
    Array.from({ length: planned }, () => guess),
  );
}

function reasonOf({ check, right, asked, needed, chance }: Check): string {
  return `${check}: right in ${right} of ${asked} results, ${needed} needed${chance === null ? "" : `; by chance ${percent(chance)}`}`;
}

function summaryOf(checks: readonly Check[], { check, strategy, model }: About): CheckSummary {
  return {
    ...{ check, strategy, model },
    questions: checks.length,
    marked: checks.filter(({ marked }) => marked === true).length,
    undecided: checks.filter(({ marked }) => marked === null).length,
    expected_by_chance: checks.reduce((sum, { chance }) => sum + (chance ?? 0), 0),
  };
}

/** The settings of a run whose answers do not see the video. Throws `Failure` `wrong-usage` for any other. */
function settingsOf({ header, name }: Results): Settings {
  const settings = storedSettings(header?.settings);
  if (settings === null)
    throw new Failure(
      "wrong-usage",
      `Cannot mark by ${name}: it is a response file. Use runs, which hold how they were asked.`,
      { name },
    );
  const { strategy, reasoning } = settings;
  const readsCaptions =
    strategies.get(strategy).approach === "decomposed" && reasoning.input === "text";
  if (isBlind(strategy) || readsCaptions) return settings;
  throw new Failure(
    "wrong-usage",
    `Cannot mark by ${name}: the answers of \`${strategy}\` may see the video. Use runs of \`sweep --preset leaks\`.`,
    { name, strategy },
  );
}

function refuseOtherData(run: Results, first: Results): void {
  const same =
    run.benchmark.name === first.benchmark.name &&
    run.data?.hash === first.data?.hash &&
    run.data?.subset === first.data?.subset;
  if (same) return;
  throw new Failure(
    "wrong-usage",
    `${run.name} and ${first.name} are runs over different data: mark each set by its own runs.`,
    { runs: [run.name, first.name] },
  );
}
