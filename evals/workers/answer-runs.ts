import { isFailure, toFailure } from "../../src/core/errors.ts";
import type {
  SharedRuns,
  TakenTask,
  WorkerSession,
  WorkerTiming,
} from "../../src/core/shared-runs.ts";
import { version } from "../../src/core/version.ts";
import type { RunLine } from "../run/run-line.ts";
import { answerTask, missingVideo } from "./answer-task.ts";
import { createMissingVideos } from "./missing-videos.ts";
import { prepareVideo } from "./prepare-video.ts";
import { requireSharedRuns } from "./require-shared-runs.ts";
import { createRunsAtWork, type RunAtWork } from "./runs-at-work.ts";
import { createWaker } from "./waker.ts";
import type { TaskOutcome, WorkerOptions } from "./worker-options.ts";

/** Runs and tasks are looked for this often, in addition to notifications. */
const LOOK_MS = 2_000;
/** A longer timer would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Heartbeat of a worker, and its silence after which others take over. */
export const WORKER_TIMING: WorkerTiming = { beat_s: 3, life_s: 30 };

/**
 * Answers questions of runs until the signal aborts; then finishes what it has begun within `drain_s`, and leaves the
 * rest to others. Returns how many results it stored.
 * A sample whose worker ended twice runs alone, so that the samples next to it are not parked with it. Throws `Failure` `wrong-usage` for a store without shared runs.
 */
export async function answerRuns(options: WorkerOptions): Promise<number> {
  const { store, stages, concurrency, signal, drain_s, onNote } = options;
  const runs = requireSharedRuns(store);
  const waker = createWaker();
  const hardStop = new AbortController();
  const working = new Set<Promise<void>>();
  const begun = new WeakSet<TakenTask>();
  /** A task that runs while no other does: no other is taken until it has ended. */
  const reserved: { task: TakenTask | null; begin: () => void } = { task: null, begin: () => {} };
  let stored = 0;
  const atWork = createRunsAtWork({ ...options, runs, stop: hardStop.signal });
  const session = await runs.join({
    ...{ version: version(), stages, concurrency, atWork: atWork.stages },
    timing: options.timing ?? WORKER_TIMING,
  });
  const missing = createMissingVideos(session, runs, options);
  let watch: Awaited<ReturnType<SharedRuns["watch"]>> | undefined;
  const wake = () => waker.wake();
  signal.addEventListener("abort", wake);
  const other = options.also?.(session);
  let left: Promise<void> | undefined;

  function begin(task: TakenTask, run: RunAtWork): void {
    begun.add(task);
    options.onTask?.(task.stage, "taken");
    const work = run
      .use(() => handle(task, run, session, runs, missing))
      .then(({ outcome, isStored }) => {
        options.onTask?.(task.stage, outcome);
        if (isStored) stored++;
      })
      .catch((error: unknown) => onNote(problemText(task, error)))
      .finally(() => {
        working.delete(work);
        if (reserved.task === task) reserved.task = null;
        waker.wake();
      });
    working.add(work);
  }

  /** Begins the tasks, except for those that are to run alone: one of them waits, the others go to other workers. */
  async function beginAll(tasks: readonly TakenTask[], run: RunAtWork): Promise<void> {
    for (const task of tasks) {
      if (!runsAlone(task, run)) begin(task, run);
      else if (reserved.task === null)
        Object.assign(reserved, { task, begin: () => begin(task, run) });
      else await session.release(task, false);
    }
  }

  async function takeSome(open: readonly RunAtWork[]): Promise<number> {
    let taken = 0;
    for (const stage of stages)
      for (const run of open) {
        const free = concurrency - working.size;
        if (free <= 0 || signal.aborted || reserved.task !== null) return taken;
        const tasks = await session.take(run.run, stage, free);
        await beginAll(tasks, run);
        taken += tasks.length;
      }
    return taken;
  }

  try {
    watch = await runs.watch("tasks", (run) => {
      atWork.expire(run);
      waker.wake();
    });
    while (!signal.aborted) {
      try {
        // Also without a free place: a cancelled run stops the samples at work.
        const open = await atWork.current(session);
        if (reserved.task !== null) {
          if (working.size === 0) reserved.begin();
        } else if (working.size < concurrency && (await takeSome(open)) > 0) continue;
      } catch (error) {
        // The database is away, or a table of its is damaged: the worker stays, and says so.
        onNote(toFailure(error, "store-unreachable", "looking for work").message);
      }
      await waker.wait(LOOK_MS);
    }
    if (working.size > 0) onNote(`Finishing ${working.size} samples, for at most ${drain_s} s.`);
    const drain_ms = Math.min(drain_s * 1000, LONGEST_TIMER_MS);
    const timer = setTimeout(() => hardStop.abort(), drain_ms);
    left = other?.stop(drain_ms);
    await session.drain().catch(() => {});
    if (reserved.task !== null && !begun.has(reserved.task))
      await session.release(reserved.task, false);
    await Promise.all([...working, left]);
    clearTimeout(timer);
    return stored;
  } finally {
    hardStop.abort();
    left ??= other?.stop(0);
    await Promise.all([...working, left]);
    signal.removeEventListener("abort", wake);
    await watch?.stop();
    await atWork.close();
    await session
      .close()
      .catch((error: unknown) => onNote(toFailure(error, "store-unreachable", "leaving").message));
  }
}

/** Starts after which a task no longer runs next to others, which it may take down with its worker. */
const SHARED_STARTS = 2;

/** Whether the last starts of a task ended its worker, so that it is to be found out whether it is the reason. */
function runsAlone({ tries }: TakenTask, { most_tries }: RunAtWork): boolean {
  return tries > 1 && tries > Math.min(SHARED_STARTS, most_tries - 1) && tries <= most_tries;
}

/** Answers one task, stores its result, and ends its job. `isStored`: this worker has stored a result. */
async function handle(
  task: TakenTask,
  run: RunAtWork,
  session: WorkerSession,
  runs: SharedRuns,
  missing: ReturnType<typeof createMissingVideos>,
): Promise<{ outcome: TaskOutcome; isStored: boolean }> {
  const notStored = (outcome: TaskOutcome) => ({ outcome, isStored: false });
  if (task.done) {
    await session.finish(task);
    return notStored("done");
  }
  try {
    const context = await run.contextOf(task);
    const isParked = task.tries > run.most_tries;
    const absent = isParked ? null : missingVideo(task, context);
    if (absent !== null) return await missing.leave(task, absent, context);
    if (task.missing_s !== null) await session.missVideo(task, false);
    if (task.stage === "index") {
      if (!isParked) await prepareVideo(task, context);
      await session.finish(task);
      return notStored("done");
    }
    const line = await answerTask(task, run.most_tries, context);
    if (line === null) {
      await session.release(task, true);
      return notStored("released");
    }
    const isStored = (await runs.results(run.run).append(line)) === "written";
    await session.finish(task);
    return { outcome: outcomeOf(line), isStored };
  } catch (error) {
    try {
      await stopTaking(task, run, session, runs, error);
    } finally {
      // Also while the database is away: a task that is not released stays with this worker for as long as it lives.
      await session.release(task, false);
    }
    return notStored("released");
  } finally {
    run.leave(task);
  }
}

/** After an error that other samples would meet too. */
async function stopTaking(
  { sample }: TakenTask,
  run: RunAtWork,
  session: WorkerSession,
  runs: SharedRuns,
  error: unknown,
): Promise<void> {
  if (isFailure(error, "limit-met") && (await run.cap()).met()) await runs.end(run.run, "capped");
  else if (!run.signal.aborted)
    await run.refuse(session, toFailure(error, "store-damaged", `answering sample ${sample}`));
}

function outcomeOf({ error }: RunLine): TaskOutcome {
  if (error === undefined) return "done";
  return error.kind === "worker-lost" ? "parked" : "failed";
}

function problemText(task: TakenTask, error: unknown): string {
  return toFailure(error, "store-unreachable", `storing the result of sample ${task.sample}`)
    .message;
}
