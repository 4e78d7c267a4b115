import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { rolesOf } from "../../graphs/check-models.ts";
import { needsModel, strategies } from "../../graphs/define-strategy.ts";
import { openServerTools } from "../../graphs/toolbox/server-tools.ts";
import type { RunLog, Store } from "../../src/core/contracts.ts";
import { Failure, isFailure } from "../../src/core/errors.ts";
import { connectionsOf, type Settings } from "../../src/core/settings.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { BatchProgress } from "../../src/models/batch/batches.ts";
import type { Models } from "../../src/models/chat.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { withRemoteFiles } from "../../src/models/release-uploads.ts";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { unscoredTasks, unscoredText } from "../score/scorer-choice.ts";
import { collectRun } from "../workers/collect-run.ts";
import { joinRun, leaveWorkers, refuseRemote } from "../workers/join-run.ts";
import { requireSharedRuns } from "../workers/require-shared-runs.ts";
import { metCap } from "../workers/run-cap.ts";
import { runKey } from "../workers/run-key.ts";
import { modulesForHeader } from "./check-modules.ts";
import { checkRun } from "./check-run.ts";
import { checkServers } from "./check-servers.ts";
import { type EvalSettings, readEvalSettings } from "./eval-settings.ts";
import { openArm } from "./gold-evidence.ts";
import { newRunHeader } from "./new-run-header.ts";
import { notePaid, openCap } from "./paid-log.ts";
import {
  type OpenedRun,
  prepare,
  progressExtractor,
  type ResumeChanges,
  remainingTasks,
  reopen,
  type Task,
} from "./prepare-run.ts";
import { type PoolEnd, runPool } from "./resumable-pool.ts";
import { resumeCommand } from "./resume-command.ts";
import { checkBatchServers, openRunBatches } from "./run-batches.ts";
import { endOf } from "./run-end.ts";
import { type RunLine, writeQuestions } from "./run-folder.ts";
import { type EvalHeader, readEvalHeader } from "./run-header.ts";
import { addLine, type RunProgress } from "./run-progress.ts";
import { runSample } from "./run-sample.ts";
import { refuseAllMissing } from "./selection.ts";
import { stageCounter } from "./stage-counter.ts";
import { videoOpener } from "./video-opener.ts";

/** Store, limits and progress of a run. */
export interface RunOptions {
  signal?: AbortSignal;
  /** After every result. */
  onProgress?: (progress: RunProgress) => void;
  /** Samples at work by stage, whenever that changes. A sample whose stages run at the same time counts in each. */
  onStages?: (samples: ReadonlyMap<string, number>) => void;
  /** How far a stage of one of the samples at work is. */
  onStep?: (stage: string, step: { done: number; total: number | null; unit: string }) => void;
  /** What a person should know and no result says: answers without a scorer, or an uploaded file that could not be deleted. */
  onNote?: (text: string) => void;
  /** Default: the one in `settings.runtime.data`, closed again afterwards. */
  store?: Store;
  /** The batches of `--batch`, whenever one changes. */
  onBatches?: (batches: readonly BatchProgress[]) => void;
  /** Default: the real ones. */
  createModels?: (options: ModelsOptions) => Models;
  /** What this run and others may pay together. */
  cap?: SpendingCap;
}

/** How a run ended. */
export interface RunEnd {
  folder: string;
  header: EvalHeader;
  progress: RunProgress;
}

/**
 * Runs a benchmark by the settings of `readEvalSettings` and keeps the results in `folder`, one sample after another as
 * they come. What fails for one sample alone is kept as its error.
 *
 * Throws `Failure`: `wrong-setting`; `wrong-usage` where the folder holds a run already; `not-found` for data that is
 * missing or still packed; `data-malformed`; `store-busy`; and what would stop every sample (`missing-key`, `disk-full`
 * ...), after which `resumeRun` goes on.
 */
export async function startRun(
  input: unknown,
  folder: string,
  options: RunOptions = {},
): Promise<RunEnd> {
  const asked = withWholePaths(readEvalSettings(input));
  if (asked.workers === "remote") refuseRemote(asked);
  if (options.createModels === undefined) {
    await checkRun(asked, asked.total_cost_limit);
    await checkBatchServers(asked.settings, rolesOf(asked.settings), options.signal);
  }
  const prepared = await prepare(asked);
  if (strategies.get(asked.settings.strategy).withoutVideo === undefined)
    refuseAllMissing(prepared.samples, prepared.loaded.folder);
  const log = openRunLog(folder);
  const { mcp } = asked.settings.runtime;
  if (asked.workers === "remote" && (await isSubmitted(log, newRunHeader(asked, prepared, []))))
    return resumeRun(folder, mcp === null ? {} : { runtime: { mcp } }, options);
  await refuseSecond(log);
  const servers = await openServerTools(asked.settings.runtime, options.signal);
  const lock = await log.lock().catch(async (error: unknown) => {
    await servers.release();
    throw error;
  });
  let shared: Store | undefined;
  let ownStore = false;
  try {
    // Another process may have begun one meanwhile.
    await refuseSecond(log);
    const { samples, benchmark } = prepared;
    for (const one of unscoredTasks(benchmark, samples)) options.onNote?.(unscoredText(one));
    const planned = newRunHeader(asked, prepared, servers.records);
    if (asked.workers === "remote") {
      shared = options.store ?? (await openStore(asked.settings.runtime.data));
      ownStore = options.store === undefined;
    }
    const header = shared === undefined ? planned : await joinRun(shared, planned, asked);
    await writeQuestions(log.folder, samples);
    await log.writeHeader(header);
    const left = remainingTasks(
      samples,
      asked,
      [],
      log.folder,
      progressExtractor(header, benchmark),
    );
    const run = { ...prepared, ...left, log, header, settings: asked.settings };
    return await execute(run, { ...options, ...(shared === undefined ? {} : { store: shared }) });
  } finally {
    if (ownStore) await shared?.close();
    await servers.release();
    await lock.release();
  }
}

/** Whether the folder holds the same run, which workers answer: the same command collects its results. */
async function isSubmitted(log: RunLog, planned: EvalHeader): Promise<boolean> {
  const there = await readEvalHeader(log).catch((error: unknown) => {
    if (isFailure(error, "not-found")) return null;
    throw error;
  });
  return there?.workers === "remote" && runKey(there) === runKey(planned);
}

/** The run may go on from another folder. */
function withWholePaths(asked: EvalSettings): EvalSettings {
  const { data, prompts, prices, mcp } = asked.settings.runtime;
  const whole = (path: string | null) => (path === null ? null : resolve(path));
  const runtime = {
    ...{ data: resolve(data), prompts: whole(prompts), prices: whole(prices), mcp: whole(mcp) },
  };
  return {
    ...asked,
    settings: { ...asked.settings, runtime: { ...asked.settings.runtime, ...runtime } },
  };
}

/**
 * Goes on with a run: asks what is missing and what failed; good results stay. Throws as `startRun`, and `not-found`,
 * `store-format` (the run of a newer version), and `data-malformed` where data or prompts are no longer those that the
 * run began with.
 */
export async function resumeRun(
  folder: string,
  changes: ResumeChanges = {},
  options: RunOptions = {},
): Promise<RunEnd> {
  const log = openRunLog(folder);
  // Read before the lock is taken, which would make the folder.
  await readEvalHeader(log);
  const lock = await log.lock();
  let endServers = async () => {};
  try {
    const opened = await reopen(log, changes);
    const { runtime } = opened.settings;
    const servers = await openServerTools(runtime, options.signal);
    endServers = servers.release;
    checkServers(opened.header.mcp, servers.records, log.folder);
    const { settings, header } = opened;
    if (header.workers === "remote") refuseRemote({ gold: header.gold ?? null, settings });
    if (options.createModels === undefined) {
      const { descriptions, gold, total_cost_limit } = header;
      await checkRun({ settings, descriptions, gold }, total_cost_limit);
      await checkBatchServers(settings, rolesOf(settings), options.signal);
    }
    return await execute(opened, options);
  } finally {
    await endServers();
    await lock.release();
  }
}

async function refuseSecond(log: RunLog): Promise<void> {
  const there = await log.readHeader().catch((error: unknown) => {
    if (isFailure(error, "not-found")) return null;
    throw error;
  });
  if (there === null) return;
  throw new Failure(
    "wrong-usage",
    `${log.folder} already holds a run (${there.status}). Continue it with \`eval --resume ${log.folder}\`, or choose another folder.`,
    { folder: log.folder },
  );
}

async function execute(run: OpenedRun, options: RunOptions): Promise<RunEnd> {
  const { log, header, settings, tasks } = run;
  let { progress } = run;
  const reader = progressExtractor(header, run.benchmark);
  options.onProgress?.(progress);
  const store = options.store ?? (await openStore(settings.runtime.data));
  let cap: SpendingCap = await openCap(log.folder, header.total_cost_limit, run.paid, {
    account: { store, run: header.run },
    within: options.cap,
  });
  const stages = stageCounter<Task>(options.onStages);
  let openOnce: ReturnType<typeof videoOpener> | undefined;
  let failed = 0;
  const enough = () => header.fail_on_error !== null && failed >= header.fail_on_error;
  let end: PoolEnd = { fatal: null, capped: false, cancelled: false };

  try {
    if (header.workers !== "remote") await leaveWorkers(store, header.run);
    await log.writeHeader({ ...header, updated_at: new Date().toISOString() });
    const addResult = async (line: RunLine) => {
      await log.append(line);
      if (line.error !== undefined) failed++;
      progress = addLine(progress, line, true, reader);
      options.onProgress?.(progress);
    };
    const arm = { store, settings, run: header.run, signal: options.signal };
    const evidenceOf = await openArm(log.folder, header.gold, arm);
    const { onBatches, onNote } = options;
    const batched = await openRunBatches(settings, {
      ...{ data: store.folder, run: header.run, onBatches, onNote },
      ...{ width: samplesAtOnce(settings), max_samples: header.max_samples },
      resume: resumeCommand("eval", log.folder),
    });
    const answer = () =>
      runPool({
        tasks,
        width: batched.width,
        signal: options.signal,
        cap,
        isEnough: enough,
        doing: ({ sample }) => `asking sample ${sample.id}`,
        run: async (task, signal) => {
          openOnce ??= videoOpener(store, header.run, signal);
          const context = {
            ...run,
            folder: run.loaded.folder,
            store,
            run: header.run,
            descriptions: header.descriptions,
            evidenceOf,
            defaults: header.defaults,
            signal,
            openVideo: openOnce,
            createModels: options.createModels,
            keepsRequests: header.keep_requests === true,
            cap,
            onStage: (stage: string, state: "start" | "end") => stages.change(task, stage, state),
            onStep: options.onStep,
            batches: batched.batches,
          };
          const line = await batched
            .sample(() => runSample(task, context))
            .finally(() => stages.leave(task));
          await addResult(line);
        },
      });
    try {
      end =
        header.workers === "remote"
          ? await collectRun({
              runs: requireSharedRuns(store),
              ...{ header, tasks },
              most_tries: header.sample_tries ?? DEFAULT_TRIES,
              ...(options.signal === undefined ? {} : { signal: options.signal }),
              ...(options.onStages === undefined ? {} : { onStages: options.onStages }),
              onLine: async (line) => {
                if ((line.usage.paid ?? 0) > 0) notePaid(log.folder, line.usage.paid ?? 0);
                await addResult(line);
              },
              onNote: onNote ?? noNote,
              isEnough: enough,
            })
          : await withRemoteFiles(store, settings, onNote ?? noNote, answer);
    } finally {
      await batched.close(progress.done + progress.errors === progress.total);
    }
    // Workers have paid since it was opened.
    if (end.capped && header.workers === "remote")
      cap = await metCap(store, header.run, options.cap);
  } finally {
    if (options.store === undefined) await store.close();
  }
  const spent = end.capped ? cap : null;
  const ended = endOf(
    end.fatal ?? undefined,
    options.signal,
    enough() ? failed : null,
    spent,
    log.folder,
    {
      ...header,
      done: progress.done,
      total: progress.total,
    },
  );
  const last: EvalHeader = {
    ...header,
    ...modulesForHeader(header.modules),
    ...ended.header,
    updated_at: new Date().toISOString(),
  };
  try {
    await log.writeHeader(last);
  } catch (error) {
    // On a full disk the header still says `running`, which a killed run's says too.
    if (ended.failure === undefined) throw error;
  }
  if (ended.failure !== undefined) throw ended.failure;
  return { folder: log.folder, header: last, progress };
}

const noNote = () => undefined;

/** Of runs that began with local workers. */
const DEFAULT_TRIES = 3;

/** A quarter more than the calls in flight, so that the next frames are made while calls are waited for. */
export function samplesAtOnce(settings: Settings): number {
  if (!needsModel(settings.strategy)) return availableParallelism();
  return Math.ceil(connectionsOf(settings.runtime).max * 1.25);
}

/** A folder that no run has taken: `runs/vcrbench-direct-20260801-093000`. */
export function newRunFolder({ benchmark, settings }: EvalSettings, now = new Date()): string {
  const stamp = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return resolve(join("runs", `${benchmark}-${settings.strategy}-${stamp}`));
}
