import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { evalDemo } from "../../evals/datasets/demo/eval-demo.ts";
import { readResults } from "../../evals/score/read-results.ts";
import { scoreResults } from "../../evals/score/score-run.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { tempFolder } from "../support/temp.ts";

afterAll(closeOcr);

const SEEDS = [101, 102, 103];

test("new seeds score alike", async () => {
  const folder = await tempFolder();
  const right = new Map<string, number[]>();
  for (const seed of SEEDS)
    for (const run of await evalDemo(join(folder, String(seed)), seed)) {
      const { all, failures, evidence_test } = scoreResults(await readResults(run.folder));
      expect(failures).toEqual([]);
      expect(all.all).toBe(12);
      if (run.strategy === "random") continue;
      // Citations match the spans of the data, and the answers depend on them.
      expect(evidence_test?.failed).toBe(0);
      expect(evidence_test?.stability?.mean ?? 1).toBe(1);
      expect(evidence_test?.sufficiency?.mean ?? 1).toBeGreaterThanOrEqual(0.5);
      expect(evidence_test?.overlap?.precision?.mean ?? 1).toBeGreaterThanOrEqual(0.8);
      expect(all.accuracyAnswered ?? 1).toBeGreaterThanOrEqual(0.8);
      right.set(run.name, [...(right.get(run.name) ?? []), all.right]);
    }
  for (const [name, counts] of right) {
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
    if (name !== "vcrbench") expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  }
});
