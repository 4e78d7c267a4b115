import type { Failure } from "../../src/core/errors.ts";
import { toFailure } from "../../src/core/errors.ts";
import type {
  SharedRuns,
  TakenTask,
  WorkerInfo,
  WorkerSession,
} from "../../src/core/shared-runs.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import { withRemoteFiles } from "../../src/models/release-uploads.ts";
import { checkSpace } from "../../src/storage/check-space.ts";
import type { SampleContext } from "../run/run-sample.ts";
import { stageCounter } from "../run/stage-counter.ts";
import { videoOpener } from "../run/video-opener.ts";
import { extractorOptions } from "../score/extractor-settings.ts";
import { acceptRun } from "./accept-run.ts";
import { lazyRunCap } from "./run-cap.ts";
import { createStageTimer } from "./stage-timer.ts";
import type { WorkerOptions } from "./worker-options.ts";

/** The list of open runs is read this often. */
const KNOWN_MS = 2_000;
/** A refused run is looked at again after this time: a disk may have been emptied, a folder mounted. */
const REFUSED_MS = 30_000;

/** Videos are left to the questions after this time without a worker that prepares them: one may only be restarted. */
const UNPREPARED_MS = 10_000;

/** A run of which this worker answers tasks. */
export interface RunAtWork {
  run: string;
  most_tries: number;
  cap(): Promise<SpendingCap>;
  /** Aborts when the run is cancelled or the worker ends. */
  signal: AbortSignal;
  contextOf(task: TakenTask): Promise<SampleContext>;
  /** The task is in no stage any more. */
  leave(task: TakenTask): void;
  /** Keeps what the run needs open while a task is at work. */
  use<T>(work: () => Promise<T>): Promise<T>;
  /** Takes no more tasks for a while, and says why. */
  refuse(session: WorkerSession, why: Failure): Promise<void>;
}

/** The open runs that this worker has accepted. */
export interface RunsAtWork {
  /** Accepts new runs, and lets go of those that have ended. In turn, another run is the first. */
  current(session: WorkerSession): Promise<RunAtWork[]>;
  /** Something has changed in a run: the list of open runs is read again if this worker does not have it. */
  expire(run: string): void;
  stages(): WorkerInfo["at_work"];
  close(): Promise<void>;
}

type Held = RunAtWork & { stages: Record<string, number>; end(abort: boolean): Promise<void> };

export function createRunsAtWork({
  store,
  runs,
  settings,
  stop,
  onNote,
  onStageSeconds = () => undefined,
}: Pick<WorkerOptions, "store" | "settings" | "onNote" | "onStageSeconds"> & {
  runs: SharedRuns;
  stop: AbortSignal;
}): RunsAtWork {
  const held = new Map<string, Held>();
  const time = createStageTimer<TakenTask>(onStageSeconds);
  const refused = new Map<string, { why: string; until: number }>();
  /** When a worker that prepares the videos of a run was seen last. */
  const preparedAt = new Map<string, number>();
  const joinedAt = performance.now();
  let readAt = Number.NEGATIVE_INFINITY;
  let turn = 0;

  async function refuse(session: WorkerSession, run: string, { message }: Failure): Promise<void> {
    if (refused.get(run)?.why !== message) onNote(`Run ${run}: ${message}`);
    refused.set(run, { why: message, until: performance.now() + REFUSED_MS });
    await session.refuse(run, message);
  }

  async function accept(session: WorkerSession, shared: Parameters<typeof acceptRun>[0]) {
    const { run } = shared;
    try {
      // Its tasks would come back only after their videos are decoded.
      await checkSpace(store.folder);
      const accepted = await acceptRun(shared, settings);
      held.set(run, hold(accepted));
      if (refused.delete(run)) await session.refuse(run, null);
    } catch (error) {
      await refuse(session, run, toFailure(error, "data-malformed", `reading the run ${run}`));
    }
  }

  function hold({
    run,
    header,
    settings,
    benchmark,
    prompts,
    most_tries,
  }: Awaited<ReturnType<typeof acceptRun>>): Held {
    const ending = new AbortController();
    const signal = AbortSignal.any([stop, ending.signal]);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    // Uploads are shared by the samples of the run, and deleted after the last one.
    const files = withRemoteFiles(store, settings, onNote, () => ended);
    const openVideo = videoOpener(store, run, signal, settings.strategy);
    const cap = lazyRunCap(store, run);
    const stages: Record<string, number> = {};
    const counter = stageCounter<TakenTask>((counts) => {
      for (const name of Object.keys(stages)) delete stages[name];
      Object.assign(stages, Object.fromEntries(counts));
    });
    const working = new Set<Promise<unknown>>();
    return {
      ...{ run, most_tries, cap, signal, stages },
      contextOf: async (task) => ({
        ...{ benchmark, settings, prompts, store, run, signal, openVideo },
        cap: await cap(),
        folder: header.data.folder,
        extractorOptions: extractorOptions(header.extractor),
        descriptions: header.descriptions,
        defaults: header.defaults,
        keepsRequests: header.keep_requests === true,
        onStage: (stage, state) => {
          counter.change(task, stage, state);
          time(task, stage, state);
        },
      }),
      leave: (task) => counter.leave(task),
      async use(work) {
        const working_now = work();
        working.add(working_now);
        return working_now.finally(() => working.delete(working_now));
      },
      async refuse(session, why) {
        // A late sample of an earlier acceptance leaves the later one in place.
        if (held.get(run) === this) held.delete(run);
        void this.end(false);
        await refuse(session, run, why);
      },
      async end(abort) {
        if (abort) ending.abort();
        await Promise.allSettled(working);
        end();
        await files;
      },
    };
  }

  return {
    async current(session) {
      if (performance.now() - readAt > KNOWN_MS) {
        readAt = performance.now();
        const open = await runs.openRuns();
        for (const [run, one] of held) {
          if (open.some((other) => other.run === run)) continue;
          held.delete(run);
          const state = (await runs.find(run))?.state;
          void one.end(state === undefined || state === "cancelled");
        }
        for (const run of refused.keys()) {
          if (open.some((other) => other.run === run)) continue;
          refused.delete(run);
          await session.refuse(run, null);
        }
        // Without a worker that prepares videos, the questions would wait for ever.
        const workers = open.length > 0 ? await runs.workers() : [];
        const now = performance.now();
        for (const { run } of open)
          if (workers.some((one) => prepares(one, run))) preparedAt.set(run, now);
          else if (now - (preparedAt.get(run) ?? joinedAt) > UNPREPARED_MS)
            await runs.skipIndex(run);
        for (const run of preparedAt.keys())
          if (!open.some((other) => other.run === run)) preparedAt.delete(run);
        for (const shared of open) {
          const isRefused = (refused.get(shared.run)?.until ?? 0) > performance.now();
          if (!held.has(shared.run) && !isRefused) await accept(session, shared);
        }
      }
      const all = [...held.values()];
      const first = all.length === 0 ? 0 : turn++ % all.length;
      return [...all.slice(first), ...all.slice(0, first)];
    },
    expire(run) {
      // Many workers would read it for every video that one of them has prepared.
      if (!held.has(run)) readAt = Number.NEGATIVE_INFINITY;
    },
    stages: () => Object.fromEntries([...held].map(([run, { stages }]) => [run, { ...stages }])),
    async close() {
      await Promise.all([...held.values()].map((one) => one.end(true)));
    },
  };
}

function prepares({ stages, refused, draining }: WorkerInfo, run: string): boolean {
  return stages.includes("index") && refused[run] === undefined && !draining;
}
