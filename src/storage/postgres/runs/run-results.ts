import type { RunHeader, RunResults, RunSample } from "../../../core/contracts.ts";
import { Failure } from "../../../core/errors.ts";
import { checkSample, isGoodLine, onlyMembers, readRunHeader } from "../../run-line.ts";
import type { Database } from "../database.ts";

/** Header and results of one run. `shown`: the database, for messages. */
export function createRunResults(db: Database, run: string, shown: string): RunResults {
  return {
    async readHeader() {
      const row = await db.row("reading a run", "SELECT header FROM runs WHERE run = $1", [run]);
      if (row === undefined)
        throw new Failure("not-found", `There is no run ${run} in ${shown}.`, { run });
      return readRunHeader(String(row.header), `the run ${run} in ${shown}`);
    },
    async writeHeader(header: RunHeader) {
      await db.run(
        "writing a run",
        `INSERT INTO runs (run, key, header, state, most_tries) VALUES ($1, $1, $2, 'ended', 1)
         ON CONFLICT (run) DO UPDATE SET header = excluded.header`,
        [run, JSON.stringify(header)],
      );
    },
    async read<T extends RunSample = RunSample>(
      members?: readonly string[],
      keep = (line: RunSample) => line as T,
    ) {
      const rows = await db.rows(
        "reading the results of a run",
        "SELECT line FROM run_lines WHERE run = $1 ORDER BY number",
        [run],
      );
      const lines = rows.map(({ line }) => lineOf(String(line)));
      return {
        samples: lines.flatMap((line) => (line === null ? [] : [keep(onlyMembers(line, members))])),
        damaged: lines.filter((line) => line === null).length,
      };
    },
    async append(sample) {
      const { sample: id, epoch } = checkSample(sample);
      const attempt = Number.isInteger(sample.attempt) ? Number(sample.attempt) : 0;
      const row = await db.row(
        "storing a result",
        "SELECT append_run_line($1, $2, $3, $4, $5::boolean, $6) AS written",
        [run, id, epoch, attempt, String(isGoodLine(sample)), JSON.stringify(sample)],
      );
      return row?.written === true ? "written" : "kept";
    },
  };
}

function lineOf(text: string): RunSample | null {
  try {
    return checkSample(JSON.parse(text) as RunSample);
  } catch {
    // A damaged line is counted, not thrown.
    return null;
  }
}
