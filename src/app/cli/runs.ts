import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { workersProblem } from "../../../evals/workers/missing-workers.ts";
import type { Store } from "../../core/contracts.ts";
import { countOf } from "../../core/count-of.ts";
import { Failure } from "../../core/errors.ts";
import {
  SERVICE_QUESTIONS,
  type SharedRunProgress,
  type SharedRuns,
} from "../../core/shared-runs.ts";
import { storeAddress } from "../../storage/store-address.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printable, printJson, run, say } from "./output.ts";
import { renderRun, renderRuns, renderWorkers, runJson, watchLine } from "./render/shared-runs.ts";

const WATCH_MS = 1_000;

interface Flags {
  dataDir: string;
  json?: boolean;
}

export function configureRuns(runs: Command): void {
  withExamples(runs, "runs list", "runs watch 3f2a", "runs cancel 3f2a", "runs workers --json");
  addCommand(runs, "list", "list the runs, the newest first", async (shared, flags) => {
    const all = await shared.list();
    if (flags.json) printJson(all.map((one) => runJson(one)));
    else print(renderRuns(all));
  });
  addCommand(
    runs,
    "workers",
    "list the running workers, and say whether a service waits for one",
    async (shared, flags, { replicas }) => {
      const workers = await shared.workers();
      if (flags.json) return printJson(workers);
      print(renderWorkers(workers));
      const hasService = ((await replicas?.plan()) ?? null) !== null;
      const problem = hasService ? workersProblem(SERVICE_QUESTIONS, workers) : null;
      if (problem !== null) print(`A service waits for a worker. ${printable(problem)}`);
    },
  );
  addRunCommand(runs, "show", "show a run and its workers", async (shared, found, flags) => {
    const workers = await shared.workers();
    if (flags.json) printJson(runJson(found, workers));
    else print(renderRun(found, workers));
  });
  addRunCommand(
    runs,
    "watch",
    "show the progress of a run until it ends; exits with 1 if samples failed",
    watch,
  );
  addRunCommand(
    runs,
    "cancel",
    "stop a run; its results are kept, and `eval --resume` or `runs retry` continues it",
    async (shared, { run: id, state }, flags) => {
      await shared.end(id, "cancelled");
      const text =
        state === "open"
          ? `Cancelled the run ${id}.`
          : `The run ${id} was not open: it is ${state}.`;
      await report(shared, id, flags, text);
    },
  );
  addRunCommand(
    runs,
    "retry",
    "try failed and parked samples again, and continue a cancelled run; `eval --resume` collects the results",
    async (shared, { run: id }, flags) => {
      const waiting = await shared.retry(id);
      await report(
        shared,
        id,
        flags,
        `${countOf(waiting, "sample")} of the run ${id} ${waiting === 1 ? "waits" : "wait"} for workers.`,
      );
    },
  );
  addRunCommand(
    runs,
    "remove",
    "remove a run that has ended, with its results in the database; run folders stay",
    async (shared, { run: id }, flags) => {
      if (!(await shared.remove(id)))
        throw new Failure(
          "wrong-usage",
          `Cannot remove the run ${id}: it is open. Cancel it first with \`runs cancel ${id}\`.`,
          { run: id },
        );
      if (flags.json) printJson({ removed: id });
      else print(`Removed the run ${id}.`);
    },
  );
}

/** Adds a command that works on the runs of a store. */
function addCommand(
  parent: Command,
  name: string,
  summary: string,
  body: (shared: SharedRuns, flags: Flags, store: Store) => Promise<unknown>,
): void {
  const command = parent
    .command(name)
    .description(summary)
    .option("--data-dir <folder>", "folder of the store", ".video-rrd")
    .option("--json", "print one JSON value");
  withExamples(command, `runs ${name} --json`);
  command.action(() => run(() => withRuns(command.opts<Flags>(), body)));
}

/** Adds a command that works on one run. */
function addRunCommand(
  parent: Command,
  name: string,
  summary: string,
  body: (
    shared: SharedRuns,
    found: SharedRunProgress,
    flags: Flags,
    signal: AbortSignal,
  ) => Promise<unknown>,
): void {
  const command = parent
    .command(name)
    .description(summary)
    .argument("<run>", "id of the run, or its beginning")
    .option("--data-dir <folder>", "folder of the store", ".video-rrd")
    .option("--json", "print one JSON value");
  withExamples(command, `runs ${name} 3f2a`);
  command.action((id: string) =>
    run((signal) =>
      withRuns(command.opts<Flags>(), async (shared, flags) =>
        body(shared, await findRun(shared, id), flags, signal),
      ),
    ),
  );
}

async function withRuns(
  flags: Flags,
  body: (shared: SharedRuns, flags: Flags, store: Store) => Promise<unknown>,
): Promise<number> {
  const { openStore } = await import("../../storage/open.ts");
  const { requireSharedRuns } = await import("../../../evals/workers/require-shared-runs.ts");
  // Only a database has runs: a folder would be made for nothing.
  if (storeAddress() === null) requireSharedRuns({});
  const store = await openStore(flags.dataDir);
  try {
    const code = await body(requireSharedRuns(store), flags, store);
    return typeof code === "number" ? code : EXIT.ok;
  } finally {
    await store.close();
  }
}

async function findRun(shared: SharedRuns, id: string): Promise<SharedRunProgress> {
  const found = (await shared.list()).filter(({ run: one }) => one.startsWith(id));
  const [first] = found;
  if (first !== undefined && found.length === 1 && id !== "") return first;
  const problem = found.length === 0 ? "Unknown run" : "Several runs begin with";
  throw new Failure(
    "not-found",
    `${problem} ${JSON.stringify(id)}: \`video-rrd runs list\` shows all runs.`,
    { run: id },
  );
}

async function report(shared: SharedRuns, id: string, flags: Flags, text: string): Promise<void> {
  if (flags.json) printJson(runJson(await findRun(shared, id)));
  else print(text);
}

async function watch(
  shared: SharedRuns,
  found: SharedRunProgress,
  flags: Flags,
  signal: AbortSignal,
): Promise<number> {
  let said = "";
  const { run: id } = found;
  for (
    let now = found;
    ;
    now = (await shared.list({ run: id }))[0] ?? (await findRun(shared, id))
  ) {
    const line = watchLine(now, await shared.workers());
    if (line !== said) say(line);
    said = line;
    const isDone = now.tasks > 0 && now.done + now.failed >= now.tasks && now.running === 0;
    if (now.state !== "open" || isDone) {
      if (flags.json) printJson(runJson(now));
      return now.done === now.tasks ? EXIT.ok : EXIT.failed;
    }
    await sleep(WATCH_MS, undefined, { signal });
  }
}
