import { createHash } from "node:crypto";
import { STAGES } from "../../../core/shared-runs.ts";
import type { Database } from "../database.ts";
import type { RunJobs } from "./jobs.ts";

/** Videos that are not prepared, and questions without a result of their current attempt whose video is. */
const READY = `SELECT number, attempt, stage FROM run_tasks WHERE run = $1 AND stage = 'index' AND NOT done
  UNION ALL
  SELECT number, attempt, stage FROM open_run_tasks($1) AS task WHERE NOT EXISTS (
    SELECT 1 FROM run_tasks AS waits WHERE waits.run = $1 AND waits.stage = 'index' AND waits.epoch = 0
      AND waits.sample = task.video AND NOT waits.done)
  ORDER BY number`;
const READY_OF_VIDEO =
  "SELECT number, attempt, stage FROM open_run_tasks($1) AS task WHERE video = $2";

/** Adds a job for each task of a run that can be worked on, or only for the questions about one video, if it has none. */
export async function addMissingJobs(
  db: Database,
  jobs: RunJobs,
  run: string,
  video?: string,
): Promise<void> {
  const doing = "looking for questions without a result";
  const rows = await (video === undefined
    ? db.rows(doing, READY, [run])
    : db.rows(doing, READY_OF_VIDEO, [run, video]));
  for (const stage of STAGES) {
    const some = rows.filter((row) => row.stage === stage);
    const added = some.map((row) => {
      const [task, attempt] = [Number(row.number), Number(row.attempt)];
      return { id: jobId(run, task, attempt), task, attempt };
    });
    if (added.length > 0) await jobs.add(run, stage, added);
  }
}

/** The same for every process, so that a job that is added twice is added once. */
function jobId(run: string, task: number, attempt: number): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([run, task, attempt]))
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
