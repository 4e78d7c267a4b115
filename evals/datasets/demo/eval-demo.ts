import { rm } from "node:fs/promises";
import { join } from "node:path";
import { needsModel, strategies } from "../../../graphs/define-strategy.ts";
import { openStore } from "../../../src/storage/open.ts";
import { testEvidence } from "../../evidence-test/evidence-test.ts";
import { startRun } from "../../run/run.ts";
import type { RunProgress } from "../../run/run-progress.ts";
import { makeDemoSets } from "./make-sets.ts";

const QUESTIONS = [
  { benchmark: "vcrbench", subset: "mcq", name: "vcrbench" },
  { benchmark: "mmr-v", subset: "mcq", name: "mmr-v" },
  { benchmark: "videomathqa", subset: "mcq", name: "videomathqa" },
  { benchmark: "videomathqa", subset: "multi_binary", name: "videomathqa-pairs" },
] as const;

export interface DemoRun {
  /** Name of the set of questions. */
  name: string;
  strategy: string;
  folder: string;
}

export interface EvalDemoOptions {
  signal?: AbortSignal;
  /** Receives the number of finished videos and of all. */
  onVideos?: (done: number, total: number) => void;
  onRun?: (run: DemoRun, progress: RunProgress) => void;
}

/**
 * Makes the sets of a seed in `folder`, and runs every strategy that needs no model over them. If a strategy can cite,
 * its citations are tested. Earlier runs are replaced; readings of the videos are stored in `folder`. Throws as
 * `makeDemoSets` and `startRun`.
 */
export async function evalDemo(
  folder: string,
  seed: number,
  { signal, onVideos, onRun }: EvalDemoOptions = {},
): Promise<DemoRun[]> {
  const sets = await makeDemoSets(join(folder, "data"), seed, { signal, progress: onVideos });
  const store = await openStore(join(folder, "store"));
  const runs: DemoRun[] = [];
  const free = strategies.all().filter(({ name }) => !needsModel(name));
  try {
    for (const { benchmark, subset, name } of QUESTIONS)
      for (const { name: strategy, overEvidence } of free) {
        const run = { name, strategy, folder: join(folder, "runs", `${name}-${strategy}`) };
        await rm(run.folder, { recursive: true, force: true });
        const input = { benchmark, subset, data: sets[benchmark], strategy };
        const onProgress = (progress: RunProgress) => onRun?.(run, progress);
        await startRun(input, run.folder, { store, signal, onProgress });
        if (overEvidence !== undefined) await testEvidence(run.folder, {}, { store, signal });
        runs.push(run);
      }
  } finally {
    await store.close();
  }
  return runs;
}
