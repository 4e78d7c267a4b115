import type { SpendingCap } from "../../src/core/spending-cap.ts";
import { withRemoteFiles } from "../../src/models/release-uploads.ts";
import { openStore } from "../../src/storage/open.ts";
import { judgedDollars } from "../judges/judged-dollars.ts";
import { extractorOptions } from "../score/extractor-settings.ts";
import { collectRun } from "../workers/collect-run.ts";
import { leaveWorkers } from "../workers/join-run.ts";
import { requireSharedRuns } from "../workers/require-shared-runs.ts";
import { metCap } from "../workers/run-cap.ts";
import { modulesForHeader } from "./check-modules.ts";
import { openArm } from "./gold-evidence.ts";
import { SUMMARY_MEMBERS } from "./line-summary.ts";
import { notePaid, openCap } from "./paid-log.ts";
import { type OpenedRun, progressExtractor } from "./prepare-run.ts";
import type { Task } from "./remaining-tasks.ts";
import { type PoolEnd, runPool } from "./resumable-pool.ts";
import { resumeCommand } from "./resume-command.ts";
import { openRunBatches } from "./run-batches.ts";
import { endOf } from "./run-end.ts";
import type { EvalHeader } from "./run-header.ts";
import type { RunLine } from "./run-line.ts";
import type { RunEnd, RunOptions } from "./run-options.ts";
import { addLine } from "./run-progress.ts";
import { runSample } from "./run-sample.ts";
import { samplesAtOnce } from "./samples-at-once.ts";
import { stageCounter } from "./stage-counter.ts";
import { videoOpener } from "./video-opener.ts";

/** Answers the open questions of a run, here or by workers, and stores each result; then the end of the run in its header. */
export async function executeRun(run: OpenedRun, options: RunOptions): Promise<RunEnd> {
  const { log, header, settings, tasks } = run;
  let { progress } = run;
  const reader = progressExtractor(header, run.benchmark);
  options.onProgress?.(progress);
  const store = options.store ?? (await openStore(settings.runtime.data));
  let cap: SpendingCap = await openCap(log.folder, header.total_cost_limit, run.paid, {
    account: { store, run: header.run },
    within: options.cap,
    besides: await judgedDollars(log.folder, header.total_cost_limit),
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
      await log.append(line, SUMMARY_MEMBERS);
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
      resume:
        options.sweep === undefined
          ? resumeCommand("eval", log.folder)
          : resumeCommand("sweep", options.sweep),
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
          openOnce ??= videoOpener(store, header.run, signal, settings.strategy);
          const context = {
            ...run,
            folder: run.loaded.folder,
            store,
            run: header.run,
            extractorOptions: extractorOptions(header.extractor),
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
    options.sweep === undefined ? null : { folder: options.sweep, cap: options.cap },
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
