import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  EvalLog,
  EvalSample,
  EvalSampleReductions,
  EvalSampleSummary,
  LogStart,
} from "../../evals/export/inspect/log-schema.ts";

const SCRIPT = fileURLToPath(new URL("read_eval_log.py", import.meta.url));

/** What `read_eval_log.py`, which shares no code with the export, reads in a log file. */
export interface ReadLog {
  names: string[];
  unique: boolean;
  documents: Record<string, unknown>;
  /** By scorer, recomputed from the samples. */
  accuracies: Record<string, { accuracy: number; answered: number }>;
}

/** Reads a log with Python, and checks that each of its documents has the published members. */
export async function readEvalLog(file: string) {
  const { stdout } = await promisify(execFile)("python3", [SCRIPT, file], {
    maxBuffer: 64 * 2 ** 20,
  });
  const read = JSON.parse(stdout) as ReadLog;
  const samples = Object.entries(read.documents)
    .filter(([name]) => name.startsWith("samples/"))
    .map(([, document]) => EvalSample.parse(document));
  for (const [name, document] of Object.entries(read.documents))
    if (name.startsWith("_journal/summaries/")) EvalSampleSummary.array().parse(document);
  LogStart.parse(read.documents["_journal/start.json"]);
  return {
    ...read,
    samples,
    header: EvalLog.parse(read.documents["header.json"]),
    summaries: EvalSampleSummary.array().parse(read.documents["summaries.json"]),
    reductions: EvalSampleReductions.array().parse(read.documents["reductions.json"]),
  };
}
