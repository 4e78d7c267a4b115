import { Annotation } from "@langchain/langgraph";
import type { Limit, Support } from "../../src/core/shapes.ts";
import type { Message, ShownFrame } from "../../src/models/chat.ts";
import { QaState } from "../state.ts";

/** An answer as the model gave it, before it is made an outcome. */
export interface Draft {
  /** An option's letter, or words; null where the model says that the video does not tell. */
  answer: string | null;
  /** Ids of what it cites, all of it shown in this run and lying where it says. */
  cites: string[];
  confidence: number | null;
  /** Whether it came as a call of `answer` or in plain words. */
  given: "call" | "words";
}

/** Why a search was sent on after an answer, or after none came; each of them once. */
export type SentBack = "no call" | "unreadable" | "uncited" | "contradicted";

export const NEXT = ["turn", "tools", "check", "verify", "conclude", "fallback"] as const;

const latest = <T>(_before: T, next: T) => next;

/*
 * What an evidence search knows beside what every graph knows. The conversation names frames by hash; the frames lie
 * on disk.
 */
export const SearchState = Annotation.Root({
  ...QaState.spec,
  messages: Annotation<Message[]>({ reducer: latest, default: () => [] }),
  /** Ids of the evidence in the order in which it was first shown: the first is `E1`, whatever comes later. */
  shown: Annotation<string[]>({ reducer: latest, default: () => [] }),
  /** How many of `shown` the calls so far have carried. */
  carried: Annotation<number>({ reducer: latest, default: () => 0 }),
  /** Frames shown since the last call, which the next one carries and counts. */
  fresh: Annotation<ShownFrame[]>({ reducer: latest, default: () => [] }),
  /** Ids of the pictures that were shown last, of which the model's `seen` speaks. */
  pictured: Annotation<string[]>({ reducer: latest, default: () => [] }),
  /** Calls carried out, by their name and arguments -> the names of what they showed. */
  made: Annotation<Record<string, string[]>>({ reducer: latest, default: () => ({}) }),
  /** Ids of what was known before the search began. */
  known: Annotation<string[]>({ reducer: latest, default: () => [] }),
  turns: Annotation<number>({ reducer: latest, default: () => 0 }),
  /** Tokens that the conversation had, turn by turn. */
  sizes: Annotation<number[]>({ reducer: latest, default: () => [] }),
  repeated: Annotation<number>({ reducer: latest, default: () => 0 }),
  /** The limit that ended the search, where one did. */
  spent: Annotation<Limit | null>({ reducer: latest, default: () => null }),
  draft: Annotation<Draft | null>({ reducer: latest, default: () => null }),
  support: Annotation<Support | null>({ reducer: latest, default: () => null }),
  sentBack: Annotation<SentBack[]>({ reducer: latest, default: () => [] }),
  next: Annotation<(typeof NEXT)[number]>({ reducer: latest, default: () => "turn" }),
});

export type Search = typeof SearchState.State;
export type SearchUpdate = Partial<Search>;
