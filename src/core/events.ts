import type { Answer, Evidence, Limit, Usage } from "./shapes.ts";
import { addUsage, NO_USAGE } from "./shapes.ts";

/** One model call, as displayed and billed. It holds hashes of the media, never the media. */
export interface CallRecord {
  /** The memo key: a hash of everything that the call depends on. */
  key: string;
  role: Role;
  model: string;
  /** Hash of each prompt used, by name. */
  prompts: Record<string, string>;
  /** The subject of the call, for display: `clip 3`, `A 1 against B 4`. */
  label: string;
  finish: string;
  /** True when the reply came from the memo. */
  cached: boolean;
  usage: Usage;
  /** Wall time in seconds, including the wait for a connection. */
  seconds: number;
  /**
   * Seconds that the model took for the reply; for a reply from the memo, those of the original call. Null if unknown.
   * Missing in events of older versions.
   */
  model_s?: number | null;
  /** Seconds spent in this process on waiting for a connection and between retries. */
  waited_s?: number;
  frames: { hash: string; t_s: number }[];
  /**
   * Number of pictures in the request, if it differs from that of `frames`: pictures of earlier turns are sent again, and
   * a sheet of frames is one picture.
   */
  pictures?: number;
  /** Requests of this call without a usable reply; missing if there were none. */
  retried?: RetriedRequests;
  /** Id of the blob that holds the request as it was sent, if it was kept. */
  request?: string;
  /** Ids of the evidence in the request; in a conversation, only evidence that earlier calls did not contain. */
  evidence?: string[];
  /** Segments of the video that the request contains as video, in seconds; `to_s` null: to its end. */
  footage?: { from_s: number; to_s: number | null }[];
  /** Ranges of the video's sound that the request contains, in seconds. */
  sound?: { from_s: number; to_s: number }[];
  text: string;
  /** The tool calls of the reply, if any. */
  tools?: { name: string; arguments: unknown }[];
  error?: { kind: string; message: string };
}

/** Requests that were sent again, because they failed or their reply was empty or broken. */
export interface RetriedRequests {
  requests: number;
  /** Tokens that were billed for their replies, and their price; null if it is not known. */
  input: number;
  output: number;
  cost: number | null;
}

export const ROLES = [
  "recogniser",
  "reasoner",
  "judge",
  "verifier",
  "embedder",
  "transcriber",
] as const;
/** What a model is used for. */
export type Role = (typeof ROLES)[number];

/** What an event says, by its type. */
export type EventBody =
  | {
      type: "stage";
      state: "start" | "end";
      seconds?: number;
      /** Of a graph with a checkpointer, at the start: LangGraph's id of the task. */
      task?: string;
      /** Of a graph with a checkpointer, at the end: the limits that refused a call so far. */
      limits?: Limit[];
    }
  | { type: "progress"; done: number; total: number | null; unit: string }
  | { type: "evidence"; item: Evidence }
  /** Results of a search over the evidence of the question. */
  | { type: "retrieved"; ids: string[] }
  | { type: "call"; call: CallRecord }
  /** A tool that a model called has run; `error` is the kind of its failure. */
  | { type: "tool"; name: string; seconds: number; error?: string }
  | { type: "note"; text: string }
  | { type: "answer"; answer: Answer }
  | { type: "failed"; kind: string; message: string };

/** `seq` counts from 1 within a question; `at` is milliseconds since 1970; `stage` names the node. */
export type Event = { seq: number; question: string; at: number; stage: string } & EventBody;

/** Takes the events of a stage. */
export type Emit = (stage: string, body: EventBody) => void;

/** The usage of each stage, summed over its calls. */
export function usageByStage(
  events: Iterable<Pick<Event, "stage"> & EventBody>,
): Map<string, Usage> {
  const stages = new Map<string, Usage>();
  for (const event of events) {
    if (event.type !== "call") continue;
    stages.set(event.stage, addUsage(stages.get(event.stage) ?? NO_USAGE, event.call.usage));
  }
  return stages;
}

/** The usage of all calls among the events. */
export function totalUsage(events: Iterable<Pick<Event, "stage"> & EventBody>): Usage {
  return [...usageByStage(events).values()].reduce(addUsage, NO_USAGE);
}
