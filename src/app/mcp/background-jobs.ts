import { Failure } from "../../core/errors.ts";
import type { McpCall } from "./mcp-call.ts";

/** Jobs that run in the background at once. */
const MOST_JOBS = 4;

interface Job {
  done: Promise<unknown>;
  abort: AbortController;
  waiting: Set<McpCall>;
}

/**
 * Work that may take longer than a client waits for a result. It continues after the call that started it, and the next
 * call with the same key joins it.
 */
export function createBackgroundJobs() {
  const jobs = new Map<string, Job>();

  function begin(key: string, work: (call: McpCall) => Promise<unknown>): Job {
    if (jobs.size >= MOST_JOBS)
      throw new Failure(
        "limit-met",
        `${jobs.size} videos are being indexed, which is the limit. Wait until one is done.`,
        { most: MOST_JOBS },
      );
    const abort = new AbortController();
    const waiting = new Set<McpCall>();
    const progress = (message: string) => {
      for (const call of waiting) call.progress(message);
    };
    const done = work({ signal: abort.signal, progress }).finally(() => drop(key, job));
    // Nobody may be waiting when it fails; the next call starts it again.
    done.catch(() => undefined);
    const job: Job = { done, abort, waiting };
    jobs.set(key, job);
    return job;
  }

  function drop(key: string, job: Job): void {
    if (jobs.get(key) === job) jobs.delete(key);
  }

  return {
    /**
     * The result of the job, or undefined if it still runs after `ms`. If the call is cancelled and no other call waits
     * for the job, the job is aborted.
     */
    async run<T>(
      key: string,
      ms: number,
      call: McpCall,
      work: (call: McpCall) => Promise<T>,
    ): Promise<T | undefined> {
      const job = jobs.get(key) ?? begin(key, work);
      job.waiting.add(call);
      try {
        return await firstOf(job.done as Promise<T>, ms, call.signal);
      } finally {
        job.waiting.delete(call);
        if (call.signal.aborted && job.waiting.size === 0) {
          // It may take a while to stop: a call in the meantime starts it again.
          drop(key, job);
          job.abort.abort();
          await job.done.catch(() => undefined);
        }
      }
    },
    async close(): Promise<void> {
      const all = [...jobs.values()];
      for (const { abort } of all) abort.abort();
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
}

/** The value of `work`, or undefined after `ms`. Throws the reason of the signal once it is aborted. */
export async function firstOf<T>(
  work: Promise<T>,
  ms: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const onAbort = () => reject(signal.reason);
  const timer = setTimeout(() => resolve(undefined), ms);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
