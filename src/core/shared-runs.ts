import type { RunHeader, RunResults } from "./run-results.ts";

/** Who asks the questions of a run: its own process, or workers. */
export const WORKERS = ["local", "remote"] as const;

/** What a worker does for a run: prepare a video, or answer a question. */
export const STAGES = ["index", "reason"] as const;
/** Stands for the questions of services where a worker says which runs it refuses. */
export const SERVICE_QUESTIONS = "service";

/** One of `STAGES`. */
export type WorkerStage = (typeof STAGES)[number];

/**
 * One question of a run, an epoch of a sample (`reason`); or a video to prepare (`index`), whose `sample` is its path and
 * whose `epoch` is 0. The questions about a video wait until it is prepared.
 */
export interface SharedTask {
  stage: WorkerStage;
  sample: string;
  epoch: number;
  /** Path of the video; empty if the question does not open it. */
  video: string;
  /** Number of earlier results that failed. */
  attempt: number;
  /** What a worker needs to ask it. */
  json: string;
}

/** A run whose questions several processes answer. */
export interface SharedRun {
  run: string;
  /** Runs with equal keys ask the same questions with the same settings. */
  key: string;
  header: RunHeader;
  /** `open`: has jobs, or may get some. `ended`: every question has a result. `cancelled`, `capped`: stopped before that. */
  state: "open" | "ended" | "cancelled" | "capped";
  /** Times a question may be started before it is parked. */
  most_tries: number;
}

/** Counts of a run. */
export interface SharedRunProgress {
  run: string;
  state: SharedRun["state"];
  header: RunHeader;
  /** Milliseconds since 1970. */
  created_at: number;
  tasks: number;
  /** Tasks with a result without an error. */
  done: number;
  /** Tasks whose last result is an error. */
  failed: number;
  /** Tasks that a worker is answering. */
  running: number;
}

/** A task that a worker has taken. No other worker has it while this one lives. */
export interface TakenTask extends SharedTask {
  run: string;
  number: number;
  /** How often it was started without a result, this time included. */
  tries: number;
  /** Seconds since a worker first lacked its video, if no worker has had it since. */
  missing_s: number | null;
  /** Whether it has a good result, so that nothing is left to do. */
  done: boolean;
  job: { id: string; retryCount: number };
}

/** A running worker as others see it. */
export interface WorkerInfo {
  id: string;
  host: string;
  pid: number;
  version: string;
  stages: readonly WorkerStage[];
  /** Samples at once. */
  concurrency: number;
  /** It takes no more tasks and will end. */
  draining: boolean;
  /** Tasks that it is answering. */
  running: number;
  /** Questions of services that it is answering. */
  questions: number;
  /** Run -> stage -> samples in this stage. */
  at_work: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Run, or `SERVICE_QUESTIONS` -> why this worker takes none of its tasks. */
  refused: Readonly<Record<string, string>>;
}

/** Heartbeat of a worker, and the silence after which its tasks go to others. Seconds of the database's clock. */
export interface WorkerTiming {
  beat_s: number;
  life_s: number;
}

/** A worker that takes tasks. */
export interface WorkerSession {
  id: string;
  /** Takes up to `most` tasks of a stage. Several workers never get the same one. */
  take(run: string, stage: WorkerStage, most: number): Promise<TakenTask[]>;
  /** The result is stored, or the video prepared: removes the job, and frees the questions about the video. */
  finish(task: TakenTask): Promise<void>;
  /**
   * Leaves the task to any worker, as soon as the database is there and `delay_s` seconds have passed; `counted`: this start
   * counts towards the limit of starts.
   */
  release(task: TakenTask, counted: boolean, delay_s?: number): Promise<void>;
  /** Says that this worker lacks the video of the task, or that it has it. */
  missVideo(task: TakenTask, isMissing: boolean): Promise<void>;
  /** Says why this worker takes no tasks of a run, or `SERVICE_QUESTIONS`; null: it takes them. */
  refuse(run: string, why: string | null): Promise<void>;
  /** Says that it takes no more tasks. */
  drain(): Promise<void>;
  /** Removes the worker. Tasks that it has go to others. */
  close(): Promise<void>;
}

/** What is set when a worker joins. */
export interface NewWorker {
  version: string;
  stages: readonly WorkerStage[];
  concurrency: number;
  timing: WorkerTiming;
  /** The stages of the samples at work, read at each heartbeat. */
  atWork(): WorkerInfo["at_work"];
}

/** Runs that workers of several machines answer. Only an engine for several machines has them. */
export interface SharedRuns {
  /**
   * Adds a run, or returns the open run with the same key, whose questions are the same. A run that is known by its id and
   * has ended is opened again.
   */
  open(run: Pick<SharedRun, "run" | "key" | "header" | "most_tries">): Promise<SharedRun>;
  find(run: string): Promise<SharedRun | undefined>;
  /** Open runs, in the order of their creation. */
  openRuns(): Promise<SharedRun[]>;
  /** Runs with their counts, the newest first: all of them, or `only` those. The tasks of each are counted. */
  list(only?: { run?: string; state?: SharedRun["state"] }): Promise<SharedRunProgress[]>;
  /**
   * Adds the tasks that the run does not have yet, with a higher `attempt` also those it has, and makes a job for each
   * task without a good result. Equal calls of several processes make each job once.
   */
  enqueue(run: string, tasks: readonly SharedTask[]): Promise<void>;
  /** Frees the questions that wait for the preparation of their videos: no worker prepares any. */
  skipIndex(run: string): Promise<void>;
  /**
   * Ends the run, removes its jobs, and keeps its results. With `ended`, nothing happens while a task has no result, such
   * as one that another process tries again.
   */
  end(run: string, state: Exclude<SharedRun["state"], "open">): Promise<void>;
  /**
   * Opens a run again, with a new attempt for each question whose last result is an error, and jobs for those without a
   * result. Returns how many questions wait.
   */
  retry(run: string): Promise<number>;
  /** Removes a run that is not open, with its results. Returns whether it was there. */
  remove(run: string): Promise<boolean>;
  results(run: string): RunResults;
  /** Results with a number above `after`, in the order of their numbers; a result that replaces an error has a new number. */
  resultsAfter(
    run: string,
    after: number,
    most: number,
  ): Promise<{ number: number; line: string }[]>;
  join(worker: NewWorker): Promise<WorkerSession>;
  /** The workers whose heartbeat is recent. */
  workers(): Promise<WorkerInfo[]>;
  /**
   * Calls `onChange` when there is a new result of a run, or when there may be new tasks or a run has ended. Notifications may be missed: look
   * again from time to time.
   */
  watch(
    what: "results" | "tasks",
    onChange: (run: string) => void,
  ): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
}
