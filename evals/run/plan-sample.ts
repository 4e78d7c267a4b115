import { type CallEstimate, estimateCalls, isRecognition } from "../../graphs/estimate-calls.ts";
import { planChoice, planOrdering } from "../../graphs/plan.ts";
import type { PlannedStage } from "../../graphs/planned-stages.ts";
import type { Prices } from "../../src/models/prices.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { EvalSettings } from "./eval-settings.ts";
import { isOverEvidence } from "./gold-arm.ts";
import type { PlannedVideo } from "./planned-videos.ts";

/** Over given evidence a search is one call. */
const ANSWER_OVER_EVIDENCE = {
  stage: "answer",
  what: "the answer from the evidence",
  calls: 1,
  exact: true,
  frames: 0,
  video_s: 0,
  sound_s: 0,
} as const satisfies PlannedStage;

/** Plans one sample, asked once. */
export function planSample(
  sample: Sample,
  { probe, parts }: Partial<PlannedVideo> = {},
  { settings, descriptions, gold }: EvalSettings,
  prices: Prices,
): CallEstimate {
  const duration_s = probe?.duration_s ?? null;
  const stages =
    sample.task === "order"
      ? planOrdering(settings, sample.answer.length, duration_s)
      : planChoice(settings, duration_s, parts);
  const over = isOverEvidence(gold);
  const made = stages
    .filter((planned) => !(isRecognition(planned) && (descriptions === "gold" || over)))
    .map((planned) => (over && planned.stage === "search" ? ANSWER_OVER_EVIDENCE : planned));
  return estimateCalls(made, { settings, task: sample.task, probe }, prices);
}
