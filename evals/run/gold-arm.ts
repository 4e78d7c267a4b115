import { z } from "zod";
import { EVIDENCE_STAGES } from "../../graphs/evidence-stages.ts";
import type { Sample } from "../benchmarks/sample.ts";

/*
 * An arm of an attribution is a run that reasons over the evidence of another run, in which gold takes the place of what
 * some stages recognised. All its runs are in one folder, with the gold in `gold.json`.
 */

export const GoldArm = z.strictObject({
  /** The samples of the attribution. */
  samples: z.array(z.string()).min(1),
  /** Name of the run whose evidence is given; null: this run recognises. */
  over: z.string().nullable(),
  /** Name of the run in which the stronger model recognised. */
  oracle: z.string().nullable(),
  /** The stages that are made right. */
  stages: z.array(z.enum(EVIDENCE_STAGES)),
  /** Hash of the gold of these stages and the model that wrote it; older runs have none. */
  gold_hash: z.string().optional(),
});
export type GoldArm = z.infer<typeof GoldArm>;

/** Whether a run reasons over evidence that another run recognised. */
export function isOverEvidence(arm: GoldArm | null | undefined): boolean {
  return arm?.over != null;
}

/** The samples of an arm; all of them for any other run. */
export function samplesOfArm(samples: Sample[], arm: GoldArm | null | undefined): Sample[] {
  if (arm == null) return samples;
  const ids = new Set(arm.samples);
  return samples.filter(({ id }) => ids.has(id));
}
