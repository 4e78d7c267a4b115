import { billedRoles, checkModels } from "../../graphs/check-models.ts";
import { standard, strategies } from "../../graphs/define-strategy.ts";
import type { Store } from "../../src/core/contracts.ts";
import { endsRun, Failure, isFailure } from "../../src/core/errors.ts";
import { money } from "../../src/core/money.ts";
import type { Settings } from "../../src/core/settings.ts";
import { createSpendingCap, type SpendingCap } from "../../src/core/spending-cap.ts";
import type { Models } from "../../src/models/chat.ts";
import { checkPrices } from "../../src/models/check-prices.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { modelOf } from "../../src/models/name.ts";
import { openStore } from "../../src/storage/open.ts";
import { benchmarks } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { type EvalSettings, readEvalSettings } from "../run/eval-settings.ts";
import { type PreparedRun, prepare } from "../run/prepare-run.ts";
import { runPool } from "../run/resumable-pool.ts";
import { samplesAtOnce } from "../run/samples-at-once.ts";
import { hasStepNames } from "../run/step-names.ts";
import { compareRuns, type Difference } from "../statistics/paired-statistics.ts";
import { type Item, type Mean, meanShare } from "../statistics/statistics.ts";
import { accountOfTests, type ClipTest, type TestAccount } from "./clip-test.ts";
import { type Attribution, attribute } from "./numbers.ts";
import { type OrderScore, type SampleStudy, study } from "./sample.ts";
import { budgetText, countByBudget, type StoppedSample } from "./stopped-samples.ts";

/** What attribution needs in addition to its settings. */
export interface AttributionOptions {
  /** A second model, to be swapped with the first as recogniser and as reasoner. */
  other?: string;
  signal?: AbortSignal;
  progress?: (done: number, total: number, unit: string) => void;
  /** What all calls may pay together. Default: a cap of the settings' `total_cost_limit`. */
  cap?: SpendingCap;
  /** Default: the one in `settings.runtime.data`, closed again afterwards. */
  store?: Store;
  createModels?: (options: ModelsOptions) => Models;
}

/** What one model recognises against what comes of it: a point of the paper's figure 7. */
export interface ScatterPoint {
  recogniser: string;
  reasoner: string;
  /** Share of clips recognised in the event recognition test. */
  recognition: Mean;
  exact: number;
  step: number;
}

/** Two models in both roles: what changing one of them changes. Scores are shares from 0 to 1. */
export interface Swap {
  cells: { recogniser: string; reasoner: string; exact: number; step: number }[];
  /** Second model less first, the other role averaged. */
  recogniser: { exact: Difference; step: Difference };
  reasoner: { exact: Difference; step: Difference };
}

/** Which of the errors are those of recognition, and which those of reasoning. */
export interface AttributionResult {
  samples: number;
  /** Samples that could not be used, which are in no figure. */
  failed: { sample: string; message: string }[];
  /** Samples that a budget left without an order, which are in no figure. */
  stopped: StoppedSample[];
  recogniser: string;
  reasoner: string;
  /** Null where the set has no step names. */
  stages: {
    exact: Attribution;
    step: Attribution;
    /** Share of recognised descriptions from which the step can be identified among all of its procedure. */
    told_apart: Mean | null;
    /** The tests behind these shares. */
    tests: {
      recognition: (TestAccount & { recogniser: string })[];
      told_apart: TestAccount;
    };
    /** By recogniser, over all samples. */
    scatter: ScatterPoint[];
    /** The same for the first recogniser, by procedure. */
    procedures: (Pick<ScatterPoint, "recognition" | "exact" | "step"> & { goal: string })[];
  } | null;
  /** Null without a second model. */
  swap: Swap | null;
}

/**
 * Asks which stage of RRD the errors come from, on a set in VCRBench's form. Where it has step names: ordering from gold
 * descriptions against recognised ones, the event recognition test, and whether descriptions can be told apart. With a
 * second model, on any set: both models in both roles. What a stopped call has paid for is not paid again.
 * Throws `Failure` as `startRun`, `wrong-usage` for a set without step names where no second model is given, and `limit-met`
 * at `total_cost_limit`.
 */
export async function attributeStages(
  input: unknown,
  options: AttributionOptions = {},
): Promise<AttributionResult> {
  const { asked, prepared, named } = await prepareAttribution(input, options);
  const { settings } = asked;
  const { benchmark, samples, loaded, prompts } = prepared;
  const models = [modelOf(settings, "recogniser"), modelOf(settings, "reasoner")] as const;
  const { other, signal, createModels } = options;
  const cap = options.cap ?? createSpendingCap(asked.total_cost_limit);
  if (createModels === undefined)
    for (const one of settingsByModel(settings, other))
      await checkPrices(one, cap.limit, billedRoles(one));
  const store = options.store ?? (await openStore(settings.runtime.data));
  const shared = {
    benchmark,
    prompts,
    store,
    folder: loaded.folder,
    samples,
    other,
    cap,
    createModels,
  };
  const found: SampleStudy[] = [];
  const failed: AttributionResult["failed"] = [];
  const stopped: StoppedSample[] = [];
  let done = 0;
  const subject = named.length > 0 ? named : samples;
  try {
    const end = await runPool({
      tasks: subject,
      width: samplesAtOnce(settings),
      signal,
      cap,
      doing: ({ id }) => `studying sample ${id}`,
      async run(sample, inner) {
        try {
          const result = await study(sample, settings, { ...shared, signal: inner });
          if ("by" in result) stopped.push(result);
          else found.push(result);
        } catch (error) {
          inner.throwIfAborted();
          if (!isFailure(error) || endsRun(error)) throw error;
          failed.push({ sample: sample.id, message: error.message });
        }
        options.progress?.(++done, subject.length, "samples");
      },
    });
    signal?.throwIfAborted();
    if (end.fatal !== null) throw end.fatal;
    if (end.capped)
      throw new Failure(
        "limit-met",
        `The attribution stopped at --total-cost-limit ${cap.limit}: ${money(cap.paid())} is paid, ${done} of ${subject.length} samples are complete. Run the same command with a higher limit to continue; stored replies are not paid again.`,
        { limit: cap.limit, paid: cap.paid() },
      );
  } finally {
    if (options.store === undefined) await store.close();
  }
  if (found.length === 0) throw noSamples(failed, stopped);
  // Samples end in any order; figures must not depend on it.
  const byId = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });
  found.sort((a, b) => byId(a.sample.id, b.sample.id));
  stopped.sort((a, b) => byId(a.sample, b.sample));
  return {
    samples: found.length,
    failed,
    stopped,
    recogniser: models[0],
    reasoner: models[1],
    stages: named.length === 0 ? null : stagesOf(found, [...models, other ?? ""], settings),
    swap: other === undefined ? null : swapOf(found, [...models, other], settings),
  };
}

/** Reads what an attribution works on; `named` are the samples with step names. Throws as `attributeStages`. */
export async function prepareAttribution(
  input: unknown,
  { other, createModels }: Pick<AttributionOptions, "other" | "createModels">,
): Promise<{ asked: EvalSettings; prepared: PreparedRun; named: Sample[] }> {
  const asked = readEvalSettings(input);
  const { settings, benchmark, descriptions } = asked;
  if (
    !benchmarks.get(benchmark).tasks.includes("order") ||
    strategies.get(settings.strategy).approach !== "decomposed" ||
    descriptions !== "recognised"
  )
    throw new Failure(
      "wrong-usage",
      `Cannot attribute errors of ${settings.strategy} with ${descriptions} descriptions on ${benchmark}: use --strategy ${standard("with-model").name} with recognised descriptions on a benchmark of orders, where recognition and ordering are separate stages.`,
      { benchmark, strategy: settings.strategy, descriptions },
    );
  if (createModels === undefined)
    for (const one of settingsByModel(settings, other)) checkModels(one);
  const prepared = await prepare(asked);
  const named = prepared.samples.filter(hasStepNames);
  if (named.length === 0 && other === undefined) throw noNames(prepared.samples.length);
  return { asked, prepared, named };
}

/** The settings with the first and, if there is one, the second model in both roles. */
function settingsByModel(settings: Settings, other: string | undefined): Settings[] {
  return [{}, ...(other === undefined ? [] : [{ model: other }])].map((model) => ({
    ...settings,
    recognition: { ...settings.recognition, ...model },
    reasoning: { ...settings.reasoning, ...model },
  }));
}

function noSamples(
  failed: AttributionResult["failed"],
  stopped: readonly StoppedSample[],
): Failure {
  const by = countByBudget(stopped);
  const facts = { failed: failed.length, stopped: by };
  const [first] = failed;
  if (stopped.length === 0)
    return new Failure(
      "not-found",
      `All ${failed.length} samples failed, the first with: ${first?.message}`,
      facts,
    );
  const others =
    first === undefined ? "" : `, and ${failed.length} failed, the first with: ${first.message}`;
  return new Failure(
    "not-found",
    `No sample has an order: a budget stopped ${stopped.length} (${budgetText(by)})${others}. Start again with a higher limit.`,
    facts,
  );
}

function noNames(samples: number): Failure {
  return new Failure(
    "wrong-usage",
    `None of the ${samples} samples has step names (released VCRBench has none): make a set of your own videos with \`build-vcrbench\`, give descriptions in sidecars with \`--gold FOLDER\` or a stronger model with \`--oracle-model\`, or give \`--other-model\` to swap models, which needs no names.`,
    { samples },
  );
}

/** The models of the settings by role, and the second one. */
type ModelNames = readonly [recogniser: string, reasoner: string, other: string];

function stagesOf(
  found: readonly SampleStudy[],
  [recogniserName, reasoner, other]: ModelNames,
  { seed }: Settings,
): AttributionResult["stages"] {
  const arm = (of: keyof OrderScore) =>
    attribute(
      found.map(({ orders, gold, cluster }) => ({
        recognised: orders[0]?.[0]?.[of] ?? 0,
        gold: gold?.[of] ?? 0,
        cluster,
      })),
      seed,
    );
  const letters = (
    members: readonly SampleStudy[],
    of: (one: SampleStudy) => readonly (ClipTest | null)[],
  ): Item[] =>
    members.flatMap((one) =>
      of(one).flatMap((test) =>
        test === null || test.stopped_by !== null
          ? []
          : [{ value: Number(test.right === true), cluster: one.cluster }],
      ),
    );
  const names = [recogniserName, other];
  const pointOf = (members: readonly SampleStudy[], recogniser: number) => {
    const items = letters(members, ({ events }) => events[recogniser] ?? []);
    const orders = members.map((one) => one.orders[recogniser]?.[0]);
    return items.length === 0
      ? []
      : [
          {
            recognition: meanShare(items),
            exact: mean(orders.map((order) => order?.exact ?? 0)),
            step: mean(orders.map((order) => order?.step ?? 0)),
          },
        ];
  };
  const matched = letters(found, (one) => one.matched);
  const recognisers = (found[0]?.events ?? []).map((_, index) => index);
  return {
    exact: arm("exact"),
    step: arm("step"),
    told_apart: matched.length === 0 ? null : meanShare(matched),
    tests: {
      recognition: recognisers.map((index) => ({
        recogniser: names[index] ?? "",
        ...accountOfTests(
          found.flatMap(({ events }) => (events[index] ?? []).filter((test) => test !== null)),
        ),
      })),
      told_apart: accountOfTests(found.flatMap((one) => one.matched)),
    },
    scatter: recognisers.flatMap((index) =>
      pointOf(found, index).map((point) => ({
        recogniser: names[index] ?? "",
        reasoner,
        ...point,
      })),
    ),
    procedures: [...Map.groupBy(found, ({ sample }) => sample.goal ?? "")].flatMap(
      ([goal, members]) => pointOf(members, 0).map((point) => ({ goal, ...point })),
    ),
  };
}

function swapOf(
  found: readonly SampleStudy[],
  [recogniser, reasoner, other]: ModelNames,
  { seed }: Settings,
): Swap {
  const names = { recogniser: [recogniser, other], reasoner: [reasoner, other] };
  const score = (one: SampleStudy, a: number, b: number, of: keyof OrderScore) =>
    one.orders[a]?.[b]?.[of] ?? 0;
  const effect = (of: keyof OrderScore, role: "recogniser" | "reasoner") => {
    const by = (one: SampleStudy, model: number) =>
      mean(
        [0, 1].map((fixed) =>
          role === "recogniser" ? score(one, model, fixed, of) : score(one, fixed, model, of),
        ),
      );
    return compareRuns(
      found.map((one) => ({ a: by(one, 0), b: by(one, 1), cluster: one.cluster })),
      { seed },
    );
  };
  return {
    cells: [0, 1].flatMap((a) =>
      [0, 1].map((b) => ({
        recogniser: names.recogniser[a] ?? "",
        reasoner: names.reasoner[b] ?? "",
        exact: mean(found.map((one) => score(one, a, b, "exact"))),
        step: mean(found.map((one) => score(one, a, b, "step"))),
      })),
    ),
    recogniser: { exact: effect("exact", "recogniser"), step: effect("step", "recogniser") },
    reasoner: { exact: effect("exact", "reasoner"), step: effect("step", "reasoner") },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
