/* What the page reads from the service; the service's own schemas are authoritative. Seconds and hashes as in src/core/shapes.ts. */
import type { Event } from "../../core/events.ts";
import type { OrderingDiagnostics } from "../../core/ordering.ts";
import type * as shapes from "../../core/shapes.ts";

type Answer = shapes.Answer;
type EvidenceKind = shapes.EvidenceKind;
type Task = shapes.Task;
type Usage = shapes.Usage;
/** The page knows a video by its id at the service, not by the hash of its file. */
type Evidence = Omit<shapes.Evidence, "video" | "frame"> & {
  frame?: Omit<shapes.FrameRef, "video"> | undefined;
};
type Question = Omit<shapes.Question, "id" | "video">;

export type { Answer, Event, Evidence, EvidenceKind, OrderingDiagnostics, Question, Task, Usage };

/** A setting as a form shows it. */
export interface SettingView {
  path: string;
  description: string;
  kind: "boolean" | "number" | "string" | "choice";
  choices: string[] | null;
  nullable: boolean;
  default?: unknown;
  /** null: every strategy reads it. */
  strategies: string[] | null;
  /** null: the questions of every task read it. */
  tasks: Task[] | null;
}

export interface StrategyView {
  name: string;
  summary: string;
  needs_model: boolean;
  over_evidence: boolean;
}

export type KeyRole = "ask" | "review" | "operate";

export interface ServiceView {
  version: string;
  models: {
    /** Used if a question names none; null: there is no model. */
    model: string | null;
    /** null: any. */
    allowed: string[] | null;
    /** Those that a question can name. */
    strategies: string[];
    strategy: string;
    /** Why a model cannot be called, as a sentence. */
    missing: string | null;
  };
  strategies: StrategyView[];
  settings: SettingView[];
  /** `upload`, `quota`, `used`: bytes. */
  limits: { upload: number; quota: number; used: number };
  reports: boolean;
  /** `blind`: reviewers see no answer before their own. */
  reviews: { raters: number; blind: boolean };
  human_study: boolean;
  /** Why no worker answers questions; null: questions are answered. */
  waiting: string | null;
  /** The name of the key; null without keys. */
  caller: string | null;
  roles: KeyRole[];
  /** Whether a token is required. */
  token: boolean;
}

export interface VideoView {
  id: string;
  name: string;
  duration_s: number;
  width: number | null;
  height: number | null;
  /** Bytes. */
  size: number;
  /** RFC 3339 in UTC, as every `..._at`. */
  created_at: string;
  questions: number;
  tags: string[];
}

export interface UploadView {
  id: string;
  offset: number;
  size: number;
  video: VideoView | null;
}

export type QuestionState = "queued" | "running" | "answered" | "failed" | "cancelled";

export interface Review {
  verdict: "approved" | "corrected";
  answer: string | number[];
  note: string | null;
  by: string;
  reviewed_at: string;
}

export interface ClipView {
  /** On its title card, from 1. */
  number: number;
  start_s: number;
  end_s: number;
}

export interface QuestionView {
  id: string;
  video: string;
  asked: Question;
  strategy: string;
  model: string | null;
  settings: Record<string, unknown>;
  state: QuestionState;
  answer: Answer | null;
  failure: { kind: string; message: string } | null;
  set: string | null;
  /** The evidence was corrected after the answer. */
  edited: boolean;
  /** The question that this one was reasoned again from. */
  from: string | null;
  /** The question that this one follows in a thread. */
  follows: string | null;
  review: Review | null;
  /** Whether reviewers disagree. */
  conflict: boolean;
  /** All clips of an order question by number; null until they are known. */
  clips: ClipView[] | null;
  stages: { stage: string; usage: Usage }[];
  timings: { stage: string; seconds: number }[];
  usage: Usage;
  seconds: number | null;
  created_at: string;
}

export interface ListedQuestion extends QuestionView {
  video_name: string;
}

/** What a table of questions would ask, or asked, and which of its rows are wrong. */
export interface BulkAsked {
  items: { row: string; id: string }[];
  errors: { row: string; column: string | null; detail: string }[];
  checked: number;
}

export interface TagView {
  tag: string;
  /** Number of videos with it. */
  videos: number;
}

/** What a question would take; null: not known. */
export interface EstimateView {
  calls: number | null;
  exact: boolean;
  /** Dollars. */
  cost: { about: number; most: number } | null;
  /** Median of `answered` questions like this one. */
  seconds: number | null;
  answered: number;
}

/** The uploaded subtitles of a video. */
export interface SubtitlesView {
  uploaded: boolean;
  cues: number;
  skipped: number;
}

export interface EvidenceView extends Evidence {
  /** `E1`, `E2` ... as shown to the model. */
  name: string;
  cited: boolean;
  /** Address of a small picture. */
  thumbnail: string | null;
  /** The words that a person's correction replaced. */
  was?: string | null;
}

export interface EvidenceList {
  set: string;
  base: string | null;
  items: EvidenceView[];
  /** Items of the answer's set that were taken out since. */
  rejected: EvidenceView[];
  /** What the answer names, as it was when the answer was given. */
  basis: EvidenceView[];
}

/** A moment whose words match a search. */
export interface SearchHit {
  video: string;
  /** The name of the video. */
  name: string;
  kind: string;
  start_s: number;
  end_s: number;
  text: string;
  /** Where in `text` the words match: from, and up to. */
  match: [number, number][];
}

/** A text of a video at its second; `match`: places that match what was searched for. */
export interface VideoText {
  kind: string;
  start_s: number;
  end_s: number;
  text: string;
  match: [number, number][];
  evidence: string | null;
}

export type TracePart =
  | { type: "text"; text: string }
  | { type: "image"; frame: string; t_s: number; label: string | null }
  | { type: "video" | "audio"; label: string | null };

export interface TraceCall {
  stage: string;
  label: string;
  role: string;
  model: string;
  /** null: the request was not kept. */
  messages: { role: "system" | "user" | "assistant" | "tool"; parts: TracePart[] }[] | null;
  frames: { hash: string; t_s: number }[];
  reply: string;
  tools: { name: string; arguments: unknown }[];
  finish: string;
  error: { kind: string; message: string } | null;
  cached: boolean;
  usage: Usage;
  seconds: number;
  waited_s: number;
  retries: number;
}

export interface Trace {
  calls: TraceCall[];
  /** Calls that are left out of a trace that is too long. */
  more: number;
}

export interface ReportView {
  name: string;
  /** Bytes. */
  size: number;
  modified_at: string;
}

/** RFC 9457. */
export interface ProblemView {
  title?: string;
  detail?: string;
  kind?: string;
  status?: number;
  offset?: number;
  /** Of an edit that was based on an old version. */
  current?: EvidenceList | Review | null;
}

/** The verdict of one rater. */
export interface Rating {
  id: string;
  rater: string;
  verdict: Review["verdict"];
  answer: Review["answer"];
  note: string | null;
  seconds: number | null;
  undone_at: string | null;
}

export interface RatingList {
  question: QuestionView;
  items: Rating[];
}

export interface NextReview {
  /** null: nothing is left for this rater. */
  item: {
    id: string;
    asked: Question;
    video: VideoView;
    /** The answer and other reviews are hidden. */
    blind: boolean;
    /** The clips of an order question, if they are known. */
    clips: ClipView[] | null;
    question: QuestionView | null;
    ratings: Rating[];
  } | null;
  progress: { total: number; settled: number; conflicts: number; mine: number; raters: number };
}

export interface StudyNext {
  rater: string;
  done: number;
  total: number;
  /** null: everything is answered. */
  item: {
    id: number;
    task: Task;
    question: string;
    goal: string | null;
    options: { letter: string; text: string }[];
    clips: number | null;
    media: string;
  } | null;
}

interface UsageAmounts {
  questions: number;
  calls: number;
  input: number;
  output: number;
  cost: number;
  paid: number;
  unpriced: number;
}

export interface UsageView {
  since: string;
  until: string;
  by: "day" | "model" | "strategy" | "key";
  items: (UsageAmounts & { key: string | null; group: string | null })[];
  total: UsageAmounts;
  storage: { key: string | null; bytes: number }[];
}

/** The key of a caller, without its secret. */
export interface KeyView {
  name: string;
  roles: KeyRole[];
  cost_a_day: number | null;
  created_at: string;
}
