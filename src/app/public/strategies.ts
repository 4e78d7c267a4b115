/* For strategies and tools of users: what a strategy is given, and the steps that those of this package are made of. */

export type { AnswerFormat, AnswerPrompt, QuestionKind } from "../../../graphs/answer-formats.ts";
export type { QuestionSetup } from "../../../graphs/answer-prompts.ts";
export { type AskInStore, askInStore } from "../../../graphs/ask.ts";
export type { SampleAnswer } from "../../../graphs/ask-samples.ts";
export { askSamples, type SampledAskResult, voteOf } from "../../../graphs/ask-samples.ts";
export type { AskGiven, StrategyAnswer } from "../../../graphs/context.ts";
export type { ContextParts } from "../../../graphs/create-context.ts";
export type {
  Approach,
  Shows,
  StrategyFacts,
  StrategyGraph,
  StrategyInput,
  StrategyRegistry,
} from "../../../graphs/define-strategy.ts";
export type { Outcome, Segment } from "../../../graphs/outcome.ts";
export type {
  PlannedQuestion,
  PlannedStage,
  ShownAmount,
  StagePlan,
} from "../../../graphs/planned-stages.ts";
export { readQuestion } from "../../../graphs/read-question.ts";
export {
  CALLS_MODEL,
  DECOMPOSES,
  SAMPLES_VIDEO,
  SENDS_FRAMES,
  SENDS_VIDEO,
} from "../../../graphs/settings-read.ts";
export { outcomeOfCall } from "../../../graphs/stages/answer.ts";
export { callModel, images, type StageRequest } from "../../../graphs/stages/call-model.ts";
export { framesToSend, wholeVideoSpec } from "../../../graphs/stages/frames.ts";
export { questionPrompt } from "../../../graphs/stages/question-prompts.ts";
export type { VideoToolsMembers } from "../../../graphs/toolbox/video-tools.ts";
export { majorityVote } from "../../core/vote.ts";
