import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunLog } from "../../../src/core/contracts.ts";
import { tempFolder } from "../../support/temp.ts";
import { HEADER, runResultsContract } from "./run-results.ts";

/** Requirements of a run in a folder. */
export function runLogContract(name: string, openLog: (folder: string) => RunLog): void {
  runResultsContract(name, async () => {
    const folder = join(await tempFolder(), "runs", "r1");
    return () => openLog(folder);
  });
  describe(`run log: ${name}`, () => {
    const fresh = async () => openLog(join(await tempFolder(), "runs", "r1"));

    test("a damaged header is reported", async () => {
      const log = await fresh();
      await log.writeHeader(HEADER);
      await writeFile(join(log.folder, "header.json"), '{"run": 3');
      await expect(log.readHeader()).rejects.toMatchObject({ kind: "data-malformed" });
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
          fc.constantFrom(undefined, [], ["answer"]),
          async (samples, part, first) => {
            const log = openLog(join(folder, String(++round)));
            for (const one of samples) await log.append(one, first);
            const file = join(log.folder, "samples.jsonl");
            const whole = await readFile(file);
            const cut = Math.floor(part * whole.length);
            await writeFile(file, whole.subarray(0, cut));

            const lines = whole
              .toString()
              .split("\n")
              .map((line) => Buffer.from(line).length);
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
            expect(await openLog(log.folder).read(["answer"])).toEqual(read);

            const next = openLog(log.folder);
            for (const one of samples)
              expect(await next.append(one, first)).toBe(left.includes(one) ? "kept" : "written");
            expect(await next.read()).toEqual({ samples, damaged: 0 });
          },
        ),
        { numRuns: 60 },
      );
    });
  });
}
