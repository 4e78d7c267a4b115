import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { NewWorker, TakenTask, WorkerSession } from "../../../core/shared-runs.ts";
import { hasEnded, thisProcess } from "../../process-identity.ts";
import type { Database } from "../database.ts";
import { ALIVE } from "../memo-schema.ts";
import type { Row } from "../value.ts";
import { addMissingJobs } from "./add-jobs.ts";
import type { RunJobs } from "./jobs.ts";
import { RUN_CHANNELS } from "./schema.ts";

/**
 * Joins as a worker, whose row lives while its heartbeat renews it, by the clock of the database. Each heartbeat also looks
 * for workers that have ended, at once by their pid on this host, otherwise by their silence, and releases their tasks.
 */
export async function joinAsWorker(
  db: Database,
  jobs: RunJobs,
  process: string,
  { version, stages, concurrency, timing, atWork }: NewWorker,
): Promise<WorkerSession> {
  const me = { id: randomUUID(), ...thisProcess() };
  const active = new Map<string, TakenTask>();
  /** Tasks to be released, whether their start counts, and after how many seconds another worker may take them. */
  const owed = new Map<TakenTask, { counted: boolean; delay_s: number }>();
  let draining = false;
  let beating: Promise<void> | undefined;

  async function beat(): Promise<void> {
    await db.run(
      "writing the heartbeat of this worker",
      `INSERT INTO workers (id, host, pid, started, version, stages, concurrency, draining, at_work, process, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::boolean, $9, $10, clock_timestamp() + $11::bigint * interval '1 millisecond')
       ON CONFLICT (id) DO UPDATE SET draining = excluded.draining, at_work = excluded.at_work,
         expires_at = excluded.expires_at`,
      [
        ...[me.id, `${me.host} ${hostname()}`, me.pid, me.started, version],
        ...[JSON.stringify(stages), concurrency, String(draining), JSON.stringify(atWork())],
        ...[process, timing.life_s * 1000],
      ],
    );
    for (const [run, ofRun] of Map.groupBy(active.values(), (task) => task.run))
      for (const [stage, tasks] of Map.groupBy(ofRun, (task) => task.stage))
        await jobs.touch(
          run,
          stage,
          tasks.map(({ job }) => job),
        );
    await releaseOwed();
    await releaseDead();
  }

  async function releaseDead(): Promise<void> {
    const rows = await db.rows(
      "looking for ended workers",
      `SELECT *, NOT ${ALIVE} AS silent FROM workers WHERE id <> $1`,
      [me.id],
    );
    for (const row of rows)
      if (row.silent === true || hasEnded(identityOf(row))) await releaseTasksOf(String(row.id));
  }

  async function releaseTasksOf(worker: string): Promise<void> {
    const doing = "releasing the tasks of an ended worker";
    const sql = "SELECT * FROM run_tasks WHERE worker = $1 AND job IS NOT NULL";
    for (const row of await db.rows(doing, sql, [worker])) {
      const { run, stage, job, tries } = taskOf(row);
      await jobs.release(run, stage, job, tries);
    }
    await removeWorker(db, worker);
  }

  async function releaseOwed(): Promise<void> {
    for (const [task, { counted, delay_s }] of owed) {
      const tries = await putBack(task, counted);
      await jobs.release(task.run, task.stage, task.job, tries, delay_s);
      owed.delete(task);
    }
  }

  async function putBack(
    { run, number, tries, job }: TakenTask,
    counted: boolean,
  ): Promise<number> {
    const left = counted ? tries : tries - 1;
    await db.run(
      "releasing a task",
      // This worker may have taken it again.
      `UPDATE run_tasks SET worker = NULL, job = NULL, tries = $4
       WHERE run = $1 AND number = $2 AND worker = $3 AND job_try = $5`,
      [run, number, me.id, left, job.retryCount],
    );
    return left;
  }

  const timer = setInterval(() => {
    // A missed heartbeat only matters after several others; the next one may succeed.
    beating ??= beat()
      .catch(() => {})
      .finally(() => {
        beating = undefined;
      });
  }, timing.beat_s * 1000);
  try {
    await beat();
  } catch (error) {
    clearInterval(timer);
    throw error;
  }

  return {
    id: me.id,
    async take(run, stage, most) {
      const taken = await jobs.take(run, stage, most);
      if (taken.length === 0) return [];
      const texts = (values: readonly (string | number)[]) => values.map(String);
      const rows = await db.rows(
        "taking tasks",
        // The statement may be sent twice, if the connection is lost.
        `UPDATE run_tasks AS task SET worker = $2, job = taken.job, job_try = taken.job_try,
           tries = tries + (task.job IS DISTINCT FROM taken.job OR task.job_try IS DISTINCT FROM taken.job_try)::int
         FROM unnest($3::text[], $4::text[]::int[], $5::text[]::int[], $6::text[]::int[]) AS taken(job, job_try, number, attempt)
         WHERE task.run = $1 AND task.number = taken.number AND task.attempt = taken.attempt
         RETURNING task.*, extract(epoch FROM clock_timestamp() - missing_since) AS missing_s, EXISTS (SELECT 1 FROM run_lines AS line WHERE line.run = task.run
           AND line.sample = task.sample AND line.epoch = task.epoch AND good) AS answered`,
        [
          ...[run, me.id],
          texts(taken.map(({ id }) => id)),
          texts(taken.map(({ retryCount }) => retryCount)),
          texts(taken.map(({ task }) => task)),
          texts(taken.map(({ attempt }) => attempt)),
        ],
      );
      const tasks = rows.map((row) => taskOf(row));
      for (const task of tasks) active.set(task.job.id, task);
      // Jobs of earlier attempts.
      for (const job of taken) if (!active.has(job.id)) await jobs.complete(run, stage, job);
      return tasks;
    },
    async finish(task) {
      active.delete(task.job.id);
      if (task.stage === "index") {
        await db.run(
          "storing that a video is prepared",
          "UPDATE run_tasks SET done = true WHERE run = $1 AND number = $2",
          [task.run, task.number],
        );
        await addMissingJobs(db, jobs, task.run, task.video);
        await db.run("announcing questions", "SELECT notify_run($1, $2)", [
          RUN_CHANNELS.tasks,
          task.run,
        ]);
      }
      await jobs.complete(task.run, task.stage, task.job);
      await putBack(task, true);
    },
    async release(task, counted, delay_s = 0) {
      active.delete(task.job.id);
      owed.set(task, { counted, delay_s });
      // If the database is away, the next heartbeat does it.
      await releaseOwed().catch(() => {});
    },
    async missVideo({ run, video }, isMissing) {
      await db.run(
        "noting a missing video",
        `UPDATE run_tasks SET missing_since = CASE WHEN $3::boolean THEN coalesce(missing_since, clock_timestamp()) END
         WHERE run = $1 AND video = $2`,
        [run, video, String(isMissing)],
      );
    },
    async refuse(run, why) {
      if (why === null)
        await db.run("taking a run", "DELETE FROM worker_refusals WHERE worker = $1 AND run = $2", [
          me.id,
          run,
        ]);
      else
        await db.run(
          "refusing a run",
          `INSERT INTO worker_refusals (worker, run, why) VALUES ($1, $2, $3)
           ON CONFLICT (worker, run) DO UPDATE SET why = excluded.why`,
          [me.id, run, why],
        );
    },
    async drain() {
      draining = true;
      await beat();
    },
    async close() {
      clearInterval(timer);
      await beating;
      for (const { run, stage, job, tries } of active.values())
        await jobs.release(run, stage, job, tries);
      await removeWorker(db, me.id);
    },
  };
}

async function removeWorker(db: Database, worker: string): Promise<void> {
  await db.run(
    "removing a worker",
    `WITH freed AS (UPDATE run_tasks SET worker = NULL, job = NULL WHERE worker = $1),
       refused AS (DELETE FROM worker_refusals WHERE worker = $1)
     DELETE FROM workers WHERE id = $1`,
    [worker],
  );
}

function identityOf(row: Row) {
  // The name of the host is for people.
  const [host = ""] = String(row.host).split(" ");
  return { host, pid: Number(row.pid), started: String(row.started) };
}

function taskOf(row: Row): TakenTask {
  return {
    run: String(row.run),
    number: Number(row.number),
    stage: row.stage === "index" ? "index" : "reason",
    video: String(row.video),
    sample: String(row.sample),
    epoch: Number(row.epoch),
    attempt: Number(row.attempt),
    json: String(row.json),
    tries: Number(row.tries),
    missing_s: row.missing_s == null ? null : Number(row.missing_s),
    done: row.done === true || row.answered === true,
    job: { id: String(row.job), retryCount: Number(row.job_try) },
  };
}
