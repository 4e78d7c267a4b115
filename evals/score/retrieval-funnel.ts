import type { Sample } from "../benchmarks/sample.ts";
import { type Overlap, overlapOf, type Span } from "../evidence-test/overlap.ts";
import type { EvidenceTrail, TrailItem } from "../run/run-line.ts";
import { meanOverSamples } from "../statistics/mean-over-samples.ts";
import type { Mean } from "../statistics/statistics.ts";
import type { Results } from "./read-results.ts";

/*
 * Shows at which stage evidence is lost, for data with known evidence spans:
 *
 *   indexed -> retrieved -> shown -> cited
 *
 * Computed only from the `trail` of each line of `samples.jsonl` and the `evidence_s` of its sample. An
 * item covers the video from its start to its end. A frame at t seconds, and everything shorter than 2 s, is widened to
 * 2 s around its middle: [t - 1, t + 1] (`overlapOf`, which the evidence test uses as well). Right spans are widened in
 * the same way. Calculations and comparisons are left out: they result from reasoning and have no place in the video.
 */

export const FUNNEL_STAGES = ["indexed", "retrieved", "shown", "cited"] as const;
/** A stage of the way from the video to the citation. */
export type FunnelStage = (typeof FUNNEL_STAGES)[number];

/** Means over samples, with 95 % intervals clustered by video; null if no sample has a value. */
export interface FunnelMeans {
  /** Share of the right spans that overlap an item. */
  recall: Mean | null;
  /** Share of the items that overlap a right span, over samples with at least one item. */
  precision: Mean | null;
  /** Seconds in both unions divided by seconds in either: all items of the stage, and all right spans. */
  iou: Mean | null;
}

/** How much of the gold evidence is still there after a stage. */
export interface FunnelStageScore extends FunnelMeans {
  stage: FunnelStage;
  /** Samples that have this stage: a strategy without a search has no `indexed` and no `retrieved`. */
  samples: number;
  /** Mean number of items: recognised items, frames, and segments sent as video. Each counts once, whatever its length. */
  items: number;
  /** The same for an equal number of frames at the middles of equal intervals of the video. */
  even: FunnelMeans;
}

/** Where the gold evidence is lost on the way from the video to the citation. */
export interface RetrievalFunnel {
  /** Samples with known spans and a recorded trail. */
  samples: number;
  stages: FunnelStageScore[];
}

/** The funnel of a run; null if no sample has both known spans and a recorded trail. */
export function retrievalFunnel({ said, benchmark }: Results): RetrievalFunnel | null {
  const tracked = said.flatMap(({ sample, line }) => {
    const right = sample.evidence_s ?? [];
    return right.length === 0 || line?.trail === undefined
      ? []
      : [{ sample, right, trail: line.trail }];
  });
  if (tracked.length === 0) return null;
  const stages = FUNNEL_STAGES.flatMap((stage): FunnelStageScore[] => {
    const having = tracked.flatMap(({ sample, right, trail }) => {
      const spans = spansAt(stage, trail);
      if (spans === null) return [];
      const even = evenFrames(trail.duration_s, spans.length);
      return [
        {
          sample,
          count: spans.length,
          found: overlapOf(spans, right),
          even: overlapOf(even, right),
        },
      ];
    });
    if (having.length === 0) return [];
    const means = (of: (one: (typeof having)[number]) => Overlap | null): FunnelMeans => {
      const mean = (what: keyof Overlap) =>
        meanOverSamples(
          having.map((one) => ({ sample: one.sample, value: of(one)?.[what] ?? null })),
          benchmark,
        );
      return { recall: mean("recall"), precision: mean("precision"), iou: mean("iou") };
    };
    return [
      {
        stage,
        samples: distinct(having),
        items: having.reduce((sum, { count }) => sum + count, 0) / having.length,
        ...means(({ found }) => found),
        even: means(({ even }) => even),
      },
    ];
  });
  return { samples: distinct(tracked), stages };
}

/** The spans of the items of a stage, in seconds; null if the strategy has no such stage. */
export function spansAt(stage: FunnelStage, trail: EvidenceTrail): Span[] | null {
  switch (stage) {
    case "indexed":
      return trail.indexed;
    case "retrieved":
      return trail.retrieved === null ? null : spansOf(trail.retrieved);
    case "shown":
      if (trail.shown === null) return null;
      return [
        ...spansOf(trail.shown.items),
        ...trail.shown.frames_s.map((t_s): Span => [t_s, t_s]),
        ...trail.shown.footage_s,
      ];
    case "cited":
      return spansOf(trail.cited);
  }
}

const COMPUTED = ["calculation", "comparison"];

function spansOf(items: readonly TrailItem[]): Span[] {
  return items
    .filter(({ kind }) => !COMPUTED.includes(kind))
    .map(({ start_s, end_s }): Span => [start_s, end_s]);
}

/** Spans of `count` frames at the middles of equal intervals of a video. */
function evenFrames(duration_s: number, count: number): Span[] {
  return Array.from({ length: count }, (_, place): Span => {
    const t_s = ((place + 0.5) * duration_s) / count;
    return [t_s, t_s];
  });
}

function distinct(of: readonly { sample: Sample }[]): number {
  return new Set(of.map(({ sample }) => sample.id)).size;
}
