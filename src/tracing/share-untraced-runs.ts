import { AsyncLocalStorageProviderSingleton as provider } from "@langchain/core/singletons";
import { isTracedByLangSmith } from "./is-traced-by-langsmith.ts";

/** LangChain's keys for what a step inherits. */
const CONFIG = Symbol.for("lc:child_config");
const VARIABLES = Symbol.for("lc:context_variables");

/** What carries the configuration of a step to what the step calls, if nothing is traced. */
interface UntracedRun {
  extra: object;
  child_runs: unknown[];
}

let createUntraced: ((extra: object) => UntracedRun) | undefined;
let isInstalled = false;

/**
 * Makes LangChain share one empty run of LangSmith between all steps that nothing traces. It would create a run for each
 * step, of which a question has some thirty: a tenth of the CPU time of a question. Steps with callbacks or within a
 * trace are left to LangChain. Has no effect when called again.
 */
export function shareUntracedRuns(): void {
  if (isInstalled) return;
  isInstalled = true;
  const runWithConfig = provider.runWithConfig.bind(provider);
  provider.runWithConfig = (config, callback, avoidCreatingRootRunTree) => {
    const storage = provider.getInstance();
    const outer: unknown = storage.getStore();
    const isUntraced =
      avoidCreatingRootRunTree !== true &&
      config?.callbacks === undefined &&
      // The steps within an untraced step are not looked at again: reading the environment takes time.
      (isUntracedRun(outer) || (outer === undefined && !wasTracedInThisTurn()));
    if (!isUntraced) return runWithConfig(config, callback, avoidCreatingRootRunTree);
    createUntraced ??= runsLike(runWithConfig(undefined, () => storage.getStore()));
    return storage.run(createUntraced({ [CONFIG]: config }), callback);
  };
}

let known: boolean | undefined;

/**
 * What `isTracedByLangSmith` said first in this turn of the event loop, in which steps of many questions ask. Not for a
 * decision about what may be shown: the environment may change within a turn.
 */
function wasTracedInThisTurn(): boolean {
  if (known === undefined) {
    known = isTracedByLangSmith();
    setImmediate(() => {
      known = undefined;
    }).unref();
  }
  return known;
}

class Untraced implements UntracedRun {
  extra: object;
  child_runs: unknown[] = [];

  constructor(extra: object) {
    this.extra = extra;
  }
}

function isUntracedRun(run: unknown): boolean {
  return run instanceof Untraced && !(VARIABLES in run);
}

/** The members of `empty`, a run that LangChain created, serve all. */
function runsLike(empty: object): (extra: object) => UntracedRun {
  Object.setPrototypeOf(Untraced.prototype, empty);
  return (extra) => new Untraced({ ...(empty as UntracedRun).extra, ...extra });
}
