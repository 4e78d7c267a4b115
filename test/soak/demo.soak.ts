import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { evalDemo } from "../../evals/demo/eval-demo.ts";
import { readResults } from "../../evals/read-results.ts";
import { scoreResults } from "../../evals/score-run.ts";
import { closeOcr } from "../../tools/ocr.ts";
import { tempFolder } from "../support/temp.ts";

afterAll(closeOcr);

const SEEDS = [101, 102, 103];

test("seeds that nobody has looked at score alike", async () => {
  const folder = await tempFolder();
  const right = new Map<string, number[]>();
  for (const seed of SEEDS)
    for (const run of await evalDemo(join(folder, String(seed)), seed)) {
      const { all, failures } = scoreResults(await readResults(run.folder));
      expect(failures).toEqual([]);
      expect(all.all).toBe(12);
      if (run.strategy === "random") continue;
      expect(all.accuracyAnswered ?? 1).toBeGreaterThanOrEqual(0.8);
      right.set(run.name, [...(right.get(run.name) ?? []), all.right]);
    }
  for (const [name, counts] of right) {
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
    if (name !== "vcrbench") expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  }
});
