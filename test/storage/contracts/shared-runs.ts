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

    test("what comes after the removal of a run leaves nothing behind", () =>
      withRuns(async (runs, store) => {
        const results = runs.results("r1");
        await runs.open(NEW);
        await runs.enqueue("r1", [{ ...QUESTION, attempt: 0 }]);
        await results.append({ sample: "1", epoch: 1 });
        const cap = await openSharedCap(store, "r1", 2);
        const late = await cap.reserve(1);
        await runs.end("r1", "ended");
        expect(await runs.remove("r1")).toBe(true);
        expect(await results.append({ sample: "2", epoch: 1 })).toBe("kept");
        await runs.enqueue("r1", [{ ...QUESTION, attempt: 1 }]);
        await late.settle(1);
        expect(await results.read()).toEqual({ samples: [], damaged: 0 });
        expect(await store.spending?.read("r1")).toBeUndefined();
        // The same id is a new run.
        await runs.open(NEW);
        expect(await runs.list()).toMatchObject([{ run: "r1", tasks: 0, done: 0 }]);
      }));

    test("a video is missing for a run until a worker has it, and again after a retry", () =>
      withRuns(async (runs) => {
        const video = { ...QUESTION, attempt: 0, video: "v.mp4" };
        await runs.open(NEW);
        await runs.enqueue("r1", [
          { ...video, stage: "index", sample: "v.mp4", epoch: 0 },
          video,
          { ...video, sample: "2" },
        ]);
        const session = await runs.join({
          ...{ version: "1", stages: ["index", "reason"], concurrency: 1, atWork: () => ({}) },
          timing: { beat_s: 60, life_s: 90 },
        });
        const take = async (stage: "index" | "reason") => (await session.take("r1", stage, 1))[0];
        const index = await take("index");
        if (index === undefined) throw new Error("no video");
        expect(index.missing_s).toBeNull();
        await session.missVideo(index, true);
        await session.finish(index);
        const first = await take("reason");
        expect(first?.missing_s).toBeGreaterThanOrEqual(0);
        if (first !== undefined) await session.missVideo(first, false);
        expect(await take("reason")).toMatchObject({ missing_s: null, sample: "2" });
        await session.close();
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
