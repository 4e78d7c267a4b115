export { type Attributed, type AttributionOptions, attributeStages } from "../evals/attribution.ts";
export { resumeAttribution, startAttribution } from "../evals/attribution-folder.ts";
export { buildVcrbench } from "../evals/build-vcrbench/build.ts";
export { type Comparison, compareResults } from "../evals/compare.ts";
export {
  type EvidenceTest,
  readTest as readEvidenceTest,
} from "../evals/evidence-test/test-log.ts";
export { testEvidence } from "../evals/evidence-test.ts";
export { type Agreement, judgeAgreement } from "../evals/judges/agreement.ts";
export { type JudgeOptions, judgeResults } from "../evals/judges/judge-run.ts";
export { type JudgeSummary, summarise as summariseJudging } from "../evals/judges/summary.ts";
export {
  type Cell as SimulationCell,
  LIST_NOISE,
  type Row as SimulationRow,
  simulate as simulateOrdering,
} from "../evals/ordering-simulation.ts";
export { planRun, type RunPlan } from "../evals/plan-run.ts";
export { type Results, readResults } from "../evals/read-results.ts";
export { makeReport } from "../evals/report.ts";
export { type RunEnd, type RunOptions, resumeRun, startRun } from "../evals/run.ts";
export { type RunScore, scoreResults } from "../evals/score-run.ts";
export { planSweep, resumeSweep, type SweepEnd, startSweep } from "../evals/sweep.ts";
export { readSweep, type Sweep } from "../evals/sweep-settings.ts";
export { type Asked, type Asking, type AskOptions, ask } from "../graphs/ask.ts";
export { createContext, type GraphContext } from "../graphs/context.ts";
export { evidenceSearch, evidenceSearchGraph } from "../graphs/evidence-search.ts";
export { type IndexSpec, indexVideo } from "../graphs/index-video.ts";
export { videoQa, videoQaGraph } from "../graphs/video-qa.ts";
export { type CompareSpec, compareSheet } from "../tools/compare-frames.ts";
export { type SampleSpec, sampleFrames } from "../tools/frames.ts";
export { fuseRanks, hybridSearch } from "../tools/hybrid-search.ts";
export { closeOcr } from "../tools/ocr.ts";
export { type OverviewSpec, overviewSheets } from "../tools/overview.ts";
export { type ReadTextSpec, readText } from "../tools/read-text.ts";
export { type ReadTextAtSpec, readTextAt } from "../tools/read-text-at.ts";
export { type SearchFilters, type SearchHit, searchEvidence } from "../tools/search.ts";
export { detectShots, type Shot } from "../tools/shots.ts";
export { readSubtitles, type SubtitleOptions, type Subtitles } from "../tools/subtitles.ts";
export { type TimeWords, timeWords } from "../tools/time-words.ts";
export { findTitleCards, type TitleCards } from "../tools/title-cards.ts";
export { type TranscribeSpec, transcribe } from "../tools/transcribe.ts";
export { openVideo, type Video } from "../tools/video.ts";
export { framesAt, type TimesSpec, type ViewSpec, viewFrames } from "../tools/view-frames.ts";
export { type Zoomed, type ZoomSpec, zoomCrop } from "../tools/zoom.ts";
export type { Store } from "./core/contracts.ts";
export { Failure, type FailureKind, isFailure } from "./core/errors.ts";
export type { Event } from "./core/events.ts";
export { readSettings, type Settings } from "./core/settings.ts";
export type {
  Answer,
  Evidence,
  EvidenceSet,
  FrameRef,
  Question,
  Usage,
} from "./core/shapes.ts";
export type { Work } from "./core/work.ts";
export { type AudioSpec, type ClipSpec, cutClip, extractAudio } from "./media/cut.ts";
export { type Probe, probe } from "./media/probe.ts";
export { reportPage } from "./pages/report.ts";
export type { ReportData } from "./pages/report-data.ts";
export { openStore } from "./storage/open.ts";
