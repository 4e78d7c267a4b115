/* Evidence, settings and usage, which everything else is made of. */

export type { FrameCost, Need } from "../../../tools/agent/define-tool.ts";
export type { HybridTools } from "../../../tools/search/hybrid-search.ts";
export type { TimeAnchor } from "../../../tools/search/time-expressions/event-anchors.ts";
export type { TimeRange } from "../../../tools/search/time-expressions.ts";
export type { HeardSpeech } from "../../../tools/speech/hear-speech.ts";
export type { Cue } from "../../../tools/speech/subtitles/cue.ts";
export type { SubtitleFormat } from "../../../tools/speech/subtitles/parse-subtitles.ts";
export type { SubtitleSource } from "../../../tools/speech/subtitles/read-source.ts";
export type {
  SoundRange,
  SoundTrack,
  Transcriber,
  Transcript,
} from "../../../tools/speech/transcriber.ts";
export type { Sheet } from "../../../tools/video/contact-sheet.ts";
export type { SampleOptions } from "../../../tools/video/frames.ts";
export type { TitleCard } from "../../../tools/video/title-cards/find-cards.ts";
export type { Clip } from "../../../tools/video/title-cards.ts";
export type {
  AuditAction,
  AuditEntry,
  AuditFilter,
  AuditLog,
  NewAuditEntry,
} from "../../core/audit.ts";
export type {
  Blobs,
  Catalogue,
  Claims,
  DamagedRow,
  DerivedSize,
  EditedSets,
  Events,
  KeyRow,
  Memo,
  MemoStep,
  QuestionRow,
  RemoteFile,
  RemoteFiles,
  RunHeader,
  RunResults,
  RunSample,
  ServiceStore,
  UnownedBlobs,
  UploadRow,
  VideoFile,
  VideoFiles,
} from "../../core/contracts.ts";
export type { DeclaredSetting, DeclaredSettings } from "../../core/declared-settings.ts";
export type { CallRecord, Emit, EventBody, RetriedRequests, Role } from "../../core/events.ts";
export { totalUsage, usageByStage } from "../../core/events.ts";
export type { EvidenceNames } from "../../core/evidence.ts";
export {
  evidenceNames,
  makeEvidence,
  makeEvidenceSet,
  numberEvidence,
} from "../../core/evidence.ts";
export type { IdempotentRequest, IdempotentRequests } from "../../core/idempotency.ts";
export type {
  LibraryHit,
  LibraryIndex,
  LibraryKind,
  LibraryPage,
  LibraryPosition,
  LibrarySearch,
  LibraryText,
  StaleVideo,
  TextPosition,
  VideoTextPage,
  VideoTexts,
} from "../../core/library/library-index.ts";
export type { LibraryTerm } from "../../core/library/library-query.ts";
export { type LibraryMatch, searchLibrary } from "../../core/library/search-library.ts";
export type { OrderingDiagnostics } from "../../core/ordering.ts";
export type { RateMoment, RateTable } from "../../core/rate-table.ts";
export type { RatingFilter, RatingProgress, RatingRow, Ratings } from "../../core/ratings.ts";
export type { Definition, DefinitionKind, Registry } from "../../core/registry.ts";
export type {
  ClaimedQuestion,
  QuestionControl,
  Replica,
  ReplicaFiles,
  ReplicaRole,
  Replicas,
  ServiceChange,
  Sessions,
  SharedReviewLeases,
} from "../../core/replicas.ts";
export type {
  ListedUpload,
  ListPage,
  ListPosition,
  PageRequest,
  QuestionFilter,
  ServiceLists,
  UploadFilter,
} from "../../core/service-lists.ts";
export type { Setting } from "../../core/settings/list-settings.ts";
export type { VideoSampling } from "../../core/settings/recognition.ts";
export type { ResolvedSettings } from "../../core/settings/resolve.ts";
export type { ReplyLimits } from "../../core/settings/runtime.ts";
export type { SettingPath, SettingsInput, SettingValue } from "../../core/settings/schema.ts";
export type { WordingDefaults } from "../../core/settings/setting-meta.ts";
export type { SettingGroup, SettingsReader, TaskDefaults } from "../../core/settings/strategies.ts";
export {
  listSettings,
  ownSettings,
  resolveSettings,
  settingMeta,
  settingsHash,
  valueAt,
} from "../../core/settings.ts";
export type { Box, EvidenceKind, Limit, Option, Score, Task } from "../../core/shapes.ts";
export { addUsage, NO_USAGE } from "../../core/shapes.ts";
export type {
  NewWorker,
  SharedRun,
  SharedRunProgress,
  SharedRuns,
  SharedTask,
  TakenTask,
  WorkerInfo,
  WorkerSession,
  WorkerStage,
  WorkerTiming,
} from "../../core/shared-runs.ts";
export type {
  NamedAccount,
  SpendingAccount,
  SpendingAccounts,
  SpendingHold,
} from "../../core/spending-accounts.ts";
export type {
  UsageAmounts,
  UsageEntry,
  UsageGroup,
  UsageLedger,
  UsageSum,
} from "../../core/usage-ledger.ts";
export type { Ballot, VoteResult } from "../../core/vote.ts";
export type { WebhookDelivery, WebhookEvent, WebhookQueue } from "../../core/webhook-queue.ts";
export type { AudioStream, SubtitleStream } from "../../media/container-header.ts";
export type { VideoStream } from "../../media/probe.ts";
export type { BlobPlace } from "../../storage/blobs/blob-place.ts";
