import { basename } from "node:path";
import { checkModels, rolesOverEvidence } from "../../graphs/check-models.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import { money } from "../../src/core/money.ts";
import type { EvidenceSet } from "../../src/core/shapes.ts";
import { NO_USAGE } from "../../src/core/shapes.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { Models } from "../../src/models/chat.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { judgedDollars } from "../judges/judged-dollars.ts";
import { recognisedItems } from "../perturbation/perturb.ts";
import { askOverEvidence, troubleOf, withoutMedia } from "../run/ask-over-evidence.ts";
import { openCap } from "../run/paid-log.ts";
import {
  type OpenedRun,
  progressExtractor,
  type ResumeChanges,
  reopen,
} from "../run/prepare-run.ts";
import { openTasks, runPool } from "../run/resumable-pool.ts";
import { errorOfSample } from "../run/run-sample.ts";
import { samplesAtOnce } from "../run/samples-at-once.ts";
import { videoOpener } from "../run/video-opener.ts";
import { replyOfAnswer } from "../run/write-reply.ts";
import { extractorOf } from "../score/extractor-choice.ts";
import { hasScorer } from "../score/metrics.ts";
import { type GoldTexts, readGoldTexts } from "./gold-error.ts";
import {
  type PlannedCurve,
  type PropagationOptions,
  type PropagationPlan,
  planPropagation,
  type Source,
} from "./plan-propagation.ts";
import {
  lineKey,
  newPropagationHeader,
  type PropagationLine,
  propagationLog,
  readPropagation,
} from "./propagation-log.ts";
import { type PropagationStudy, summarise } from "./summary.ts";

/** The errors to inject, with progress and store. */
export interface PropagationWork extends PropagationOptions {
  /** Folder of sidecars with gold, in addition to the step names and subtitles of the data. */
  sidecars?: string;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** Called before anything is sent. */
  onPlanned?: (demand: PropagationDemand) => void;
  /** Default: the one in `settings.runtime.data`, closed afterwards. */
  store?: Store;
  /** Default: the real ones. */
  createModels?: (options: ModelsOptions) => Models;
}

/** The questions and calls of a study, before it starts. */
export interface PropagationDemand {
  run: string;
  samples: number;
  /** Samples of the run without recognised evidence. */
  left_out: number;
  /** Distinct evidence sets, and those of them that have no answer yet. */
  questions: number;
  open: number;
  /** Estimated reasoning calls and tokens of the sets without an answer, from the run's own calls. */
  calls: number;
  input: number;
  output: number;
}

/** A question and the evidence from which it is answered. */
interface Task {
  source: Source;
  set: EvidenceSet;
}

/**
 * Measures how errors of recognition affect answers: asks the questions of a run again from evidence with injected
 * errors, and scores the answers with the run's extractor. Answers are stored in the run's folder; the same call continues,
 * and a call with more rates asks only the new questions. Calls that equal earlier ones are not billed again.
 *
 * Throws as `planPropagation` and `resumeRun`; `wrong-usage` for a run without a scorer; `cancelled` and `limit-met` if it stopped before the end.
 *
 * @example
 * const study = await studyPropagation("runs/rrd", {}, { errors: ["drop-captions"], rates: [0.1, 0.3] });
 */
export async function studyPropagation(
  folder: string,
  changes: ResumeChanges,
  options: PropagationWork,
): Promise<PropagationStudy> {
  const run = await reopen(openRunLog(folder), changes);
  if (options.createModels === undefined)
    checkModels(run.settings, rolesOverEvidence(run.settings));
  const log = propagationLog(folder);
  const store = options.store ?? (await openStore(run.settings.runtime.data));
  try {
    const plan = await planPropagation(run, store, options);
    requireScorer(run, plan);
    const gold = await goldOf(plan, run, { ...options, store });
    const lock = await log.lock();
    try {
      const header = newPropagationHeader(run.header.run);
      await log.writeHeader(header);
      const cap = await openCap(run.log.folder, run.header.total_cost_limit, run.paid, {
        account: { store, run: run.header.run },
        besides: await judgedDollars(run.log.folder, run.header.total_cost_limit),
      });
      const stopped = await askAll(plan, run, { ...options, store, cap });
      await log.writeHeader({ ...header, status: stopped === null ? "finished" : "stopped" });
      if (stopped !== null) throw stopped;
    } finally {
      await lock.release();
    }
    return summarise(run, plan, await readPropagation(folder), {
      extractor: progressExtractor(run.header, run.benchmark),
      reasoning_tags: extractorOf({ ...run, data: run.header.data }).reasoning_tags,
      seed: options.seed ?? 0,
      gold,
    });
  } finally {
    if (options.store === undefined) await store.close();
  }
}

/** The plan of `studyPropagation`; nothing is sent. Throws as `planPropagation`. */
export async function demandOfPropagation(
  folder: string,
  changes: ResumeChanges,
  options: PropagationWork,
): Promise<PropagationDemand> {
  const run = await reopen(openRunLog(folder), changes);
  const store = options.store ?? (await openStore(run.settings.runtime.data));
  try {
    const plan = await planPropagation(run, store, options);
    requireScorer(run, plan);
    return demandOf(run, plan, await readPropagation(folder));
  } finally {
    if (options.store === undefined) await store.close();
  }
}

function goldOf(
  { curves }: PropagationPlan,
  run: OpenedRun,
  { sidecars, store, signal }: PropagationWork & { store: Store },
): Promise<Map<string, GoldTexts>> {
  const samples = curves.flatMap(({ sources }) => sources.map(({ sample }) => sample));
  const distinct = [...new Map(samples.map((sample) => [sample.id, sample])).values()];
  return readGoldTexts(run, distinct, sidecars, { store, run: "propagation", signal });
}

/** Before anything is sent: replies that nothing can score are of no use. */
function requireScorer({ benchmark, log }: OpenedRun, { curves }: PropagationPlan): void {
  const samples = curves.flatMap(({ sources }) => sources.map(({ sample }) => sample));
  if (samples.some((sample) => hasScorer(benchmark, sample))) return;
  const tasks = [...new Set(samples.map(({ task }) => task))].join(" and ");
  throw new Failure(
    "wrong-usage",
    `No answer of ${log.folder} can be scored: it has no scorer for ${tasks} questions. Choose one with \`eval --scorer\` for a new run.`,
    { folder: log.folder },
  );
}

/** Each distinct evidence set of each sample once. */
function tasksOf(curves: readonly PlannedCurve[]): Task[] {
  const tasks = curves.flatMap(({ sources, points }) =>
    points.flatMap(({ samples }) =>
      samples.map(({ set }, place) => ({ source: sources[place] as Source, set })),
    ),
  );
  return [
    ...new Map(tasks.map((task) => [lineKey(task.source.sample.id, task.set.id), task])).values(),
  ];
}

function openOf(plan: PropagationPlan, stored: ReadonlyMap<string, PropagationLine>) {
  return openTasks(tasksOf(plan.curves), ({ source, set }) =>
    stored.get(lineKey(source.sample.id, set.id)),
  );
}

function demandOf(
  run: OpenedRun,
  plan: PropagationPlan,
  stored: ReadonlyMap<string, PropagationLine>,
): PropagationDemand {
  const { open, total } = openOf(plan, stored);
  const searches = strategies.get(run.settings.strategy).approach === "search";
  const calls = open.flatMap(({ item: { source } }) => {
    const own = source.line.calls.filter(({ role }) => role === "reasoner");
    // Over given evidence a search is one call. Its last turn may have had pictures, too.
    return searches && source.sample.task !== "order" ? own.slice(-1) : own;
  });
  const sum = (of: (call: (typeof calls)[number]) => number) =>
    calls.reduce((all, call) => all + of(call), 0);
  return {
    run: basename(run.log.folder),
    samples: plan.samples,
    left_out: plan.left_out,
    questions: total,
    open: open.length,
    calls: calls.length,
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
  };
}

/** Null if every question was asked; otherwise the reason why the study stopped. */
async function askAll(
  plan: PropagationPlan,
  run: OpenedRun,
  options: PropagationWork & { store: Store; cap: SpendingCap },
): Promise<Failure | null> {
  const log = propagationLog(run.log.folder);
  const stored = await readPropagation(run.log.folder);
  const { open, total } = openOf(plan, stored);
  options.onPlanned?.(demandOf(run, plan, stored));
  let done = total - open.length;
  options.onProgress?.(done, total);
  let openOnce: ReturnType<typeof videoOpener> | undefined;
  const { fatal, capped, cancelled } = await runPool({
    tasks: open,
    width: run.header.max_samples ?? samplesAtOnce(run.settings),
    signal: options.signal,
    cap: options.cap,
    doing: ({ item }) => `asking sample ${item.source.sample.id} from perturbed evidence`,
    async run(task, signal) {
      openOnce ??= videoOpener(options.store, run.header.run, signal);
      await log.append(await askOne(task, run, { ...options, signal, openVideo: openOnce }));
      options.onProgress?.(++done, total);
    },
  });
  if (cancelled)
    return new Failure("cancelled", "Interrupted: run the same command again to continue.", {
      resume: "study propagation",
    });
  if (fatal === null && capped)
    return new Failure(
      "limit-met",
      `The study stopped at --total-cost-limit ${options.cap.limit}: ${money(options.cap.paid())} is paid, ${done} of ${total} questions are answered. Run the same command with a higher limit to continue.`,
      { limit: options.cap.limit },
    );
  return fatal;
}

async function askOne(
  { item: { source, set }, attempt }: { item: Task; attempt: number },
  run: OpenedRun,
  work: Parameters<typeof askOverEvidence>[3],
): Promise<PropagationLine> {
  const { sample, line } = source;
  const began = { at: new Date().toISOString(), ms: performance.now() };
  const base = {
    sample: lineKey(sample.id, set.id),
    epoch: 1,
    attempt,
    of: sample.id,
    set: set.id,
    started_at: began.at,
  };
  const seconds = () => Math.round(performance.now() - began.ms) / 1000;
  try {
    const { store } = work;
    const { answer, question } = await askOverEvidence(
      { line, sample, attempt },
      recognisedItems(set),
      run,
      work,
      { purpose: "propagation", settings: withoutMedia(run.settings) },
    );
    const { id } = set;
    if (id !== source.set.id)
      await store.catalogue.putSet({ id, video: question.video, json: JSON.stringify(set) });
    const { reply } = replyOfAnswer(run.benchmark.answers.written, answer);
    const error = troubleOf(answer);
    const failed = error === undefined ? {} : { error };
    const { status, usage } = answer;
    return { ...base, status, reply, usage, ...failed, seconds: seconds() };
  } catch (error) {
    const failed = errorOfSample(error, work.signal);
    const nothing = { status: "error", reply: null, usage: NO_USAGE };
    return { ...base, ...nothing, error: failed, seconds: seconds() };
  }
}
