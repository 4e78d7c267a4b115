import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { STAGES, type WorkerStage } from "../../../core/shared-runs.ts";
import { isLost, postgresFailure } from "../postgres-failure.ts";
import type { PostgresAddress } from "../store-address.ts";

/** A job that was taken. A job that another worker has taken since is not affected by calls with the earlier one. */
export interface TakenJob {
  id: string;
  retryCount: number;
  /** Number of its task in the run. */
  task: number;
  /** Attempt of the task that the job is for. */
  attempt: number;
}

/** A job to be added; jobs with the same id are added once. */
export interface NewJob {
  id: string;
  task: number;
  attempt: number;
}

/** Jobs of runs: a queue of pg-boss for each run and stage, in a schema next to that of the store. */
export interface RunJobs {
  createQueues(run: string): Promise<void>;
  removeQueues(run: string): Promise<void>;
  add(run: string, stage: WorkerStage, jobs: readonly NewJob[]): Promise<void>;
  take(run: string, stage: WorkerStage, most: number): Promise<TakenJob[]>;
  /** Says that the jobs are still worked on. */
  touch(run: string, stage: WorkerStage, jobs: readonly JobAttempt[]): Promise<void>;
  complete(run: string, stage: WorkerStage, job: JobAttempt): Promise<void>;
  /** Leaves the job to any worker, after those with fewer `tries`, and not before `delay_s` seconds have passed. */
  release(
    run: string,
    stage: WorkerStage,
    job: JobAttempt,
    tries: number,
    delay_s?: number,
  ): Promise<void>;
  close(): Promise<void>;
}

type JobAttempt = Pick<TakenJob, "id" | "retryCount">;

const CONNECTIONS = 3;
/** A lost database is waited for. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;
/** Jobs added by one statement. */
const ADDED_AT_ONCE = 5_000;
/** A job without a heartbeat goes to another worker, even if the row of its worker was lost. */
const HEARTBEAT_S = 30;
/** How often pg-boss looks for such jobs. */
const LOOK_S = 10;
/** The store counts the starts of a task itself: those of workers that were stopped in order do not count. */
const UNLIMITED = 1_000_000;

const queueOf = (run: string, stage: WorkerStage) => `${stage}.${run.replace(/[^\w.-]/g, "_")}`;

/** Opens the queues at the first use: pg-boss is large, and most commands have no jobs. */
export function createRunJobs({ connection, schema }: PostgresAddress): RunJobs {
  let opening: Promise<PgBoss> | undefined;

  async function open(): Promise<PgBoss> {
    const { PgBoss } = await import("pg-boss");
    const boss = new PgBoss({
      connectionString: connection,
      application_name: "video-rrd",
      // pg-boss allows 50 bytes.
      schema: `${schema.slice(0, 45)}_jobs`,
      max: CONNECTIONS,
      schedule: false,
      monitorVacuum: false,
      superviseIntervalSeconds: LOOK_S,
      monitorIntervalSeconds: LOOK_S,
    });
    // What matters is thrown by the calls. Its own maintenance is tried again.
    boss.on("error", () => {});
    await boss.start();
    return boss;
  }

  /** Waits for a database that is restarted. A repeated call does no harm: taken jobs without a heartbeat expire. */
  async function send<T>(doing: string, work: (boss: PgBoss) => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        opening ??= open();
        return await work(
          await opening.catch((error: unknown) => {
            opening = undefined;
            throw error;
          }),
        );
      } catch (error) {
        if (!isLost(error) || performance.now() > until) throw postgresFailure(error, doing);
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Like `send`, but undefined if the queue is gone: its run has ended. */
  async function sendTo<T>(
    doing: string,
    queue: string,
    work: (boss: PgBoss) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await send(doing, work);
    } catch (error) {
      if ((await send(doing, (boss) => boss.getQueue(queue))) === null) return undefined;
      throw error;
    }
  }

  return {
    async createQueues(run) {
      for (const stage of STAGES)
        await send("making the queue of a run", (boss) =>
          boss.createQueue(queueOf(run, stage), {
            heartbeatSeconds: HEARTBEAT_S,
            expireInSeconds: 86_399,
            retryLimit: UNLIMITED,
            retryDelay: 0,
            deleteAfterSeconds: 3600,
            retentionSeconds: 365 * 86_400,
          }),
        );
    },
    async removeQueues(run) {
      for (const stage of STAGES) {
        const queue = queueOf(run, stage);
        await sendTo("removing the queue of a run", queue, (boss) => boss.deleteQueue(queue));
      }
    },
    async add(run, stage, jobs) {
      const queue = queueOf(run, stage);
      for (let from = 0; from < jobs.length; from += ADDED_AT_ONCE) {
        const some = jobs
          .slice(from, from + ADDED_AT_ONCE)
          .map(({ id, ...data }) => ({ id, data }));
        await sendTo("adding jobs", queue, (boss) => boss.insert(queue, some));
      }
    },
    async take(run, stage, most) {
      const queue = queueOf(run, stage);
      const jobs = await sendTo("taking jobs", queue, (boss) =>
        boss.fetch<{ task: number; attempt: number }>(queue, { batchSize: most }),
      );
      return (jobs ?? []).map(({ id, retryCount, data }) => ({ id, retryCount, ...data }));
    },
    async touch(run, stage, jobs) {
      const queue = queueOf(run, stage);
      await sendTo("keeping jobs", queue, (boss) => boss.touch(queue, attempts(jobs)));
    },
    async complete(run, stage, job) {
      const queue = queueOf(run, stage);
      await sendTo("ending a job", queue, (boss) => boss.complete(queue, attempts([job])));
    },
    async release(run, stage, job, tries, delay_s = 0) {
      const queue = queueOf(run, stage);
      await sendTo("releasing a job", queue, async (boss) => {
        await boss.fail(queue, attempts([job]));
        const changes = {
          ...(tries > 0 ? { priority: -tries } : {}),
          ...(delay_s > 0 ? { startAfter: delay_s } : {}),
        };
        // Only a waiting job is changed.
        if (Object.keys(changes).length > 0)
          await boss.update(queue, undefined, { id: job.id, ...changes });
      });
    },
    async close() {
      const boss = await opening?.catch(() => undefined);
      await boss?.stop({ graceful: false }).catch(() => {});
    },
  };
}

function attempts(jobs: readonly JobAttempt[]): JobAttempt[] {
  return jobs.map(({ id, retryCount }) => ({ id, retryCount }));
}
