import { TEXT } from "../sql-types.ts";

/** Channels of `pg_notify`; the payload is the schema, a space, and the id of the run. */
export const RUN_CHANNELS = { results: "video_rrd_results", tasks: "video_rrd_tasks" } as const;

/** `kept`: which stored lines a new one does not replace; `first`: what is checked before. */
const appendRunLine = (
  create: string,
  kept: string,
  first = "",
) => `${create} FUNCTION append_run_line(
  of_run text, of_sample text, of_epoch integer, of_attempt integer, is_good boolean, with_line text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || ' run ' || of_run, 0));
${first}  IF EXISTS (SELECT 1 FROM run_lines WHERE run = of_run AND sample = of_sample AND epoch = of_epoch${kept}) THEN
    RETURN false;
  END IF;
  SELECT max(number) INTO last FROM run_lines WHERE run = of_run;
  INSERT INTO run_lines (run, sample, epoch, number, attempt, good, line)
  VALUES (of_run, of_sample, of_epoch, coalesce(last, 0) + 1, of_attempt, is_good, with_line)
  ON CONFLICT (run, sample, epoch) DO UPDATE SET number = excluded.number,
    attempt = excluded.attempt, good = excluded.good, line = excluded.line;
  PERFORM notify_run('${RUN_CHANNELS.results}', of_run);
  RETURN true;
END $$;
`;

const KEPT_LINES = "\n    AND (good OR (NOT is_good AND attempt > of_attempt))";

/*
 * runs             runs that workers answer; one open run for each key
 * run_tasks        their questions, and videos to prepare (`stage`; `done`: prepared). `tries`: starts without a result; `worker`, `job`, `job_try`: who has it now
 * run_lines        the last result of each question. Results of a run are numbered in the order in which they are committed
 * workers          running workers, until `expires_at` by the clock of the database
 * open_run_tasks   the questions whose current attempt has no result
 * append_run_line  stores a result, unless there is a good one; true if it was stored
 */
export const RUN_TABLES = `
CREATE TABLE runs (
  run ${TEXT} PRIMARY KEY, key ${TEXT} NOT NULL, header ${TEXT} NOT NULL, state ${TEXT} NOT NULL,
  most_tries integer NOT NULL, created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX runs_open ON runs (key) WHERE state = 'open';
CREATE TABLE run_tasks (
  run ${TEXT}, number integer, stage ${TEXT} NOT NULL, sample ${TEXT} NOT NULL, epoch integer NOT NULL,
  video ${TEXT} NOT NULL, attempt integer NOT NULL, done boolean NOT NULL DEFAULT false,
  json ${TEXT} NOT NULL, tries integer NOT NULL DEFAULT 0, worker ${TEXT}, job ${TEXT}, job_try integer,
  PRIMARY KEY (run, number), UNIQUE (run, sample, epoch)
);
CREATE INDEX run_tasks_taken ON run_tasks (worker) WHERE worker IS NOT NULL;
CREATE TABLE run_lines (
  run ${TEXT}, sample ${TEXT}, epoch integer, number bigint NOT NULL, attempt integer NOT NULL,
  good boolean NOT NULL, line ${TEXT} NOT NULL,
  PRIMARY KEY (run, sample, epoch)
);
CREATE INDEX run_lines_by_number ON run_lines (run, number);
CREATE TABLE workers (
  id ${TEXT} PRIMARY KEY, host ${TEXT} NOT NULL, pid bigint NOT NULL, started ${TEXT} NOT NULL,
  version ${TEXT} NOT NULL, stages ${TEXT} NOT NULL, concurrency integer NOT NULL,
  draining boolean NOT NULL DEFAULT false, at_work ${TEXT} NOT NULL DEFAULT '{}', expires_at timestamptz NOT NULL
);
CREATE TABLE worker_refusals (
  worker ${TEXT}, run ${TEXT}, why ${TEXT} NOT NULL,
  PRIMARY KEY (worker, run)
);
CREATE FUNCTION notify_run(channel text, of_run text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify(channel, current_schema() || ' ' || left(of_run, 1000));
$$;
${appendRunLine("CREATE", " AND good")}CREATE FUNCTION open_run_tasks(of_run text) RETURNS SETOF run_tasks LANGUAGE sql STABLE AS $$
  SELECT * FROM run_tasks AS task WHERE run = of_run AND stage = 'reason' AND NOT EXISTS (SELECT 1 FROM run_lines AS line
    WHERE line.run = task.run AND line.sample = task.sample AND line.epoch = task.epoch
      AND (good OR line.attempt >= task.attempt)) ORDER BY number;
$$;
`;

/*
 * Indexes for what is asked of a run with many questions again and again: videos to prepare, and questions about one video.
 * append_run_line  also keeps the error of a later attempt when an earlier one, of a worker that was silent for long, ends
 */
export const RUN_INDEXES = `
CREATE INDEX run_tasks_to_prepare ON run_tasks (run) WHERE stage = 'index' AND NOT done;
CREATE INDEX run_tasks_by_video ON run_tasks (run, video) WHERE stage = 'reason';
${appendRunLine("CREATE OR REPLACE", KEPT_LINES)}`;

/*
 * missing_since    of a task: since when no worker has had its video
 * append_run_line  stores nothing for a run that was removed while a worker answered
 */
export const RUN_ENDS = `
ALTER TABLE run_tasks ADD COLUMN missing_since timestamptz;
${appendRunLine("CREATE OR REPLACE", KEPT_LINES, "  IF NOT EXISTS (SELECT 1 FROM runs WHERE run = of_run) THEN RETURN false; END IF;\n")}`;
