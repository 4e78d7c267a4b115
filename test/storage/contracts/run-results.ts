import { describe, expect, test } from "vitest";
import type { RunHeader, RunResults, RunSample } from "../../../src/core/contracts.ts";

export const HEADER: RunHeader = {
  run: "r1",
  format: 1,
  status: "running",
  created_at: "2026-11-20T12:00:00.000Z",
  settings: { strategy: "direct" },
};

/** Requirements of any place that holds the results of a run. `fresh` returns an opener of a run that is new. */
export function runResultsContract(name: string, fresh: () => Promise<() => RunResults>): void {
  /** An opener of a run with a header. */
  async function started(): Promise<() => RunResults> {
    const openLog = await fresh();
    await openLog().writeHeader(HEADER);
    return openLog;
  }

  describe(`results of a run: ${name}`, () => {
    test("the header is written whole and read back", async () => {
      const openLog = await fresh();
      await expect(openLog().readHeader()).rejects.toMatchObject({ kind: "not-found" });
      await openLog().writeHeader(HEADER);
      await openLog().writeHeader({ ...HEADER, status: "finished" });
      expect(await openLog().readHeader()).toEqual({ ...HEADER, status: "finished" });
    });

    test("a run without results reads as empty", async () => {
      expect(await (await started())().read()).toEqual({ samples: [], damaged: 0 });
    });

    test("a good result stands, an error is replaced, epochs are apart", async () => {
      const openLog = await started();
      const log = openLog();
      const error = { kind: "model-unreachable", message: "gone" };
      expect(await log.append({ sample: "1", epoch: 1, error })).toBe("written");
      expect(await log.append({ sample: "1", epoch: 1, error, again: true })).toBe("written");
      expect(await log.append({ sample: "1", epoch: 1, answer: "A" })).toBe("written");
      expect(await log.append({ sample: "1", epoch: 1, answer: "B" })).toBe("kept");
      expect(await log.append({ sample: "1", epoch: 1, error })).toBe("kept");
      expect(await log.append({ sample: "1", epoch: 2, answer: "C" })).toBe("written");
      const other = openLog();
      expect(await other.append({ sample: "1", epoch: 2, answer: "D" })).toBe("kept");
      expect(await other.read()).toEqual({
        samples: [
          { sample: "1", epoch: 1, answer: "A" },
          { sample: "1", epoch: 2, answer: "C" },
        ],
        damaged: 0,
      });
    });

    test("results at once are written one by one", async () => {
      const log = (await started())();
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          log.append({ sample: `s${i % 100}`, epoch: 1, text: "x".repeat(i * 50) }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(100);
      expect((await log.read()).samples).toHaveLength(100);
    });

    test("a line whose epoch is not a whole number is refused", async () => {
      const log = (await started())();
      const wrong = { sample: "a", epoch: 1.5 } satisfies RunSample;
      await expect(log.append(wrong)).rejects.toMatchObject({ kind: "data-malformed" });
      expect((await log.read()).samples).toEqual([]);
    });

    test("members that are not asked for are left out, but an error is kept", async () => {
      const log = (await started())();
      await log.append({ sample: "\u0000a", epoch: 1, attempt: 2, answer: "A", error: "no" });
      await log.append({ sample: "b", epoch: 1, attempt: 0, answer: "B" }, ["attempt"]);
      const summaries = [
        { sample: "\u0000a", epoch: 1, attempt: 2, error: "no" },
        { sample: "b", epoch: 1, attempt: 0 },
      ];
      expect((await log.read(["attempt"])).samples).toEqual(summaries);
      expect((await log.read(["answer"])).samples).toEqual([
        { sample: "\u0000a", epoch: 1, answer: "A", error: "no" },
        { sample: "b", epoch: 1, answer: "B" },
      ]);
      expect((await log.read()).samples[1]).toEqual({
        ...{ sample: "b", epoch: 1, attempt: 0, answer: "B" },
      });
    });
  });
}
