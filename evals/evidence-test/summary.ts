import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { meanOverQuestions } from "../statistics/mean-over-samples.ts";
import type { Mean } from "../statistics/statistics.ts";
import { overlapOf } from "./overlap.ts";
import type { EvidenceTest, TestLine } from "./test-log.ts";

/**
 * Means over questions with 95 % intervals clustered by video; null without any. A question counts once, with the mean over
 * its results: of several epochs, and of all its pairs.
 */
export interface EvidenceTestScore {
  status: EvidenceTest["status"];
  /** Answered results that were asked again. */
  tested: number;
  /** Answered results that cite nothing: there was nothing to test. */
  citing_nothing: number;
  failed: number;
  /** Share whose answer stays where all the evidence is there: what the next two are to be held against. */
  stability: Mean | null;
  /** Share whose answer stays the same from only the cited evidence. */
  sufficiency: Mean | null;
  /** Share whose answer changes, or goes, without the cited evidence. */
  necessity: Mean | null;
  /** Where the data know the evidence's place; null where they do not. */
  overlap: { recall: Mean | null; precision: Mean | null; iou: Mean | null } | null;
}

export function summarise(
  test: EvidenceTest,
  samples: readonly Sample[],
  benchmark: Benchmark,
): EvidenceTestScore {
  const byId = new Map(samples.map((sample) => [sample.id, sample]));
  const good = test.lines.filter((line) => line.error === undefined && byId.has(line.sample));
  const tested = good.filter((line) => line.again !== null);
  const mean = (of: (line: TestLine, sample: Sample) => number | null, lines = tested) =>
    meanOverQuestions(
      lines.map((line) => {
        const sample = byId.get(line.sample) as Sample;
        return { sample, value: of(line, sample) };
      }),
      benchmark,
    );
  const placed = good.filter((line) => (byId.get(line.sample)?.evidence_s ?? []).length > 0);
  const overlap = (what: "recall" | "precision" | "iou") =>
    mean(
      (line, sample) => overlapOf(line.cited_s, sample.evidence_s ?? [])?.[what] ?? null,
      placed,
    );
  return {
    status: test.status,
    tested: tested.length,
    citing_nothing: good.length - tested.length,
    failed: test.lines.filter((line) => line.error !== undefined && byId.has(line.sample)).length,
    stability: mean(({ again }) => (again === null ? null : Number(again.all.same))),
    sufficiency: mean(({ again }) => (again === null ? null : Number(again.cited.same))),
    necessity: mean(({ again }) => (again === null ? null : Number(!again.rest.same))),
    overlap:
      placed.length === 0
        ? null
        : { recall: overlap("recall"), precision: overlap("precision"), iou: overlap("iou") },
  };
}
