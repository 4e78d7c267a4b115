/* For benchmarks, scorers and judges of users. */

export type { DataFolder, MediaFolders, Row } from "../../../evals/benchmarks/data-files.ts";
export { isRow, openDataFolder, readRows } from "../../../evals/benchmarks/data-files.ts";
export type {
  AnswerReading,
  Benchmark,
  BenchmarkDefinition,
  ReleasedReply,
  RunScores,
  Subset,
} from "../../../evals/benchmarks/define-benchmark.ts";
export { benchmarks, defineBenchmark } from "../../../evals/benchmarks/define-benchmark.ts";
export type { LoadContext } from "../../../evals/benchmarks/load-rows.ts";
export { loadRows, unreadable, videoOf } from "../../../evals/benchmarks/load-rows.ts";
export { readOptions } from "../../../evals/benchmarks/options.ts";
export type {
  Aspect,
  CertificateFacts,
  Verdict,
} from "../../../evals/benchmarks/protocols/aspect.ts";
export type {
  ProtocolModel,
  PublishedExtractor,
  PublishedProtocol,
  Stated,
  Wants,
} from "../../../evals/benchmarks/protocols/protocol.ts";
export type {
  PromptPlace,
  ReleasedPrompt,
  ReleasedText,
} from "../../../evals/benchmarks/protocols/released-prompt.ts";
export type {
  RecordedReply,
  ResponseFile,
  ResponseFormat,
} from "../../../evals/benchmarks/response-format.ts";
export type { BenchmarkData, LoadOptions, Note, Sample } from "../../../evals/benchmarks/sample.ts";
export type {
  Denominators,
  Extraction,
  Extractor,
  ExtractorOptions,
  OfficialScores,
  ScoredQuestion,
  ScoredReply,
} from "../../../evals/benchmarks/scored-reply.ts";
export { soundAnswer } from "../../../evals/benchmarks/sound-answer.ts";
export { namesForeignLetter, soundLetter } from "../../../evals/benchmarks/sound-letter.ts";
export type { AgreementInput, KappaInterval } from "../../../evals/judges/agreement.ts";
export type { OfRun } from "../../../evals/judges/define-judge.ts";
export { judges } from "../../../evals/judges/define-judge.ts";
export type {
  Candidate,
  PeopleLabels,
  Subject,
  SummaryOptions,
} from "../../../evals/judges/judge.ts";
export { optionLines, rightOption } from "../../../evals/judges/judge.ts";
export type { JudgeInput } from "../../../evals/judges/judge-settings.ts";
export type { Judged, JudgedReply } from "../../../evals/judges/judged-replies.ts";
export { judgedReplies } from "../../../evals/judges/judged-replies.ts";
export type { JudgementLine, Judging, JudgingHeader } from "../../../evals/judges/judging.ts";
export type { Kappa } from "../../../evals/judges/kappa.ts";
export type { Reading } from "../../../evals/judges/reading.ts";
export { readObject } from "../../../evals/judges/reading.ts";
export type { Scorers } from "../../../evals/scorers/choose-scorers.ts";
export type { AnswerScore, Scorer } from "../../../evals/scorers/define-scorer.ts";
export { defineScorer, scorers } from "../../../evals/scorers/define-scorer.ts";
export type { GradedReply, GradeReport, Grades } from "../../../evals/scorers/grading.ts";
export { references } from "../../../evals/scorers/references.ts";
export { finalLetter } from "../../../graphs/replies/choice/final-letter.ts";
export { withoutReasoning } from "../../../graphs/replies/reasoning.ts";
export { finalPart } from "../../../graphs/replies/visible-reply.ts";
