/* For providers of users, and for programs that call models through the same path: stored replies, retries, limits, cost. */

export type {
  DefinedPrompt,
  PromptName,
  PromptVariables,
  PromptWith,
} from "../../../prompts/catalogue.ts";
export { definePrompt } from "../../../prompts/catalogue.ts";
export { inlinePrompt } from "../../../prompts/inline-prompt.ts";
export type { Prompts, PromptWording, Rendered } from "../../../prompts/load-prompts.ts";
export { loadPrompts } from "../../../prompts/load-prompts.ts";
export { quoteData } from "../../../prompts/quote-data.ts";
export type { Waiting } from "../../core/calls-in-flight.ts";
export type { Budget, Ledger, Reservation, Spend } from "../../core/ledger.ts";
export { createLedger, NO_BUDGET } from "../../core/ledger.ts";
export type { Reserved, SpendingCap } from "../../core/spending-cap.ts";
export { createSpendingCap } from "../../core/spending-cap.ts";
export type { AttemptReply, Client, MediaSource, Trouble } from "../../models/attempt.ts";
export { AttemptError, retryAfterSeconds, unusable } from "../../models/attempt.ts";
export type { BatchApi, BatchResult, RemoteBatch } from "../../models/batch/batch-api.ts";
export type { Batches, BatchProgress } from "../../models/batch/batches.ts";
export type {
  Call,
  CallResult,
  ChatReply,
  ChatRequest,
  Finish,
  Medium,
  Message,
  Models,
  Part,
  ProviderContent,
  ShownFrame,
  TokenCount,
  ToolCall,
  ToolSpec,
} from "../../models/chat.ts";
export type {
  EmbeddingsReply,
  Price,
  ProviderDefinition,
  RequestLimits,
  SettingProblem,
} from "../../models/define-provider.ts";
export { defineProvider, providers } from "../../models/define-provider.ts";
export type {
  EmbedAbout,
  Embeddings,
  EmbeddingsOptions,
  EmbedResult,
  Vector,
} from "../../models/embeddings.ts";
export { createEmbeddings } from "../../models/embeddings.ts";
export type { PictureStore } from "../../models/from-langchain.ts";
export { argumentsObject, functionTool, jsonOrText } from "../../models/json.ts";
export type { PiecedBody, SentBody } from "../../models/media-body.ts";
export type { MediaRules } from "../../models/media-support.ts";
export { NO_MEDIA } from "../../models/media-support.ts";
export type { Exchange, KeepRequest, ModelsOptions } from "../../models/models.ts";
export { type CallBatches, createModels } from "../../models/models.ts";
export type { Patience } from "../../models/patience.ts";
export { postOnce } from "../../models/post.ts";
export type { Prices } from "../../models/prices.ts";
export type { RemoteFileApi, RemoteFileState, Sending, Upload } from "../../models/remote-files.ts";
export type {
  RoutedCallOptions,
  RoutedChatModel,
  RoutedChatOptions,
} from "../../models/routed-chat-model.ts";
export type { Address, Target } from "../../models/server.ts";
export type {
  SpokenSegment,
  SpokenWord,
  TranscriptionReply,
  TranscriptionRequest,
} from "../../models/speech.ts";
export type { ReportedTokens } from "../../models/tokens.ts";
