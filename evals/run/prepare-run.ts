import { resolve } from "node:path";
import { answersTask } from "../../graphs/require-task.ts";
import { loadPrompts, type Prompts, type PromptWording } from "../../prompts/load-prompts.ts";
import type { RunLog } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import {
  checkTaskSettings,
  readSettings,
  type Settings,
  storedSettings,
  valueAt,
} from "../../src/core/settings.ts";
import { type Benchmark, benchmarkNamed, withScorers } from "../benchmarks/define-benchmark.ts";
import type { BenchmarkData, Note, Sample } from "../benchmarks/sample.ts";
import {
  type Certificate,
  certify,
  deviationsIn,
  wordingsSent,
} from "../certificate/certificate.ts";
import { markedSamples, unknownMarks } from "../marks/apply-marks.ts";
import { readMarks } from "../marks/marks-file.ts";
import { chooseExtractor, type ExtractorChoice, extractorOf } from "../score/extractor-choice.ts";
import { MODEL_LETTER } from "../score/extractor-settings.ts";
import { checkModules } from "./check-modules.ts";
import { requireNamedServers } from "./check-servers.ts";
import { type EvalSettings, merged } from "./eval-settings.ts";
import { isOverEvidence, samplesOfArm } from "./gold-arm.ts";
import { SUMMARY_MEMBERS, storedLine } from "./line-summary.ts";
import { remainingTasks, type Task } from "./remaining-tasks.ts";
import { type EvalHeader, readEvalHeader } from "./run-header.ts";
import type { RunProgress } from "./run-progress.ts";
import { selectSamples, unitOf } from "./selection.ts";
import { hasStepNames } from "./step-names.ts";

/* Prepares a run: reads its data and selects its samples; for a resumed run, the remaining ones. */

/** What a run is about to ask, with everything read that it needs. */
export interface PreparedRun {
  benchmark: Benchmark;
  loaded: BenchmarkData;
  samples: Sample[];
  skipped: Sample[];
  /** Ids of samples that a file of marks marks; null without such a file. */
  left_out: string[] | null;
  prompts: Prompts;
  protocol: EvalHeader["protocol"];
  extractor: ExtractorChoice;
  /** Wordings of the prompts that the run can send; null if they depend on the videos. */
  wordings: Record<string, PromptWording> | null;
  certificate: Certificate;
}

/** Reads the data of a benchmark. Throws `Failure` `not-found` for data that are missing or still packed, `data-malformed`. */
export async function loadData(asked: EvalSettings): Promise<BenchmarkData> {
  const benchmark = benchmarkNamed(asked.benchmark);
  const found = await benchmark.load(asked.data, { config: asked.subset, settings: asked.load });
  if (found.packed !== null) throw new Failure("not-found", found.packed, { folder: found.folder });
  return found;
}

/** Reads data, unless they are given, and prompts, and chooses the samples. Throws as `startRun`. */
export async function prepare(asked: EvalSettings, data?: BenchmarkData): Promise<PreparedRun> {
  const benchmark = withScorers(benchmarkNamed(asked.benchmark), asked.scorers);
  const found = data ?? (await loadData(asked));
  const marks = asked.leave_out === null ? null : await readMarks(asked.leave_out);
  const about = { benchmark: benchmark.name, hash: found.hash };
  const left_out = marks === null ? null : markedSamples(found.samples, marks, about);
  const unknown = marks === null ? [] : unknownMarks(found.samples, marks);
  const { samples: selected, skipped } = selectSamples(
    found.samples,
    { ...asked, left_out: left_out ?? [] },
    found.folder,
  );
  const samples = samplesOfArm(selected, asked.gold);
  for (const { task } of samples) checkTaskSettings(asked.settings, task);
  const loaded = { ...found, notes: [...found.notes, ...unknown, ...unanswerable(samples, asked)] };
  if (asked.descriptions === "gold") refuseUnnamed(samples);
  const prompts = await loadPrompts(asked.settings.runtime.prompts);
  const extractor = chooseExtractor(
    { ...asked, benchmark, official: asked.protocol !== null, replaced: prompts.replaced },
    asked,
  );
  if (extractor.name === MODEL_LETTER && extractor.model === null)
    throw new Failure(
      "wrong-setting",
      "Missing --extractor-model for --extractor model-letter: name the model that names the letters, such as openai:Qwen/Qwen3-4B.",
      { name: "extractor_model" },
    );
  const certified = certifyPrepared(asked, benchmark, {
    loaded,
    samples,
    prompts,
    extractor,
  });
  const protocol =
    asked.protocol === null
      ? null
      : {
          source: certified.certificate.source,
          deviations: deviationsIn(certified.certificate),
        };
  return {
    ...{ benchmark, loaded, samples, skipped, left_out, prompts, protocol, extractor },
    ...certified,
  };
}

/** Samples of tasks that the strategy does not answer: none of them is asked. */
function unanswerable(samples: readonly Sample[], { settings }: EvalSettings): Note[] {
  const left = samples.filter(({ task }) => !answersTask(settings.strategy, task));
  if (left.length === 0) return [];
  const what = `samples of tasks that the strategy ${settings.strategy} does not answer, and that count as wrong`;
  return [{ what, count: left.length, examples: left.slice(0, 5).map(({ id }) => id) }];
}

function certifyPrepared(
  asked: EvalSettings,
  benchmark: Benchmark,
  {
    loaded,
    samples,
    prompts,
    extractor,
  }: Pick<PreparedRun, "loaded" | "samples" | "prompts" | "extractor">,
): Pick<PreparedRun, "wordings" | "certificate"> {
  const ofTask = [...Map.groupBy(samples, ({ task }) => task).values()];
  const byTask = ofTask.map(([first]) =>
    wordingsSent(
      asked.settings,
      {
        wording: benchmark.wording,
        task: first?.task ?? benchmark.tasks[0],
        options: first?.options.length ?? 0,
        described: asked.descriptions === "gold" || isOverEvidence(asked.gold),
      },
      prompts,
    ),
  );
  const wordings = byTask.includes(null) ? null : Object.assign({}, ...byTask);
  const certificate = certify(benchmark, {
    subset: asked.subset,
    settings: asked.settings,
    data: loaded,
    questions: new Set(samples.map(unitOf)).size,
    epochs: asked.epochs * asked.option_orders,
    descriptions: asked.descriptions,
    wordings,
    replaced: prompts.replaced,
    extractor: extractor.name,
    extractorModel: extractor.model,
    extractorDecoding: extractor,
  });
  return { wordings, certificate };
}

function refuseUnnamed(samples: readonly Sample[]): void {
  if (samples.some(hasStepNames)) return;
  throw new Failure(
    "wrong-usage",
    `Invalid --descriptions gold: none of the ${samples.length} samples has step names (released VCRBench has none). Use \`build-vcrbench\` to make a set with step names.`,
    { samples: samples.length },
  );
}

/** Settings that may change when a run resumes; results do not depend on them. */
export interface ResumeChanges {
  data?: string;
  runtime?: Partial<Settings["runtime"]>;
  max_samples?: number;
  fail_on_error?: number;
  total_cost_limit?: number;
  /** Who asks the questions from now on. */
  workers?: "local" | "remote";
}

export interface OpenedRun
  extends Pick<PreparedRun, "benchmark" | "loaded" | "samples" | "prompts"> {
  log: RunLog;
  header: EvalHeader;
  settings: Settings;
  tasks: Task[];
  progress: RunProgress;
  /** Dollars paid according to the stored results. */
  paid: number;
}

/** Reads a stored run before it resumes. Throws as `resumeRun`. */
export async function reopen(log: RunLog, changes: ResumeChanges): Promise<OpenedRun> {
  const header = await readEvalHeader(log);
  if (header.human_study !== undefined)
    throw new Failure(
      "wrong-usage",
      `Cannot resume ${log.folder}: people answer its questions. Collect more answers with \`serve --human-study\`, and export the study again.`,
      { folder: log.folder },
    );
  await checkModules(header.modules, log.folder);
  requireNamedServers(valueAt(header.settings, "runtime.mcp"), changes.runtime?.mcp, log.folder);
  const settings = restoreSettings(merged(header.settings, { runtime: changes.runtime ?? {} }));
  const benchmark = withScorers(benchmarkNamed(header.benchmark), header.scorers);
  const extractor = progressExtractor(header, benchmark);
  const [loaded, prompts, { samples: before }] = await Promise.all([
    benchmark.load(changes.data ?? header.data.path ?? header.data.folder, {
      config: header.data.subset,
      settings: header.data.load,
    }),
    loadPrompts(settings.runtime.prompts),
    log.read(SUMMARY_MEMBERS, (line) => storedLine(line, { extractor, path: log.folder })),
  ]);
  if (loaded.hash !== header.data.hash)
    throw new Failure(
      "data-malformed",
      `Cannot resume with the data in ${loaded.folder}: ${loaded.files.join(", ")} has changed since the run started. Use the original data, or start a new run.`,
      { folder: loaded.folder, expected: header.data.hash, found: loaded.hash },
    );
  refuseOtherPrompts(header, prompts);
  // The same data give the same selection. Skipped samples stay skipped, even if their video exists now.
  const skipped = new Set(header.selection.skipped);
  const choice = selectSamples(
    loaded.samples,
    { ...header.selection, skip_missing: false },
    loaded.folder,
  );
  const samples = samplesOfArm(choice.samples, header.gold).filter(({ id }) => !skipped.has(id));
  return {
    benchmark,
    loaded,
    samples,
    prompts,
    log,
    settings,
    ...remainingTasks(samples, header, before, extractor),
    header: {
      ...header,
      status: "running",
      ended_by: null,
      data: {
        ...header.data,
        folder: loaded.folder,
        ...(changes.data === undefined ? {} : { path: resolve(changes.data) }),
      },
      settings: { ...header.settings, runtime: settings.runtime },
      ...workersOf(changes.workers ?? header.workers),
      max_samples: changes.max_samples ?? header.max_samples,
      fail_on_error: changes.fail_on_error ?? header.fail_on_error,
      total_cost_limit: changes.total_cost_limit ?? header.total_cost_limit,
    },
  };
}

/** The member of a header, which overrides that of an earlier one. */
function workersOf(workers: ResumeChanges["workers"]): Pick<EvalHeader, "workers"> {
  return { workers: workers === "remote" ? workers : undefined };
}

/** Settings in a header are complete, so defaults that have changed since do not apply. */
function restoreSettings(kept: unknown): Settings {
  return storedSettings(kept) ?? readSettings(kept);
}

/** Throws `Failure` `data-malformed` for prompts that differ from those that the run began with. */
export function refuseOtherPrompts(header: Pick<EvalHeader, "prompts">, prompts: Prompts): void {
  const changed = Object.entries(prompts.hashes()).find(
    ([name, hash]) => header.prompts[name] !== undefined && header.prompts[name] !== hash,
  );
  if (changed === undefined) return;
  throw new Failure(
    "data-malformed",
    `Cannot resume: the prompt ${changed[0]} has changed since the run started. Continue with the same files (--prompts), or start a new run.`,
    { prompt: changed[0] },
  );
}

/** The extractor that counts right answers during a run: that of the run, or the one that fits its prompts if a model extracts. */
export function progressExtractor(
  header: Pick<EvalHeader, "data" | "settings" | "protocol" | "extractor">,
  benchmark: Benchmark,
): string {
  const { name } = extractorOf({ benchmark, header, data: header.data });
  if (name !== MODEL_LETTER) return name;
  return extractorOf({ benchmark, header: { ...header, extractor: undefined }, data: header.data })
    .name;
}
