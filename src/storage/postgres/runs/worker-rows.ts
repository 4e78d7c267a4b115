import { z } from "zod";
import { jsonOrUndefined } from "../../../core/json-or-undefined.ts";
import { STAGES, type WorkerInfo } from "../../../core/shared-runs.ts";
import type { Database } from "../database.ts";
import { ALIVE } from "../memo-schema.ts";
import type { Row } from "../value.ts";

const Stages = z.array(z.enum(STAGES)).catch([]);
const AtWork = z.record(z.string(), z.record(z.string(), z.number())).catch({});

/** The workers whose heartbeat is recent, the oldest row first. */
export async function readWorkers(db: Database): Promise<WorkerInfo[]> {
  const doing = "looking for workers";
  const rows = await db.rows(
    doing,
    `SELECT workers.*, (SELECT count(*) FROM run_tasks WHERE worker = workers.id) AS running,
       (SELECT count(*) FROM asked WHERE holder = workers.process AND open = 1) AS questions
     FROM workers WHERE ${ALIVE} ORDER BY id`,
  );
  const refusals = await db.rows(doing, "SELECT worker, run, why FROM worker_refusals");
  return rows.map((row) => ({
    id: String(row.id),
    // The identity of the machine, a space, and its name.
    host: String(row.host).split(" ")[1] ?? "",
    pid: Number(row.pid),
    version: String(row.version),
    stages: Stages.parse(jsonOrUndefined(String(row.stages))),
    concurrency: Number(row.concurrency),
    draining: row.draining === true,
    running: Number(row.running),
    questions: Number(row.questions),
    at_work: AtWork.parse(jsonOrUndefined(String(row.at_work))),
    refused: refusedBy(refusals, row.id),
  }));
}

function refusedBy(rows: readonly Row[], worker: unknown): Record<string, string> {
  const own = rows.filter((row) => row.worker === worker);
  return Object.fromEntries(own.map(({ run, why }) => [String(run), String(why)]));
}
