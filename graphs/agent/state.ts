import { Annotation } from "@langchain/langgraph";
import type { Limit, Support } from "../../src/core/shapes.ts";
import type { Message, ShownFrame } from "../../src/models/chat.ts";
import { QaState } from "../state.ts";

/** An answer as the model gave it, before it becomes an outcome. */
export interface Draft {
  /** An option's letter, or words; null if the model says that the video does not tell. */
  answer: string | null;
  /** Ids of the evidence that it cites: all of it was shown in this run and has a time of the video. */
  cites: string[];
  confidence: number | null;
  /** Whether it came as a call of `answer` or in plain words. */
  given: "call" | "words";
}

/** Why the model is called again after an answer, or after a turn without one; each reason counts once. */
export type RetryReason = "no call" | "unreadable" | "uncited" | "contradicted";

export const NEXT = ["turn", "tools", "check", "verify", "conclude", "fallback"] as const;

const latest = <T>(_before: T, next: T) => next;

/* The state of a search, in addition to that of every graph. The conversation names frames by hash; frames are on disk. */
export const SearchState = Annotation.Root({
  ...QaState.spec,
  messages: Annotation<Message[]>({ reducer: latest, default: () => [] }),
  /** Ids of the evidence in the order in which it was first shown: the first is always `E1`. */
  shown: Annotation<string[]>({ reducer: latest, default: () => [] }),
  /** How many of `shown` were part of a call so far. */
  carried: Annotation<number>({ reducer: latest, default: () => 0 }),
  /** Frames shown since the last call; the next call sends and counts them. */
  fresh: Annotation<ShownFrame[]>({ reducer: latest, default: () => [] }),
  /** Ids of the pictures that were shown last, which the model's `seen` describes. */
  pictured: Annotation<string[]>({ reducer: latest, default: () => [] }),
  /** Calls that were run: hash of name and arguments -> names of what they showed. */
  made: Annotation<Record<string, string[]>>({ reducer: latest, default: () => ({}) }),
  /** Ids of the evidence that was known before the search began. */
  known: Annotation<string[]>({ reducer: latest, default: () => [] }),
  turns: Annotation<number>({ reducer: latest, default: () => 0 }),
  /** Input tokens of each turn. */
  sizes: Annotation<number[]>({ reducer: latest, default: () => [] }),
  repeated: Annotation<number>({ reducer: latest, default: () => 0 }),
  /** The limit that ended the search, if one did. */
  spent: Annotation<Limit | null>({ reducer: latest, default: () => null }),
  draft: Annotation<Draft | null>({ reducer: latest, default: () => null }),
  support: Annotation<Support | null>({ reducer: latest, default: () => null }),
  sentBack: Annotation<RetryReason[]>({ reducer: latest, default: () => [] }),
  next: Annotation<(typeof NEXT)[number]>({ reducer: latest, default: () => "turn" }),
});

export type Search = typeof SearchState.State;
export type SearchUpdate = Partial<Search>;
