import { SERVICE_QUESTIONS, type WorkerInfo } from "../../src/core/shared-runs.ts";

/** A worker that starts needs a moment to join. */
const PATIENCE_MS = 3_000;

/** Says, once for each change, that no worker is there for a run, or that none can take it. */
export function missingWorkers(onNote: (text: string) => void) {
  let said: string | null = null;
  let since: number | null = null;
  return {
    look(run: string, workers: readonly WorkerInfo[]): void {
      const text = workersProblem(run, workers);
      if (text === null) {
        since = null;
        if (said !== null) onNote("A worker is answering the run.");
        said = null;
        return;
      }
      since ??= performance.now();
      if (text === said || performance.now() - since < PATIENCE_MS) return;
      said = text;
      onNote(text);
    },
  };
}

/** Why no worker takes a run, or the questions of a service (`SERVICE_QUESTIONS`); null: one does. */
export function workersProblem(run: string, workers: readonly WorkerInfo[]): string | null {
  const able = workers.filter(({ draining, stages }) => !draining && stages.includes("reason"));
  if (able.length === 0 && workers.some(({ draining }) => !draining))
    return "No worker that answers is running, only some with --stages index: the questions wait. Start one with --stages reason.";
  if (able.length === 0)
    return "No worker is running: the questions wait. Start one on any machine with `video-rrd worker --store postgres://user@host/database`.";
  const reasons = able.map(({ refused }) => refused[run]);
  if (reasons.some((reason) => reason === undefined)) return null;
  const different = [...new Set(reasons)];
  const who =
    able.length === 1 ? "The only worker cannot" : `None of the ${able.length} workers can`;
  const what = run === SERVICE_QUESTIONS ? "questions of services" : "this run";
  return `${who} answer ${what}: the questions wait. ${different.join(" ")}`;
}
