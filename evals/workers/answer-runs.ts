import { isFailure, toFailure } from "../../src/core/errors.ts";
import type {
  SharedRuns,
  TakenTask,
  WorkerSession,
  WorkerTiming,
} from "../../src/core/shared-runs.ts";
import { version } from "../../src/core/version.ts";
import { answerTask } from "./answer-task.ts";
import { requireSharedRuns } from "./require-shared-runs.ts";
import { createRunsAtWork, type RunAtWork } from "./runs-at-work.ts";
import { createWaker } from "./waker.ts";
import type { WorkerOptions } from "./worker-options.ts";

/** Runs and tasks are looked for this often, in addition to notifications. */
const LOOK_MS = 2_000;
/** Heartbeat of a worker, and its silence after which others take over. */
export const WORKER_TIMING: WorkerTiming = { beat_s: 3, life_s: 30 };

/**
 * Answers questions of runs until the signal aborts; then finishes what it has begun within `drain_s`, and leaves the
 * rest to others. Returns how many results it stored. Throws `Failure` `wrong-usage` for a store without shared runs.
 */
export async function answerRuns(options: WorkerOptions): Promise<number> {
  const { store, stages, concurrency, signal, drain_s, onNote } = options;
  const runs = requireSharedRuns(store);
  const waker = createWaker();
  const hardStop = new AbortController();
  const working = new Set<Promise<void>>();
  let stored = 0;
  const atWork = createRunsAtWork({ ...options, runs, stop: hardStop.signal });
  const session = await runs.join({
    ...{ version: version(), stages, concurrency, atWork: atWork.stages },
    timing: options.timing ?? WORKER_TIMING,
  });
  const watch = await runs.watch("tasks", () => {
    atWork.expire();
    waker.wake();
  });
  const wake = () => waker.wake();
  signal.addEventListener("abort", wake);

  function begin(task: TakenTask, run: RunAtWork): void {
    const work = run
      .use(() => handle(task, run, session, runs))
      .then((isStored) => {
        if (isStored) stored++;
      })
      .catch((error: unknown) => onNote(problemText(task, error)))
      .finally(() => {
        working.delete(work);
        waker.wake();
      });
    working.add(work);
  }

  async function takeSome(): Promise<number> {
    let taken = 0;
    for (const run of await atWork.current(session)) {
      const free = concurrency - working.size;
      if (free <= 0 || signal.aborted) break;
      const tasks = await session.take(run.run, free);
      for (const task of tasks) begin(task, run);
      taken += tasks.length;
    }
    return taken;
  }

  try {
    while (!signal.aborted) {
      try {
        if (working.size < concurrency && (await takeSome()) > 0) continue;
      } catch (error) {
        // The database is away, or a table of its is damaged: the worker stays, and says so.
        onNote(toFailure(error, "store-unreachable", "looking for work").message);
      }
      await waker.wait(LOOK_MS);
    }
    if (working.size > 0) onNote(`Finishing ${working.size} samples, for at most ${drain_s} s.`);
    await session.drain().catch(() => {});
    const timer = setTimeout(() => hardStop.abort(), drain_s * 1000);
    await Promise.all(working);
    clearTimeout(timer);
    return stored;
  } finally {
    hardStop.abort();
    await Promise.all(working);
    signal.removeEventListener("abort", wake);
    await watch.stop();
    await atWork.close();
    await session
      .close()
      .catch((error: unknown) => onNote(toFailure(error, "store-unreachable", "leaving").message));
  }
}

/** Answers one task, stores its result, and ends its job. Returns whether a result was stored. */
async function handle(
  task: TakenTask,
  run: RunAtWork,
  session: WorkerSession,
  runs: SharedRuns,
): Promise<boolean> {
  if (task.done) {
    await session.finish(task);
    return false;
  }
  try {
    const line = await answerTask(task, run.most_tries, await run.contextOf(task));
    if (line === null) {
      await session.release(task, true);
      return false;
    }
    const outcome = await runs.results(run.run).append(line);
    await session.finish(task);
    return outcome === "written";
  } catch (error) {
    if (isFailure(error, "limit-met") && (await run.cap()).met()) await runs.end(run.run, "capped");
    else if (!run.signal.aborted)
      await run.refuse(
        session,
        toFailure(error, "store-damaged", `answering sample ${task.sample}`),
      );
    await session.release(task, false);
    return false;
  } finally {
    run.leave(task);
  }
}

function problemText(task: TakenTask, error: unknown): string {
  return toFailure(error, "store-unreachable", `storing the result of sample ${task.sample}`)
    .message;
}
