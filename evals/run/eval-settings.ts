import { fileURLToPath } from "node:url";
import { z } from "zod";
import { strategies } from "../../graphs/define-strategy.ts";
import type { DeclaredSettings } from "../../src/core/declared-settings.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, oneLine } from "../../src/core/errors.ts";
import {
  checkTaskSettings,
  readSettings,
  type Settings,
  type SettingsInput,
  settingGroups,
} from "../../src/core/settings.ts";
import { WORKERS } from "../../src/core/shared-runs.ts";
import { type Benchmark, benchmarks, DEFAULT_SUBSET } from "../benchmarks/define-benchmark.ts";
import { allLoadSettings, readLoadSettings } from "../benchmarks/load-settings.ts";
import { protocolSettings } from "../benchmarks/protocols/find-protocol.ts";
import { isUnpublished } from "../benchmarks/protocols/protocol.ts";
import { EXTRACTOR_EXPECTED, EXTRACTOR_SETTINGS } from "../score/extractor-settings.ts";
import {
  chooseScorers,
  ScorerNames,
  type Scorers,
  scorerSettings,
} from "../scorers/choose-scorers.ts";
import { GoldArm } from "./gold-arm.ts";
import { readLimit } from "./selection.ts";

/*
 * Settings of a run: how a question is answered (`Settings`), and over which data. One flat schema serves flags,
 * YAML files and the axes of a sweep.
 */

export const DESCRIPTIONS = ["recognised", "gold"] as const;

/** Names of the subsets of all benchmarks. */
function subsetNames(): string[] {
  const all = benchmarks.all().flatMap(({ subsets = [] }) => subsets);
  return [...new Set([DEFAULT_SUBSET, ...all.map(({ name }) => name)])];
}

const EvalShape = {
  benchmark: z.string().refine((name) => benchmarks.find(name) !== undefined),
  /** Folder of the benchmark as downloaded. */
  data: z.string().min(1),
  /** The set of questions, for a benchmark with several. */
  subset: z
    .string()
    .refine((name) => subsetNames().includes(name))
    .default(DEFAULT_SUBSET),
  /** `official`: sampler, pixel cap and decoding as published, for settings that are not given. */
  protocol: z.enum(["official"]).nullable().default(null),
  /** `10` or `10-20`, counted from 1. */
  limit: z.union([z.int(), z.string()]).nullable().default(null),
  sample_id: z
    .union([z.string(), z.array(z.union([z.string(), z.int()]).transform(String))])
    .default([]),
  sample_shuffle: z.int().min(0).nullable().default(null),
  /** File of marks, whose marked questions are not asked. */
  leave_out: z.string().min(1).nullable().default(null),
  epochs: z.int().min(1).max(1000).default(1),
  /** Number of cyclic orders of the options in which every question is asked, each as a separate epoch. */
  option_orders: z.int().min(1).max(26).default(1),
  /** Concurrent samples; null: a quarter more than the calls in flight, so that frames are prepared meanwhile. */
  max_samples: z.int().min(1).max(4096).nullable().default(null),
  /** Number of failed samples after which the run stops; null: never. */
  fail_on_error: z.int().min(1).nullable().default(null),
  /** Dollars that the run may spend in total, including earlier processes; null: no limit. */
  total_cost_limit: z.number().nonnegative().nullable().default(null),
  skip_missing: z.boolean().default(false),
  /** Who asks the questions: this process, or workers that share its store. */
  workers: z.enum(WORKERS).default("local"),
  /** Times a worker may end, or an internal error may occur, with a sample before the sample is parked. */
  sample_tries: z.int().min(1).max(100).default(3),
  /** Whether the messages of each sample's model calls are stored. */
  keep_requests: z.boolean().default(false),
  /** The descriptions that a decomposing strategy puts in order: recognised ones, or the step names of the data. */
  descriptions: z.enum(DESCRIPTIONS).default("recognised"),
  /** What an arm of an attribution is given; null for every other run. */
  gold: GoldArm.nullable().default(null),
  /** The extractor; null: the one that fits the prompts, or that of the protocol. */
  ...EXTRACTOR_SETTINGS,
  /** `number`, or with a task `open=number`; the others are those of the benchmark. */
  scorer: ScorerNames.default([]),
};
const EvalSchema = z.strictObject(EvalShape);

type EvalOwn = z.infer<typeof EvalSchema>;
export type EvalInput = z.input<typeof EvalSchema> & SettingsInput;

export interface EvalSettings extends Omit<EvalOwn, "limit" | "sample_id" | "scorer"> {
  limit: { from: number; to: number } | null;
  sample_id: string[];
  /** Settings of the benchmark's `load`. */
  load: Record<string, unknown>;
  /** The scorer of each task. */
  scorers: Scorers;
  /** How each question is answered. */
  settings: Settings;
}

/** Names of the settings of a run, in addition to those of a question: its own, and those of benchmarks and scorers. */
export function evalNames(): string[] {
  return [...new Set([...Object.keys(EvalShape), ...Object.keys(declaredSettings())])];
}

/** Settings that benchmarks and scorers bring with them. */
export function declaredSettings(): DeclaredSettings {
  return { ...allLoadSettings(), ...scorerSettings() };
}

/**
 * Reads the settings of a run. Settings that are not given come from the protocol.
 * Throws `Failure` `wrong-setting` for an unknown name, a value out of range, or one that the strategy does not read.
 */
export function readEvalSettings(input: unknown): EvalSettings {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new Failure(
      "wrong-setting",
      `Invalid settings ${oneLine(JSON.stringify(input) ?? "(empty)", 60)}: use names and values, such as \`benchmark: ${benchmarks.names()[0]}\`.`,
    );
  const names = evalNames();
  const known = [...names, ...settingGroups()];
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Failure(
      "wrong-setting",
      `Unknown setting \`${unknown}\`: use one of ${known.join(", ")}.`,
      { unknown: [unknown] },
    );
  const own = withDefaultData(
    Object.fromEntries(Object.entries(input).filter(([name]) => name in EvalShape)),
  );
  const read = EvalSchema.safeParse(own);
  if (!read.success) throw ownFailure(read.error, own);
  const answering = Object.fromEntries(
    Object.entries(input).filter(([name]) => !names.includes(name)),
  );
  const { limit, sample_id, scorer, ...rest } = read.data;
  const benchmark = benchmarks.get(rest.benchmark);
  const declared = Object.fromEntries(
    Object.entries(input).filter(([name]) => name in declaredSettings()),
  );
  const settings = readSettings(
    rest.protocol === null ? answering : withProtocol(benchmark, answering),
  );
  if (benchmark.tasks.length === 1) checkTaskSettings(settings, benchmark.tasks[0]);
  if (rest.protocol !== null && isUnpublished(benchmark.protocol))
    throw new Failure(
      "wrong-setting",
      `Invalid --protocol ${rest.protocol} for ${benchmark.name}: it has no published protocol. Leave it out.`,
      { name: "protocol", benchmark: rest.benchmark },
    );
  if (rest.option_orders > 1 && !benchmark.tasks.includes("choice"))
    throw new Failure(
      "wrong-setting",
      `Invalid --option-orders ${rest.option_orders} for ${benchmark.name}: its questions have no options. Leave it out, or use --epochs.`,
      { name: "option_orders", benchmark: rest.benchmark },
    );
  const decomposed = strategies.all().filter(({ approach }) => approach === "decomposed");
  if (rest.descriptions === "gold" && !decomposed.some(({ name }) => name === settings.strategy))
    throw new Failure(
      "wrong-setting",
      `The strategy \`${settings.strategy}\` does not read \`--descriptions gold\`: leave it out, or choose ${decomposed.map(({ name }) => name).join(", ")}.`,
      { name: "descriptions", strategy: settings.strategy },
    );
  return {
    ...rest,
    limit: limit === null ? null : readLimit(limit),
    sample_id:
      typeof sample_id === "string"
        ? sample_id.split(",").map((id) => id.trim())
        : sample_id.flatMap((id) => id.split(",").map((part) => part.trim())),
    load: readLoadSettings(benchmark, declared),
    scorers: chooseScorers(benchmark, { scorer, settings: declared }),
    settings,
  };
}

/** A benchmark may say where its data are. */
function withDefaultData(own: Record<string, unknown>): Record<string, unknown> {
  const { data } = benchmarks.find(String(own.benchmark)) ?? {};
  if (data === undefined || own.data != null) return own;
  return { ...own, data: data instanceof URL ? fileURLToPath(data) : data };
}

function withProtocol(benchmark: Benchmark, given: Record<string, unknown>) {
  return merged(protocolSettings(benchmark, given), given);
}

/** Merges two objects of settings, member by member; `over` overrides `under`. */
export function merged(under: unknown, over: unknown): unknown {
  if (!isPlain(under) || !isPlain(over)) return over === undefined ? under : over;
  const names = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...names].map((name) => [name, merged(under[name], over[name])]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ownFailure(error: z.ZodError, own: Record<string, unknown>): Failure {
  const issue = error.issues[0];
  const name = String(issue?.path[0] ?? "settings");
  const flag = `--${name.replaceAll("_", "-")}`;
  const given = own[name];
  const expected =
    name === "benchmark"
      ? benchmarkNames()
      : name === "subset"
        ? `one of ${subsetNames().join(", ")}`
        : (EXPECTED[name] ?? describeExpected(issue));
  const label = name === "benchmark" ? "benchmark" : flag;
  return new Failure(
    "wrong-setting",
    given === undefined
      ? `Missing ${label}: give ${expected}.`
      : `Invalid ${label} ${JSON.stringify(given)}: use ${expected}.`,
    { name, given },
  );
}

function benchmarkNames(): string {
  const files = benchmarks.all().flatMap(({ opens = [] }) => opens);
  return `one of ${benchmarks.names().join(", ")}; a command also takes a data file (${files.join(", ")}) or a file of your own (.ts)`;
}

const EXPECTED: Record<string, string> = {
  data: "the folder of the benchmark as downloaded, or a data file",
  protocol: "official",
  limit: "a whole number from 1, or a range such as 10-20",
  sample_id: "names of samples",
  sample_shuffle: "a whole number from 0",
  leave_out: "a file of marks",
  epochs: "a whole number from 1 to 1000",
  option_orders: "a whole number from 1 to 26",
  max_samples: "a whole number from 1 to 4096",
  fail_on_error: "a whole number from 1",
  total_cost_limit: "dollars from 0, such as 20",
  skip_missing: "true or false",
  keep_requests: "true or false",
  workers: `one of ${WORKERS.join(", ")}`,
  sample_tries: "a whole number from 1 to 100",
  descriptions: `one of ${DESCRIPTIONS.join(", ")}`,
  ...EXTRACTOR_EXPECTED,
  scorer: "names of scorers, such as open=exact",
};
