import { countOf } from "../../../core/count-of.ts";
import type { SharedRunProgress, WorkerInfo } from "../../../core/shared-runs.ts";
import { printable, table } from "../output.ts";

/* The runs that workers answer, as text and as JSON. */

/** A run without its header; with the workers that answer it or refuse it. */
export function runJson(one: SharedRunProgress, workers?: readonly WorkerInfo[]) {
  const { header, created_at, ...counts } = one;
  return {
    ...counts,
    ...factsOf(one),
    created_at: new Date(created_at).toISOString(),
    status: header.status,
    ...(workers === undefined ? {} : { workers: workersOf(one.run, workers) }),
  };
}

function workersOf(run: string, workers: readonly WorkerInfo[]) {
  return workers.map(({ id, host, pid, draining, at_work, refused }) => ({
    ...{ id, host, pid, draining },
    stages: at_work[run] ?? {},
    refused: refused[run] ?? null,
  }));
}

function factsOf({ header }: SharedRunProgress) {
  const { strategy, model } = (header.settings ?? {}) as { strategy?: unknown; model?: unknown };
  return {
    benchmark: String(header.benchmark ?? ""),
    strategy: String(strategy ?? ""),
    model: model == null ? null : String(model),
  };
}

export function renderRuns(runs: readonly SharedRunProgress[]): string {
  if (runs.length === 0)
    return "There are no runs. Submit one with `video-rrd eval ... --workers remote`.";
  return table([
    ["run", "state", "samples", "failed", "running", "benchmark", "strategy", "model", "submitted"],
    ...runs.map((one) => {
      const { benchmark, strategy, model } = factsOf(one);
      return [
        ...[one.run, one.state, `${one.done} of ${one.tasks}`, String(one.failed)],
        ...[String(one.running), benchmark, strategy, model ?? "–"],
        new Date(one.created_at).toISOString().slice(0, 16).replace("T", " "),
      ].map(printable);
    }),
  ]);
}

export function renderWorkers(workers: readonly WorkerInfo[]): string {
  if (workers.length === 0)
    return "No worker is running. Start one with `video-rrd worker --store postgres://user@host/database`.";
  return table([
    ["worker", "host", "pid", "version", "stages", "samples", "questions", "state"],
    ...workers.map(
      ({ id, host, pid, version, stages, running, questions, concurrency, draining }) =>
        [
          ...[id.slice(0, 8), host, String(pid), version, stages.join("+")],
          ...[`${running} of ${concurrency}`, String(questions), draining ? "draining" : "ready"],
        ].map(printable),
    ),
  ]);
}

export function renderRun(one: SharedRunProgress, workers: readonly WorkerInfo[]): string {
  const refusals = workers.flatMap(({ host, pid, refused }) => {
    const why = refused[one.run];
    return why === undefined ? [] : [`${host} (${pid}) cannot: ${why}`];
  });
  return [renderRuns([one]), watchLine(one, workers), ...refusals].map(printable).join("\n");
}

/** `12 of 40 samples, 1 failed · caption 2, reason 3 · 2 workers`. */
export function watchLine(one: SharedRunProgress, workers: readonly WorkerInfo[]): string {
  const stages = new Map<string, number>();
  for (const { at_work } of workers)
    for (const [stage, count] of Object.entries(at_work[one.run] ?? {}))
      stages.set(stage, (stages.get(stage) ?? 0) + count);
  const able = workers.filter(({ refused, draining }) => !draining && !(one.run in refused)).length;
  return [
    `${one.done} of ${countOf(one.tasks, "sample")}${one.failed === 0 ? "" : `, ${one.failed} failed`}`,
    ...(one.state === "open" ? [] : [one.state]),
    ...(stages.size === 0 ? [] : [[...stages].map(([name, n]) => `${name} ${n}`).join(", ")]),
    countOf(able, "worker"),
  ]
    .map(printable)
    .join(" · ");
}
