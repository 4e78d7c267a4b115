import { Failure, toFailure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import type { SharedRun, SharedRuns, WorkerInfo } from "../../src/core/shared-runs.ts";
import type { Task } from "../run/remaining-tasks.ts";
import type { PoolEnd } from "../run/resumable-pool.ts";
import type { EvalHeader } from "../run/run-header.ts";
import { type RunLine, readLine } from "../run/run-line.ts";
import { missingWorkers } from "./missing-workers.ts";
import { runKey } from "./run-key.ts";
import { toSharedTasks } from "./shared-task.ts";
import { createWaker } from "./waker.ts";

/** Results and workers are looked for this often, in addition to notifications. */
const LOOK_MS = 2_000;
/** A run without a result and without a sample at work for this long is looked at more closely. */
const IDLE_MS = 60_000;
/** Results read at once. */
const AT_ONCE = 200;

export interface CollectedRun {
  runs: SharedRuns;
  header: EvalHeader;
  tasks: readonly Task[];
  most_tries: number;
  signal?: AbortSignal;
  /** Stores a result in the folder of the run. */
  onLine(line: RunLine): Promise<void>;
  /** Samples at work by stage, over all workers. */
  onStages?: (samples: ReadonlyMap<string, number>) => void;
  onNote(text: string): void;
  isEnough(): boolean;
}

/**
 * Submits the tasks of a run and collects their results until each has one. If it is stopped, the workers continue, and
 * the same call collects what they have done.
 */
export async function collectRun(collected: CollectedRun): Promise<PoolEnd> {
  const { runs, header, tasks, most_tries, signal } = collected;
  const end: PoolEnd = { fatal: null, capped: false, cancelled: false };
  const { run } = header;
  const waker = createWaker();
  const stop = () => waker.wake();
  signal?.addEventListener("abort", stop);
  let watch: Awaited<ReturnType<SharedRuns["watch"]>> | undefined;
  try {
    const opened = await runs.open({ run, key: runKey(header), header, most_tries });
    if (opened.run !== run) throw sameQuestions(run, opened.run);
    watch = await runs.watch("results", (changed) => {
      if (changed === run) waker.wake();
    });
    await runs.enqueue(run, toSharedTasks(tasks, String(header.settings.strategy)));
    await collect(collected, end, waker);
    if (!end.capped && signal?.aborted !== true) await runs.end(run, "ended");
  } catch (error) {
    end.fatal = toFailure(error, "store-damaged", `collecting the results of the run ${run}`);
  } finally {
    signal?.removeEventListener("abort", stop);
    await watch?.stop();
  }
  return { ...end, cancelled: signal?.aborted === true };
}

async function collect(
  { runs, header, tasks, signal, onLine, onStages, onNote, isEnough }: CollectedRun,
  end: PoolEnd,
  waker: ReturnType<typeof createWaker>,
): Promise<void> {
  const { run } = header;
  const open = new Map(tasks.map((task) => [keyOf(task.sample.id, task.epoch), task.attempt]));
  const missing = missingWorkers(onNote);
  const idle = idleTime();
  let lookedAt = Number.NEGATIVE_INFINITY;
  for (let after = 0; open.size > 0 && signal?.aborted !== true; ) {
    const looks = performance.now() - lookedAt >= LOOK_MS;
    if (looks) lookedAt = performance.now();
    // The state first: what was stored before it changed is then among the results.
    const state = looks ? (await runs.find(run))?.state : "open";
    const found = await runs.resultsAfter(run, after, AT_ONCE);
    for (const { number, line: text } of found) {
      after = number;
      const line = readLine(jsonOrUndefined(text), `the run ${run}`);
      const attempt = open.get(keyOf(line.sample, line.epoch));
      // A failed result of an earlier attempt: this one is still asked.
      if (attempt === undefined || (line.error !== undefined && line.attempt < attempt)) continue;
      open.delete(keyOf(line.sample, line.epoch));
      await onLine(line);
    }
    if (isEnough()) return runs.end(run, "cancelled");
    if (found.length > 0) idle.end();
    if (found.length === AT_ONCE) continue;
    if (looks) {
      if (state !== "open" && found.length === 0 && open.size > 0) return stopped(state, run, end);
      const workers = await runs.workers();
      const stages = stagesOf(run, workers);
      onStages?.(stages);
      missing.look(run, workers);
      if (stages.size > 0) idle.end();
      // A process that ended between two statements may have left questions without jobs.
      else if (idle.isOver()) await runs.enqueue(run, []);
    }
    if (found.length === 0) await waker.wait(LOOK_MS);
  }
}

/** Says when nothing has happened for a minute, and then after twice the time. */
function idleTime() {
  let [since, most] = [performance.now(), IDLE_MS];
  return {
    end() {
      [since, most] = [performance.now(), IDLE_MS];
    },
    isOver(): boolean {
      if (performance.now() - since < most) return false;
      [since, most] = [performance.now(), 2 * most];
      return true;
    },
  };
}

/** A cancelled run is continued, but the same questions were submitted again. */
function sameQuestions(run: string, other: string): Failure {
  return new Failure(
    "wrong-usage",
    `Cannot continue the run ${run}: workers answer the same questions in the open run ${other}. Wait until it has ended, or stop it with \`runs cancel ${other}\`.`,
    { run, other },
  );
}

/** Somebody else ended the run. */
function stopped(state: SharedRun["state"] | undefined, run: string, end: PoolEnd): void {
  if (state === "capped") end.capped = true;
  else
    throw new Failure(
      "cancelled",
      `The run ${run} was ${state === "cancelled" ? "cancelled" : "ended by another process"}. Continue it with \`eval --resume\`.`,
      { run },
    );
}

function stagesOf(run: string, workers: readonly WorkerInfo[]): Map<string, number> {
  const all = workers.flatMap(({ at_work }) => Object.entries(at_work[run] ?? {}));
  const byStage = Map.groupBy(all, ([stage]) => stage);
  return new Map(
    [...byStage].map(([stage, counts]) => [stage, counts.reduce((sum, [, n]) => sum + n, 0)]),
  );
}

const keyOf = (sample: string, epoch: number) => JSON.stringify([sample, epoch]);
