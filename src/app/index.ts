import "./registry.ts";

export {
  type AttributionOptions,
  type AttributionResult,
  attributeStages,
} from "../../evals/attribution/attribution.ts";
export { resumeAttribution, startAttribution } from "../../evals/attribution/folder.ts";
export {
  type GoldAttribution,
  type GoldAttributionOptions,
  type GoldAttributionPlan,
  planGoldAttribution,
  resumeGoldAttribution,
  startGoldAttribution,
} from "../../evals/attribution/gold-attribution.ts";
export {
  type CalibrationStudy,
  studyCalibration,
} from "../../evals/calibration/calibration-study.ts";
export { type Comparison, compareResults } from "../../evals/compare/compare.ts";
export {
  type ComparisonPlan,
  type PlanOptions,
  planFromAssumptions,
  planFromPilot,
} from "../../evals/compare/plan-comparison.ts";
export { buildVcrbench } from "../../evals/datasets/build-vcrbench/build.ts";
export { testEvidence } from "../../evals/evidence-test/evidence-test.ts";
export {
  type EvidenceTest,
  readTest as readEvidenceTest,
} from "../../evals/evidence-test/test-log.ts";
export { studyFrontier } from "../../evals/frontier/frontier.ts";
export { type Agreement, judgeAgreement } from "../../evals/judges/agreement.ts";
export { defineJudge, type JudgeDefinition } from "../../evals/judges/define-judge.ts";
export type { Judge } from "../../evals/judges/judge.ts";
export { type JudgeOptions, judgeResults } from "../../evals/judges/judge-run.ts";
export { summarise as summariseJudging } from "../../evals/judges/summary.ts";
export {
  type Cell as SimulationCell,
  LIST_NOISE,
  type Row as SimulationRow,
  simulate as simulateOrdering,
} from "../../evals/ordering-simulation/simulate.ts";
export {
  definePerturbation,
  type Perturbation,
  perturbations,
} from "../../evals/perturbation/define-perturbation.ts";
export { type Perturbed, perturb, type Recognised } from "../../evals/perturbation/perturb.ts";
export { perturbRun } from "../../evals/propagation/perturb-run.ts";
export { studyPropagation } from "../../evals/propagation/propagation.ts";
export type { PropagationStudy } from "../../evals/propagation/summary.ts";
export { makeReport } from "../../evals/report/report.ts";
export type { Bottleneck, HoursBasis, HoursPlan, Origin } from "../../evals/run/estimate-hours.ts";
export type { HoursAsked } from "../../evals/run/hours-basis.ts";
export { planRun, type RunPlan } from "../../evals/run/plan-run.ts";
export { type RunEnd, type RunOptions, resumeRun, startRun } from "../../evals/run/run.ts";
export { type GradeOptions, withGrades } from "../../evals/score/grade-replies.ts";
export { type Results, readResults } from "../../evals/score/read-results.ts";
export { type RunScore, scoreResults } from "../../evals/score/score-run.ts";
export { type PresetOptions, readPreset } from "../../evals/sweep/read-preset.ts";
export { planSweep, resumeSweep, type SweepEnd, startSweep } from "../../evals/sweep/sweep.ts";
export { readSweep, type Sweep } from "../../evals/sweep/sweep-settings.ts";
export { evidenceSearch, evidenceSearchGraph } from "../../graphs/agent/graph.ts";
export { type AskOptions, type AskResult, ask } from "../../graphs/ask.ts";
export { type AskGraphOptions, askGraph } from "../../graphs/ask-graph.ts";
export type { GraphContext } from "../../graphs/context.ts";
export { createContext } from "../../graphs/create-context.ts";
export {
  defineStrategy,
  type StrategyDefinition,
  strategies,
} from "../../graphs/define-strategy.ts";
export { type IndexSpec, indexVideo } from "../../graphs/index-video.ts";
export type { QuestionInput } from "../../graphs/read-question.ts";
export type { EventReplay } from "../../graphs/replay-events.ts";
export { videoQa, videoQaGraph } from "../../graphs/rrd/graph.ts";
export type { Review } from "../../graphs/stages/review/review.ts";
export {
  type VideoTools,
  type VideoToolsOptions,
  videoTools,
} from "../../graphs/toolbox/video-tools.ts";
export { ASK_WORDING, type Wording } from "../../graphs/wording.ts";
export { defineTool, type ToolDefinition, tools } from "../../tools/agent/define-tool.ts";
export type { ToolContext, ToolResult } from "../../tools/agent/tool-context.ts";
export { fuseRanks, hybridSearch } from "../../tools/search/hybrid-search.ts";
export {
  type SearchFilters,
  type SearchHit,
  searchEvidence,
} from "../../tools/search/keyword-search.ts";
export { type TimeExpressions, timeExpressions } from "../../tools/search/time-expressions.ts";
export type { CueReading } from "../../tools/speech/subtitles/read-source.ts";
export {
  readSubtitles,
  type SubtitleOptions,
  type Subtitles,
} from "../../tools/speech/subtitles.ts";
export { transcribe } from "../../tools/speech/transcribe.ts";
export { closeOcr } from "../../tools/text/close-ocr.ts";
export { type ReadTextSpec, readText } from "../../tools/text/read-text.ts";
export { type ReadTextAtSpec, readTextAt } from "../../tools/text/read-text-at.ts";
export { type CompareSpec, compareSheet } from "../../tools/video/compare-frames.ts";
export type { DerivedStore } from "../../tools/video/derived-files.ts";
export { type SampleSpec, sampleFrames } from "../../tools/video/frames.ts";
export { type OverviewSpec, overviewSheets } from "../../tools/video/overview.ts";
export { detectShots, type Shot } from "../../tools/video/shots.ts";
export { findTitleCards, type TitleCards } from "../../tools/video/title-cards.ts";
export { openVideo, type Video } from "../../tools/video/video.ts";
export {
  framesAt,
  type TimesSpec,
  type ViewSpec,
  viewFrames,
} from "../../tools/video/view-frames.ts";
export { type ZoomResult, type ZoomSpec, zoomCrop } from "../../tools/video/zoom.ts";
export type { Store } from "../core/contracts.ts";
export { Failure, type FailureKind, isFailure } from "../core/errors.ts";
export type { Event } from "../core/events.ts";
export type { IdempotentRequest, IdempotentRequests } from "../core/idempotency.ts";
export type { JobContext } from "../core/job-context.ts";
export { readSettings, type Settings } from "../core/settings.ts";
export type {
  Answer,
  Evidence,
  EvidenceSet,
  FrameRef,
  Moment,
  Question,
  Usage,
} from "../core/shapes.ts";
export { type AudioSpec, type ClipSpec, cutClip, extractAudio } from "../media/cut.ts";
export { type Probe, probe } from "../media/probe.ts";
export { reportPage } from "../pages/report.ts";
export type { ReportData } from "../pages/report-data.ts";
export { type BackupOptions, type BackupResult, backUp } from "../storage/backup/back-up.ts";
export type { CopyMode } from "../storage/backup/copy-file.ts";
export type { Manifest } from "../storage/backup/manifest.ts";
export { restoreBackup } from "../storage/backup/restore.ts";
export { openStore } from "../storage/open.ts";
export { withPrivateTraces } from "../tracing/private-langsmith.ts";
export { type LoadedModule, loadModule } from "./load-module.ts";
export * from "./public/benchmarks.ts";
export * from "./public/models.ts";
export * from "./public/results.ts";
export * from "./public/shapes.ts";
export * from "./public/strategies.ts";
export { verifyWebhook } from "./service/webhook-signature.ts";
