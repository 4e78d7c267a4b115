import { describe, expect, test } from "vitest";
import { requireSharedRuns } from "../../../evals/workers/require-shared-runs.ts";
import { lazyRunCap } from "../../../evals/workers/run-cap.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openSharedCap } from "../../../src/core/shared-cap.ts";
import type { SharedRuns } from "../../../src/core/shared-runs.ts";
import { HEADER } from "./run-results.ts";
import { type Open, useStore } from "./with-store.ts";

const NEW = { run: "r1", key: "k", header: HEADER, most_tries: 3 };
const QUESTION = { stage: "reason", sample: "1", epoch: 1, video: "", json: "{}" } as const;
const ERROR = { kind: "model-unreachable", message: "gone" };

/** Requirements of runs that workers answer. */
export function sharedRunsContract(name: string, open: Open): void {
  const withRuns = (body: (runs: SharedRuns, store: Store) => Promise<void>) =>
    useStore(open, (store) => body(requireSharedRuns(store), store));

  describe(`shared runs: ${name}`, () => {
    test("a run that is continued has its new header; equal questions of another run join it", () =>
      withRuns(async (runs) => {
        await runs.open(NEW);
        expect(await runs.open({ ...NEW, run: "r2" })).toMatchObject({ run: "r1" });
        await runs.open({ ...NEW, header: { ...HEADER, moved: true } });
        expect(await runs.openRuns()).toMatchObject([{ run: "r1", header: { moved: true } }]);
      }));

    test("a retry opens a run only if something waits; a late error replaces no later one", () =>
      withRuns(async (runs) => {
        const results = runs.results("r1");
        await runs.open(NEW);
        await runs.enqueue("r1", [{ ...QUESTION, attempt: 0 }]);
        await results.append({ sample: "1", epoch: 1, attempt: 0, error: ERROR });
        await runs.end("r1", "ended");
        expect([await runs.retry("r1"), (await runs.find("r1"))?.state]).toEqual([1, "open"]);
        await results.append({ sample: "1", epoch: 1, attempt: 1, error: ERROR });
        expect(
          await results.append({ sample: "1", epoch: 1, attempt: 0, error: { ...ERROR, late: 1 } }),
        ).toBe("kept");
        await runs.end("r1", "ended");
        expect((await runs.find("r1"))?.state).toBe("ended");
        await results.append({ sample: "1", epoch: 1, attempt: 0 });
        expect([await runs.retry("r1"), (await runs.find("r1"))?.state]).toEqual([0, "ended"]);
      }));

    test("a limit that a run gets while a worker has it is the worker's too", () =>
      withRuns(async (_runs, store) => {
        const capOf = lazyRunCap(store, "r1");
        await (await (await capOf()).reserve(1)).settle(1);
        await openSharedCap(store, "r1", 2, 1);
        await expect((await capOf()).reserve(1.5)).rejects.toMatchObject({ kind: "limit-met" });
      }));
  });
}
