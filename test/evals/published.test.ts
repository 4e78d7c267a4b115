import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type PublishedRow, publishedResults } from "../../evals/published.ts";
import { describeShared, sharedFile } from "../support/shared.ts";

test("each benchmark's numbers read, name their paper, and name every row once", () => {
  for (const [benchmark, source] of [
    ["vcrbench", "arXiv:2505.08455"],
    ["mmr-v", "arXiv:2506.04141"],
    ["videomathqa", "arXiv:2506.05349"],
  ] as const) {
    const published = publishedResults(benchmark);
    expect(published).toMatchObject({ benchmark, source });
    const names = published.rows.map((row) => `${row.model} / ${row.arm}`);
    expect(new Set(names).size).toBe(names.length);
    for (const row of published.rows)
      for (const score of Object.values(row.scores)) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      }
  }
});

test("the best RRD arm of the paper", () => {
  const row = publishedResults("vcrbench").rows.find(
    (item) => item.arm === "rrd, recognition sequential, reasoning all-at-once",
  );
  expect(row).toMatchObject({
    model: "Qwen2.5-VL-72B",
    scores: { avg_accuracy: 54.2, avg_step_accuracy: 65.1 },
    by: { avg_accuracy: { steps: { "3": 64.3, "7": 33.3 } } },
  });
});

describeShared("the numbers given", () => {
  test("none is lost and none is another", async () => {
    const given = JSON.parse(await readFile(sharedFile("published_results.json"), "utf8"));
    const row = (
      benchmark: "vcrbench" | "mmr-v" | "videomathqa",
      model: string,
      arm: string,
    ): PublishedRow | undefined =>
      publishedResults(benchmark).rows.find((item) => item.model === model && item.arm === arm);
    for (const [model, [exact, step]] of Object.entries<[number, number]>(given.vcrbench.direct))
      expect(row("vcrbench", model, "direct")?.scores).toEqual({
        avg_accuracy: exact,
        avg_step_accuracy: step,
      });
    for (const [model, goals] of Object.entries(given.vcrbench.accuracy_by_goal))
      expect(row("vcrbench", model, "direct")?.by?.avg_accuracy?.goal).toEqual(goals);
    for (const [model, [zeroShot, cot]] of Object.entries<[number, number | null]>(
      given["mmr-v"].direct,
    )) {
      expect(row("mmr-v", model, "direct")?.scores).toEqual({ accuracy: zeroShot });
      expect(row("mmr-v", model, "direct, cot")?.scores.accuracy ?? null).toBe(cot);
    }
    for (const [arm, name] of [
      ["direct", "direct"],
      ["cot", "direct, cot"],
    ] as const)
      for (const [model, scores] of Object.entries<Record<string, unknown>>(
        given.videomathqa[arm],
      )) {
        const ours = row("videomathqa", model, name);
        for (const metric of ["MCQ", "MCQ+subtitles", "MBin", "MBin+subtitles", "step score"])
          expect(ours?.scores[metric] ?? null).toBe(scores[metric] ?? null);
        expect(ours?.by?.["MBin+subtitles"]).toEqual({
          category: scores["MBin+subtitles by category"],
          length: scores["MBin+subtitles by length"],
        });
      }
  });
});
