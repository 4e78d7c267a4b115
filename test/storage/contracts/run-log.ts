import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunHeader, RunLog, RunSample } from "../../../src/core/contracts.ts";
import { tempFolder } from "../../support/temp.ts";

const HEADER: RunHeader = {
  run: "r1",
  format: 1,
  status: "running",
  created_at: "2026-11-20T12:00:00.000Z",
  settings: { strategy: "direct" },
};

/** Requirements of any run log. */
export function runLogContract(name: string, openLog: (folder: string) => RunLog): void {
  describe(`run log: ${name}`, () => {
    const fresh = async () => openLog(join(await tempFolder(), "runs", "r1"));

    test("the header is written whole and read back", async () => {
      const log = await fresh();
      await expect(log.readHeader()).rejects.toMatchObject({ kind: "not-found" });
      await log.writeHeader(HEADER);
      await log.writeHeader({ ...HEADER, status: "finished" });
      expect(await openLog(log.folder).readHeader()).toEqual({ ...HEADER, status: "finished" });
      await writeFile(join(log.folder, "header.json"), '{"run": 3');
      await expect(log.readHeader()).rejects.toMatchObject({ kind: "data-malformed" });
    });

    test("a run without results reads as empty", async () => {
      expect(await (await fresh()).read()).toEqual({ samples: [], damaged: 0 });
    });

    test("a good result stands, an error is replaced, epochs are apart", async () => {
      const log = await fresh();
      const error = { kind: "model-unreachable", message: "gone" };
      expect(await log.append({ sample: "1", epoch: 1, error })).toBe("written");
      expect(await log.append({ sample: "1", epoch: 1, error, again: true })).toBe("written");
      expect(await log.append({ sample: "1", epoch: 1, answer: "A" })).toBe("written");
      expect(await log.append({ sample: "1", epoch: 1, answer: "B" })).toBe("kept");
      expect(await log.append({ sample: "1", epoch: 1, error })).toBe("kept");
      expect(await log.append({ sample: "1", epoch: 2, answer: "C" })).toBe("written");
      const other = openLog(log.folder);
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
      const log = await fresh();
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          log.append({ sample: `s${i % 100}`, epoch: 1, text: "x".repeat(i * 50) }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(100);
      expect((await log.read()).samples).toHaveLength(100);
    });

    test("lines that are no results are counted and passed over", async () => {
      const log = await fresh();
      await log.append({ sample: "a", epoch: 1 });
      await appendFile(join(log.folder, "samples.jsonl"), 'nonsense\n{"sample":3}\n[]\n\n');
      await log.append({ sample: "b", epoch: 1 });
      expect(await log.read()).toEqual({
        samples: [
          { sample: "a", epoch: 1 },
          { sample: "b", epoch: 1 },
        ],
        damaged: 3,
      });
    });

    test("what is no result is refused", async () => {
      const log = await fresh();
      const wrong = { sample: "a", epoch: 1.5 } satisfies RunSample;
      await expect(log.append(wrong)).rejects.toMatchObject({ kind: "data-malformed" });
      expect((await log.read()).samples).toEqual([]);
    });

    test("the lock is one holder's at a time", async () => {
      const log = await fresh();
      const lock = await log.lock();
      await expect(openLog(log.folder).lock()).rejects.toMatchObject({
        kind: "store-busy",
        facts: { pid: process.pid },
      });
      await log.append({ sample: "a", epoch: 1 });
      await lock.release();
      await lock.release();
      await (await openLog(log.folder).lock()).release();
    });

    test("cut off at any byte, a log loses at most the line that was being written, and goes on", async () => {
      const folder = await tempFolder();
      let round = 0;
      const sample = fc.record({
        sample: fc.string({ unit: "grapheme", maxLength: 6 }),
        epoch: fc.integer({ min: 1, max: 3 }),
        answer: fc.string({ unit: "binary", maxLength: 12 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(sample, {
            minLength: 1,
            maxLength: 6,
            selector: ({ sample, epoch }) => JSON.stringify([sample, epoch]),
          }),
          fc.double({ min: 0, max: 1, noNaN: true }),
          async (samples, part) => {
            const log = openLog(join(folder, String(++round)));
            for (const one of samples) await log.append(one);
            const file = join(log.folder, "samples.jsonl");
            const whole = await readFile(file);
            const cut = Math.floor(part * whole.length);
            await writeFile(file, whole.subarray(0, cut));

            const lines = samples.map((one) => Buffer.from(JSON.stringify(one)).length);
            let end = 0;
            // A line counts as written even if only its line end is missing.
            const left = samples.filter((_, i) => {
              end += (lines[i] ?? 0) + 1;
              return end - 1 <= cut;
            });
            const ends = samples.map((_, i) =>
              lines.slice(0, i + 1).reduce((sum, length) => sum + length + 1, 0),
            );
            const half = cut > 0 && !ends.some((at) => at === cut || at - 1 === cut);
            const read = await openLog(log.folder).read();
            expect(read).toEqual({ samples: left, damaged: half ? 1 : 0 });

            const next = openLog(log.folder);
            for (const one of samples)
              expect(await next.append(one)).toBe(left.includes(one) ? "kept" : "written");
            expect(await next.read()).toEqual({ samples, damaged: 0 });
          },
        ),
        { numRuns: 60 },
      );
    });
  });
}
