import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Failure } from "../../src/core/errors.ts";
import type { Reply, Task } from "./engine-tasks.ts";
import type { TaskRequest, ThreadReply } from "./engine-thread.ts";
import { validateText } from "./validate-expression.ts";

/** CPU seconds of one task. With the time to end a thread, the reply arrives within two seconds. */
export const TIME_LIMIT_S = 1.4;
const MEMORY_MB = 256;
/** Time limit in seconds for a thread to load the engine. */
const START_LIMIT_S = 60;
const MOST_THREADS = 2;

interface Thread {
  worker: Worker;
  /** Rejects if the thread does not start. */
  ready: Promise<void>;
  up: boolean;
  busy: boolean;
  /** Settles the current task with the thread's reply, or with the reason why the thread ended. */
  heard: (told: ThreadReply | { ended: Error }) => void;
}

const threads = new Set<Thread>();
const waiting: (() => void)[] = [];
let tasks = 0;

export interface EngineOptions {
  signal?: AbortSignal;
  /** Default `TIME_LIMIT_S`. The clock starts when the task reaches a running thread. */
  timeout_s?: number;
  /** Factor of `timeout_s` that may pass in wall-clock time while other work delays the task. Default 1.3. */
  patience?: number;
}

/**
 * Runs one task of the engine in a separate thread with limits of time and memory. A thread that exceeds a limit is
 * ended and replaced. Threads stay warm and do not keep the process alive.
 * Throws `Failure` `mathematics` for a task that cannot be calculated or exceeds a limit; `cancelled`.
 */
export async function calculateInThread<T extends Task>(
  task: T,
  options: EngineOptions = {},
): Promise<Reply<T>> {
  for (const text of textsOf(task)) validateText(text);
  const thread = await take(options.signal);
  try {
    return (await perform(thread, task, options)) as Reply<T>;
  } finally {
    thread.busy = false;
    if (threads.has(thread)) thread.worker.unref();
    waiting.shift()?.();
  }
}

/** Text that is too long or too deep is rejected before it reaches a thread. */
function textsOf(task: Task): readonly string[] {
  switch (task.do) {
    case "calculate":
      return [task.latex];
    case "solve":
      return task.equations;
    case "holds":
      return [task.relation];
    case "compare":
      return [];
  }
}

/** Starts a thread before the first task. */
export function warmEngine(): void {
  while (threads.size < MOST_THREADS) start();
}

/** Ends all threads. A later task starts new ones. */
export async function closeEngine(): Promise<void> {
  await Promise.all([...threads].map((thread) => end(thread)));
}

async function take(signal: AbortSignal | undefined): Promise<Thread> {
  for (;;) {
    if (signal?.aborted) {
      // A free thread was offered only to this task, so the next waiting task must be notified.
      waiting.shift()?.();
      throw cancelled();
    }
    // From the second task on, one spare thread is started, which replaces an ended thread at once.
    while (threads.size < (tasks === 0 ? 1 : MOST_THREADS)) start();
    const idle = [...threads].filter((thread) => !thread.busy);
    const thread = idle.find((one) => one.up) ?? idle[0];
    if (thread !== undefined) {
      thread.busy = true;
      return thread;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

function start(): Thread {
  const file = fileURLToPath(import.meta.url);
  const worker = new Worker(new URL(`./engine-thread${extname(file)}`, import.meta.url), {
    resourceLimits: {
      maxOldGenerationSizeMb: MEMORY_MB,
      maxYoungGenerationSizeMb: 32,
      stackSizeMb: 4,
    },
    // Loaders that are given to this process as flags end a thread that they do not expect.
    execArgv: [],
    // The engine's log output is discarded.
    stdout: true,
    stderr: true,
  });
  const up = Promise.withResolvers<void>();
  const late = setTimeout(
    () => up.reject(new Error("it did not load in time")),
    START_LIMIT_S * 1000,
  );
  up.promise.catch(() => {
    // The task that waits for the thread reports the error.
  });
  const thread: Thread = { worker, ready: up.promise, up: false, busy: false, heard: () => {} };
  worker.on("message", (told: ThreadReply) => {
    if ("ready" in told) {
      clearTimeout(late);
      thread.up = true;
      up.resolve();
    } else thread.heard(told);
  });
  const gone = (error: Error) => {
    clearTimeout(late);
    threads.delete(thread);
    up.reject(error);
    thread.heard({ ended: error });
  };
  worker.on("error", gone);
  worker.on("exit", (code) => gone(new Error(`its thread ended with code ${code}`)));
  worker.unref();
  late.unref();
  threads.add(thread);
  return thread;
}

async function perform(
  thread: Thread,
  task: Task,
  { signal, timeout_s = TIME_LIMIT_S, patience = PATIENCE }: EngineOptions,
): Promise<unknown> {
  thread.worker.ref();
  await thread.ready.catch((error: unknown) => {
    void end(thread);
    throw broken(error);
  });
  const id = ++tasks;
  const told = Promise.withResolvers<ThreadReply | { ended: Error }>();
  thread.heard = told.resolve;
  const over = clock(timeout_s, patience);
  const timer = setInterval(() => {
    if (over()) told.resolve({ ended: tooLong(timeout_s) });
  }, LOOK_MS);
  const onAbort = () => told.resolve({ ended: cancelled() });
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    thread.worker.postMessage({ id, task } satisfies TaskRequest);
    const heard = await told.promise;
    if ("ended" in heard) {
      void end(thread);
      start();
      throw broken(heard.ended);
    }
    if ("refused" in heard) throw new Failure("mathematics", heard.refused);
    return "result" in heard ? heard.result : undefined;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", onAbort);
    thread.heard = () => {};
  }
}

/** Milliseconds between checks of the clock. */
const LOOK_MS = 50;
/** Wall-clock factor that keeps replies within two seconds on a busy machine. */
const PATIENCE = 1.3;

/** Returns whether a task has used up its time: CPU seconds, or a multiple of them in wall-clock time. */
function clock(limit_s: number, patience: number): () => boolean {
  const [began, used] = [performance.now(), process.cpuUsage()];
  return () => {
    const waited_s = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(used);
    return (
      waited_s >= limit_s &&
      ((user + system) / 1e6 >= limit_s * 0.9 || waited_s >= limit_s * patience)
    );
  };
}

async function end(thread: Thread): Promise<void> {
  threads.delete(thread);
  await thread.worker.terminate();
}

function tooLong(timeout_s: number): Failure {
  return new Failure(
    "mathematics",
    `Expected an expression that can be calculated within ${timeout_s} s, but this one takes longer.`,
    { timeout_s },
  );
}

function cancelled(): Failure {
  return new Failure("cancelled", "Cancelled while calculating.");
}

function broken(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return new Failure(
      "mathematics",
      `Expected an expression that can be calculated in ${MEMORY_MB} MB, but this one takes more.`,
      { memory_mb: MEMORY_MB },
    );
  const said = error instanceof Error ? error.message : String(error);
  return new Failure(
    "mathematics",
    `Expected the engine to calculate, but ${said}.`,
    {},
    { cause: error },
  );
}
