import { z } from "zod";
import type { Benchmark } from "./define-benchmark.ts";

/* What the papers report, as facts. Our results are listed with them only for runs that follow their protocol. */

const Scores = z.record(z.string(), z.number());

const PublishedRow = z.strictObject({
  model: z.string(),
  /** The model's dated or longer name, if a table gives one. */
  version: z.string().optional(),
  /** How it was asked: `direct`, `direct, cot`, `rrd, recognition ..., reasoning ...`. */
  arm: z.string(),
  /** Table of the paper. */
  where: z.string(),
  /** `32`, `1 fps`; null: not stated. */
  frames: z.string().nullable(),
  /** Source of a result that was published elsewhere than the rest. */
  source: z.string().optional(),
  /** When that was published. */
  date: z.string().optional(),
  scores: Scores,
  /** Metric -> kind of group -> group -> score. */
  by: z.record(z.string(), z.record(z.string(), Scores)).optional(),
  note: z.string().optional(),
});
export type PublishedRow = z.infer<typeof PublishedRow>;

const Published = z.strictObject({
  benchmark: z.string(),
  /** Where all of it was published, unless a row says otherwise. */
  source: z.string(),
  date: z.string(),
  unit: z.string(),
  /** What each metric counts. */
  metrics: z.record(z.string(), z.string()),
  rows: z.array(PublishedRow),
  errors: z
    .array(
      z.strictObject({ model: z.string(), where: z.string(), shares: Scores, note: z.string() }),
    )
    .optional(),
  notes: z.array(z.string()),
});
export type Published = z.infer<typeof Published>;

/** The published results of a benchmark, validated when they are read; null: nothing is known of them. */
export function publishedResults({ published }: Pick<Benchmark, "published">): Published | null {
  return published === null ? null : Published.parse(published);
}
