import type { EvidenceStage } from "../../graphs/evidence-stages.ts";
import type { Note } from "../benchmarks/sample.ts";
import type { MetricName } from "../score/metrics.ts";
import type { OutcomeTable } from "./outcome-table.ts";
import type { FailedSample } from "./outcomes.ts";
import type { StoppedSample } from "./stopped-samples.ts";

/** A sample that is left out, and the stages for which it has no gold. */
export interface MissingGold {
  sample: string;
  lacks: EvidenceStage[];
}

/** Where the gold of a stage comes from. */
export interface StageGold {
  stage: EvidenceStage;
  /** Number of samples by source: `sidecars`, `step names`, `the data`, or the stronger model. */
  from: Record<string, number>;
}

/** The scores of every combination of stages made right, and what they were measured on. */
export interface AttributedRuns {
  benchmark: string;
  strategy: string;
  /** `provider:model`; null if the strategy asks none. */
  recogniser: string | null;
  reasoner: string | null;
  metric: MetricName;
  extractor: string;
  seed: number;
  /** The stronger model that the results are relative to; null: no gold is of a model. */
  relative_to: string | null;
  gold: StageGold[];
  without_gold: MissingGold[];
  /** Samples without a result in one of the runs; they are in no figure. */
  failed: FailedSample[];
  /**
   * Samples that a budget left without an answer in one of the runs; they are in no figure. Missing in results of earlier
   * versions, which count them as wrong.
   */
  stopped?: StoppedSample[];
  /** Number of samples in the figures that were answered after a budget had refused a call; missing in earlier versions. */
  at_limit?: number;
  notes: Note[];
  table: OutcomeTable;
}
