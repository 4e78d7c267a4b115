import type { RunHeader } from "../../../core/contracts.ts";
import type {
  SharedRun,
  SharedRunProgress,
  SharedRuns,
  SharedTask,
} from "../../../core/shared-runs.ts";
import { readRunHeader } from "../../run-line.ts";
import type { Database } from "../database.ts";
import type { Listen } from "../listener.ts";
import type { PostgresAddress } from "../store-address.ts";
import type { Row } from "../value.ts";
import { addMissingJobs } from "./add-jobs.ts";
import type { RunJobs } from "./jobs.ts";
import { createRunResults } from "./run-results.ts";
import { RUN_CHANNELS } from "./schema.ts";
import { readWorkers } from "./worker-rows.ts";
import { joinAsWorker } from "./worker-session.ts";

type NewRun = Parameters<SharedRuns["open"]>[0];

/** Rows written by one statement. */
const AT_ONCE = 1_000;

export function createSharedRuns(
  db: Database,
  jobs: RunJobs,
  { schema, shown }: Pick<PostgresAddress, "schema" | "shown">,
  listen: Listen | undefined,
  process: string,
): SharedRuns {
  const read = (row: Row): SharedRun => ({
    run: String(row.run),
    key: String(row.key),
    header: headerOf(row, shown),
    state: stateOf(row),
    most_tries: Number(row.most_tries),
  });

  async function find(run: string): Promise<SharedRun | undefined> {
    const row = await db.row("reading a run", "SELECT * FROM runs WHERE run = $1", [run]);
    return row === undefined ? undefined : read(row);
  }

  async function writeTasks(run: string, tasks: readonly SharedTask[]): Promise<void> {
    for (let from = 0; from < tasks.length; from += AT_ONCE) {
      const some = tasks.slice(from, from + AT_ONCE);
      await db.transaction("adding the questions of a run", async (send) => {
        await send("SELECT 1 FROM runs WHERE run = $1 FOR UPDATE", [run]);
        await send(
          `INSERT INTO run_tasks (run, number, sample, epoch, attempt, json, stage, video)
           SELECT $1, (SELECT coalesce(max(number), 0) FROM run_tasks WHERE run = $1) + row_number() OVER (ORDER BY place),
             sample, epoch, attempt, json, stage, video
           FROM unnest($2::text[], $3::text[]::int[], $4::text[]::int[], $5::text[], $6::text[], $7::text[])
             WITH ORDINALITY AS task(sample, epoch, attempt, json, stage, video, place)
           WHERE EXISTS (SELECT 1 FROM runs WHERE run = $1) AND NOT EXISTS (SELECT 1 FROM run_tasks AS known WHERE known.run = $1 AND known.sample = task.sample
             AND known.epoch = task.epoch AND known.attempt >= task.attempt)
           ON CONFLICT (run, sample, epoch) DO UPDATE SET attempt = excluded.attempt, tries = 0,
             missing_since = NULL`,
          [
            run,
            some.map(({ sample }) => sample),
            some.map(({ epoch }) => String(epoch)),
            some.map(({ attempt }) => String(attempt)),
            some.map(({ json }) => json),
            some.map(({ stage }) => stage),
            some.map(({ video }) => video),
          ],
        );
      });
    }
  }

  async function open({ run, key, header, most_tries }: NewRun): Promise<SharedRun> {
    const row = await db.transaction("opening a run", async (send) => {
      await send("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || $1, 0))", [
        ` runs ${key}`,
      ]);
      const others = await send(
        "SELECT * FROM runs WHERE key = $1 AND state = 'open' AND run <> $2",
        [key, run],
      );
      if (others.rows[0] !== undefined) return others.rows[0];
      const { rows } = await send(
        `INSERT INTO runs (run, key, header, state, most_tries) VALUES ($1, $2, $3, 'open', $4)
           ON CONFLICT (run) DO UPDATE SET state = 'open', key = excluded.key, header = excluded.header,
             most_tries = excluded.most_tries RETURNING *`,
        [run, key, JSON.stringify(header), most_tries],
      );
      return rows[0];
    });
    await jobs.createQueues(String(row?.run));
    return read(row ?? {});
  }

  async function end(run: string, state: Exclude<SharedRun["state"], "open">): Promise<void> {
    const { count } = await db.run(
      "ending a run",
      `UPDATE runs SET state = $2 WHERE run = $1 AND state IN ('open', $2)
       AND ($2 <> 'ended' OR NOT EXISTS (SELECT 1 FROM open_run_tasks($1)))`,
      [run, state],
    );
    if (count === 0) return;
    await jobs.removeQueues(run);
    await db.run(
      "announcing the end of a run",
      `SELECT notify_run('${RUN_CHANNELS.tasks}', $1), notify_run('${RUN_CHANNELS.results}', $1)`,
      [run],
    );
  }

  async function announce(run: string): Promise<void> {
    await db.run("announcing a run", "SELECT notify_run($1, $2)", [RUN_CHANNELS.tasks, run]);
  }

  return {
    find,
    open,
    async openRuns() {
      const sql = "SELECT * FROM runs WHERE state = 'open' ORDER BY created_at, run";
      return (await db.rows("looking for runs", sql)).map(read);
    },
    async list({ run = null, state = null }: { run?: string | null; state?: string | null } = {}) {
      const rows = await db.rows(
        "listing runs",
        `SELECT runs.*, extract(epoch FROM created_at) * 1000 AS at,
           (SELECT count(*) FROM run_tasks AS task WHERE task.run = runs.run AND stage = 'reason') AS tasks,
           (SELECT count(*) FROM run_tasks AS task WHERE task.run = runs.run AND worker IS NOT NULL) AS running,
           (SELECT count(*) FROM run_lines AS line WHERE line.run = runs.run AND good) AS done,
           (SELECT count(*) FROM run_lines AS line WHERE line.run = runs.run AND NOT good) AS failed
         FROM runs WHERE ($1::text IS NULL OR run = $1) AND ($2::text IS NULL OR state = $2)
         ORDER BY created_at DESC, run`,
        [run, state],
      );
      return rows.map(
        (row): SharedRunProgress => ({
          run: String(row.run),
          state: stateOf(row),
          header: headerOf(row, shown),
          created_at: Number(row.at),
          tasks: Number(row.tasks),
          done: Number(row.done),
          failed: Number(row.failed),
          running: Number(row.running),
        }),
      );
    },
    async enqueue(run, tasks) {
      await writeTasks(run, tasks);
      await addMissingJobs(db, jobs, run);
      await announce(run);
    },
    async skipIndex(run) {
      const sql =
        "UPDATE run_tasks SET done = true WHERE run = $1 AND stage = 'index' AND NOT done";
      const { count } = await db.run("freeing questions", sql, [run]);
      if (count > 0) await addMissingJobs(db, jobs, run);
    },
    end,
    async retry(run) {
      const known = await find(run);
      if (known === undefined) return 0;
      const opened = await open(known);
      await db.run(
        "trying failed questions again",
        `UPDATE run_tasks AS task SET attempt = line.attempt + 1, tries = 0, missing_since = NULL FROM run_lines AS line
         WHERE task.run = $1 AND stage = 'reason' AND line.run = task.run AND line.sample = task.sample
           AND line.epoch = task.epoch AND NOT good AND line.attempt >= task.attempt`,
        [opened.run],
      );
      await addMissingJobs(db, jobs, opened.run);
      await announce(opened.run);
      const waiting = "SELECT count(*) AS n FROM open_run_tasks($1)";
      const count = Number((await db.row("counting questions", waiting, [opened.run]))?.n);
      // Nobody would end it.
      if (count === 0) await end(opened.run, "ended");
      return count;
    },
    async remove(run) {
      return db.transaction("removing a run", async (send) => {
        // After the results that are being stored.
        await send(
          "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' run ' || $1, 0))",
          [run],
        );
        const { count } = await send("DELETE FROM runs WHERE run = $1 AND state <> 'open'", [run]);
        if (count === 0) return false;
        await send("DELETE FROM run_tasks WHERE run = $1", [run]);
        await send("DELETE FROM run_lines WHERE run = $1", [run]);
        await send("DELETE FROM worker_refusals WHERE run = $1", [run]);
        // Dollars held by calls in flight are settled with the account around this one.
        await send("SELECT count_lost_holds($1)", [run]);
        await send("DELETE FROM spending_holds WHERE run = $1 AND lost", [run]);
        await send("DELETE FROM spending WHERE run = $1", [run]);
        return true;
      });
    },
    results: (run) => createRunResults(db, run, shown),
    async resultsAfter(run, after, most) {
      const rows = await db.rows(
        "reading results",
        "SELECT number, line FROM run_lines WHERE run = $1 AND number > $2 ORDER BY number LIMIT $3",
        [run, after, most],
      );
      return rows.map(({ number, line }) => ({ number: Number(number), line: String(line) }));
    },
    join: (worker) => joinAsWorker(db, jobs, process, worker),
    workers: () => readWorkers(db),
    async watch(what, onChange) {
      // Without notifications, such as in a database of one process, only the poll of the caller remains.
      if (listen === undefined) return { stop: async () => {} };
      const start = `${schema} `;
      return listen(RUN_CHANNELS[what], (payload) => {
        if (payload.startsWith(start)) onChange(payload.slice(start.length));
      });
    },
    close: jobs.close,
  };
}

const STATES = ["open", "ended", "cancelled", "capped"] as const;

function stateOf({ state }: Row): SharedRun["state"] {
  return STATES.find((one) => one === state) ?? "ended";
}

function headerOf({ run, header }: Row, shown: string): RunHeader {
  return readRunHeader(String(header), `the run ${run} in ${shown}`);
}
