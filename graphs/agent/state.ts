import { StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { LIMITS, type Limit, type Support } from "../../src/core/shapes.ts";
import type { Message, ShownFrame } from "../../src/models/chat.ts";
import { QaState } from "../state.ts";
import { latestValue } from "../state-value.ts";

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

const texts = z.array(z.string());
const object = z.record(z.string(), z.unknown());
const count = z.int();

/* The state of a search, in addition to that of every graph. The conversation names frames by hash; frames are on disk. */
export const SearchState = new StateSchema({
  ...QaState.fields,
  messages: latestValue<Message[]>(z.array(object), []),
  /** Ids of the evidence in the order in which it was first shown: the first is always `E1`. */
  shown: latestValue<string[]>(texts, []),
  /** How many of `shown` were part of a call so far. */
  carried: latestValue<number>(count, 0),
  /** Frames shown since the last call; the next call sends and counts them. */
  fresh: latestValue<ShownFrame[]>(z.array(object), []),
  /** Ids of frames in `shown` whose pictures no call has sent, because the budget allowed only a call without pictures. */
  unsent: latestValue<string[]>(texts, []),
  /** Ids of the pictures that were shown last, which the model's `seen` describes. */
  pictured: latestValue<string[]>(texts, []),
  /** Calls that were run: hash of name and arguments -> names of what they showed. */
  made: latestValue<Record<string, string[]>>(z.record(z.string(), texts), {}),
  /** Ids of the evidence that was known before the search began. */
  known: latestValue<string[]>(texts, []),
  turns: latestValue<number>(count, 0),
  /** Input tokens of each turn. */
  sizes: latestValue<number[]>(z.array(count), []),
  repeated: latestValue<number>(count, 0),
  /** The limit that ended the search, if one did. */
  spent: latestValue<Limit | null>(z.enum(LIMITS).nullable(), null),
  draft: latestValue<Draft | null>(object.nullable(), null),
  support: latestValue<Support | null>(object.nullable(), null),
  sentBack: latestValue<RetryReason[]>(texts, []),
  next: latestValue<(typeof NEXT)[number]>(z.enum(NEXT), "turn"),
});

export type Search = typeof SearchState.State;
export type SearchUpdate = Partial<Search>;
