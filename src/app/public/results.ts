/* What runs, scores, comparisons and reports consist of. */

export type {
  AttributedRuns,
  MissingGold,
  StageGold,
} from "../../../evals/attribution/attributed-runs.ts";
export type { ScatterPoint, Swap } from "../../../evals/attribution/attribution.ts";
export type { ClipTest, TestAccount } from "../../../evals/attribution/clip-test.ts";
export type { EventLine } from "../../../evals/attribution/event-log.ts";
export type { AttributionFolderOptions } from "../../../evals/attribution/folder.ts";
export type { Attribution, Share } from "../../../evals/attribution/numbers.ts";
export type { OutcomeTable } from "../../../evals/attribution/outcome-table.ts";
export type { FailedSample } from "../../../evals/attribution/outcomes.ts";
export type { GoldSources } from "../../../evals/attribution/plan-gold.ts";
export type { OrderScore, SampleStudy } from "../../../evals/attribution/sample.ts";
export type {
  Combination,
  StageAttribution,
  StageInteraction,
  StageValue,
} from "../../../evals/attribution/shapley.ts";
export type { StoppedSample } from "../../../evals/attribution/stopped-samples.ts";
export type { Calibration, SignalStudy } from "../../../evals/calibration/calibration-study.ts";
export type { Certificate } from "../../../evals/certificate/certificate.ts";
export type { Caveats } from "../../../evals/compare/caveats.ts";
export type { ComparedRun, CompareOptions, RunComparison } from "../../../evals/compare/compare.ts";
export type { Contrast } from "../../../evals/compare/contrasts.ts";
export type { Flip, Side } from "../../../evals/compare/flips.ts";
export type {
  NoFloor,
  NoiseComparison,
  NoiseFloor,
  RunCopy,
} from "../../../evals/compare/noise-floor.ts";
export type { PlannedSize } from "../../../evals/compare/plan-comparison.ts";
export type {
  AnnotatedStep,
  AnnotatedVideo,
} from "../../../evals/datasets/build-vcrbench/annotated-video.ts";
export type { BuildResult } from "../../../evals/datasets/build-vcrbench/build.ts";
export type { SwapRules } from "../../../evals/datasets/build-vcrbench/swaps.ts";
export type { BuildOptions } from "../../../evals/datasets/build-vcrbench/video-spec.ts";
export type { EvidenceTestOptions } from "../../../evals/evidence-test/evidence-test.ts";
export type { EvidenceTestScore } from "../../../evals/evidence-test/summary.ts";
export type { TestLine } from "../../../evals/evidence-test/test-log.ts";
export type { AreaArm, FrontierArea } from "../../../evals/frontier/area.ts";
export type {
  Choice,
  Frontier,
  FrontierOptions,
  FrontierPoint,
} from "../../../evals/frontier/frontier.ts";
export type { CostUnit, Spending } from "../../../evals/frontier/spending.ts";
export type { GradeRequest, Grader } from "../../../evals/graders/define-grader.ts";
export type { JudgingPlan } from "../../../evals/judges/plan-judging.ts";
export type {
  Judge as SimulatedJudge,
  SimulateOptions,
} from "../../../evals/ordering-simulation/simulate.ts";
export type { PerturbationContext } from "../../../evals/perturbation/define-perturbation.ts";
export type { GoldError, TextStage } from "../../../evals/propagation/gold-error.ts";
export type { PerturbedSample, PerturbRunOptions } from "../../../evals/propagation/perturb-run.ts";
export type { PropagationOptions } from "../../../evals/propagation/plan-propagation.ts";
export type { PropagationDemand, PropagationWork } from "../../../evals/propagation/propagation.ts";
export type { PropagationCurve, PropagationPoint } from "../../../evals/propagation/summary.ts";
export type { ReportOptions } from "../../../evals/report/run.ts";
export type { ShownOption } from "../../../evals/run/option-orders.ts";
export type { ResumeChanges } from "../../../evals/run/prepare-run.ts";
export type { RunAccount, TimeSpent } from "../../../evals/run/run-account.ts";
export type { EvalHeader } from "../../../evals/run/run-header.ts";
export type { RunLine } from "../../../evals/run/run-line.ts";
export type { RunProgress } from "../../../evals/run/run-progress.ts";
export type { ExtractorAgreement } from "../../../evals/score/extractor-agreement.ts";
export type { ExtractorChoice } from "../../../evals/score/extractor-choice.ts";
export type { StoredExtractor } from "../../../evals/score/extractor-settings.ts";
export type { MatchKind } from "../../../evals/score/match-records.ts";
export type { MatchReport } from "../../../evals/score/match-report.ts";
export type { MetricItem, MetricName } from "../../../evals/score/metrics.ts";
export type { LetterReport } from "../../../evals/score/named-letters.ts";
export type { OrderConsistency, PositionScore } from "../../../evals/score/option-positions.ts";
export type { PartialOrders } from "../../../evals/score/partial-orders.ts";
export type { ReadOptions, SampleReply } from "../../../evals/score/read-results.ts";
export type {
  FunnelMeans,
  FunnelStage,
  FunnelStageScore,
  RetrievalFunnel,
} from "../../../evals/score/retrieval-funnel.ts";
export type {
  Accuracy,
  GroupScore,
  SignRate,
  StepAccuracy,
  TaskGrades,
} from "../../../evals/score/score-run.ts";
export type { Unscored } from "../../../evals/score/scorer-choice.ts";
export type { GradedReply, GradeReport, Grades } from "../../../evals/scorers/grading.ts";
export type { ReliabilityBin, RiskCoverage } from "../../../evals/statistics/calibration.ts";
export type { Effect } from "../../../evals/statistics/mean-effect.ts";
export type { Difference, McNemar } from "../../../evals/statistics/paired-statistics.ts";
export type { PairSpread, Size } from "../../../evals/statistics/sample-size.ts";
export type { Mean } from "../../../evals/statistics/statistics.ts";
export type {
  CellJudging,
  CellJudgingPlan,
  JudgeSweepOptions,
} from "../../../evals/sweep/judge-sweep.ts";
export type { SharedCalls, SweepOptions, SweepPlan } from "../../../evals/sweep/sweep.ts";
export type { SweepCell } from "../../../evals/sweep/sweep-settings.ts";
export type { EvidenceStage } from "../../../graphs/evidence-stages.ts";
export type {
  Outcome as ReportOutcome,
  Plot,
  PlotPoint,
  ReportPart,
  ReportQuestion,
  ReportSaid,
  ReportTable,
} from "../../pages/report-data.ts";
