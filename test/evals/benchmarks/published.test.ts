import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { benchmarkNamed } from "../../../evals/benchmarks/define-benchmark.ts";
import { modelsNamed } from "../../../evals/benchmarks/protocols/model-name.ts";
import {
  type Published,
  type PublishedRow,
  publishedResults,
} from "../../../evals/benchmarks/published.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";

const publishedOf = (name: string) => publishedResults(benchmarkNamed(name)) as Published;

test("each benchmark's numbers are valid, name their paper, and have unique rows", () => {
  for (const [benchmark, source] of [
    ["vcrbench", "arXiv:2505.08455"],
    ["mmr-v", "arXiv:2506.04141"],
    ["videomathqa", "arXiv:2506.05349"],
  ] as const) {
    const published = publishedOf(benchmark);
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

test("later results have their own source, date, mode and frames", () => {
  const of = (model: string) =>
    publishedOf("mmr-v").rows.filter((row) => row.model === model && row.source !== undefined);
  expect(of("Gemini-2.5-Pro")).toMatchObject([
    { scores: { accuracy: 64.3 }, source: expect.stringContaining("openreview.net"), frames: null },
  ]);
  expect(of("Conan-7B")).toMatchObject([{ scores: { accuracy: 42.7 }, date: "2025-10" }]);
  expect(of("Video-HopChain-8B")).toMatchObject([
    { scores: { accuracy: 46.6 }, source: "arXiv:2609.25773", frames: "100", date: "2026-09" },
  ]);
  const mini = publishedOf("mmr-v").rows.find((row) => row.model === "o4-mini");
  expect(mini).toMatchObject({ arm: "direct", scores: { accuracy: 52.5 }, frames: "32" });
});

test("the frames of a result are those of the protocol's table for its model", () => {
  for (const benchmark of ["vcrbench", "mmr-v", "videomathqa"] as const) {
    const { models } = benchmarkNamed(benchmark).protocol;
    for (const { model, frames, source } of publishedOf(benchmark).rows) {
      const entries = source === undefined ? modelsNamed(models, model) : [];
      const stated = entries.flatMap(({ wants: { sampler, frames: wanted, fps } }) => {
        if (sampler?.value === "fps") return [`${fps?.value} fps`];
        return wanted?.value == null ? [] : [String(wanted.value)];
      });
      if (stated.length > 0)
        expect(
          stated.some((value) => frames?.includes(value)),
          `${benchmark} ${model}`,
        ).toBe(true);
    }
  }
});

test("the best RRD arm of the paper", () => {
  const row = publishedOf("vcrbench").rows.find(
    (item) => item.arm === "rrd, recognition sequential, reasoning all-at-once",
  );
  expect(row).toMatchObject({
    model: "Qwen2.5-VL-72B",
    scores: { avg_accuracy: 54.2, avg_step_accuracy: 65.1 },
    by: { avg_accuracy: { steps: { "3": 64.3, "7": 33.3 } } },
  });
});

describeShared("the numbers given", () => {
  test("no number is missing or changed", async () => {
    const given = JSON.parse(await readFile(sharedFile("published_results.json"), "utf8"));
    const row = (
      benchmark: "vcrbench" | "mmr-v" | "videomathqa",
      model: string,
      arm: string,
    ): PublishedRow | undefined =>
      publishedOf(benchmark).rows.find((item) => item.model === model && item.arm === arm);
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
