import type { Answer, Evidence, Usage } from "./shapes.ts";
import { addUsage, NO_USAGE } from "./shapes.ts";

/** One model call as it is shown and billed: never its media, only their hashes. */
export interface CallRecord {
  /** The memo key of the call: what it depends on, and nothing else. */
  key: string;
  role: Role;
  model: string;
  /** Hash of each prompt used, by name. */
  prompts: Record<string, string>;
  /** What the call is about, for a person: `clip 3`, `A 1 against B 4`. */
  label: string;
  finish: string;
  /** True when the reply came from the memo. */
  cached: boolean;
  usage: Usage;
  /** Wall time in seconds, waiting for a free place included. */
  seconds: number;
  /**
   * Seconds that the model took for the reply, when it was first made where it came from the memo; null if not known.
   * Missing in events from before it was kept.
   */
  model_s?: number | null;
  /** Seconds of waiting for a free place and between tries, in this process. */
  waited_s?: number;
  frames: { hash: string; t_s: number }[];
  /** Ids of the evidence whose words the request holds; of a conversation what earlier calls did not carry. */
  evidence?: string[];
  /** Parts of the video that the request holds as video, in seconds; `to_s` null: to its end. */
  footage?: { from_s: number; to_s: number | null }[];
  text: string;
  /** The tools that the reply calls, where it calls any. */
  tools?: { name: string; arguments: unknown }[];
  error?: { kind: string; message: string };
}

export const ROLES = ["recogniser", "reasoner", "judge", "verifier", "embedder"] as const;
export type Role = (typeof ROLES)[number];

export type EventBody =
  | { type: "stage"; state: "start" | "end"; seconds?: number }
  | { type: "progress"; done: number; total: number | null; unit: string }
  | { type: "evidence"; item: Evidence }
  /** What a search of the evidence handed back for the question. */
  | { type: "retrieved"; ids: string[] }
  | { type: "call"; call: CallRecord }
  | { type: "note"; text: string }
  | { type: "answer"; answer: Answer }
  | { type: "failed"; kind: string; message: string };

/** `seq` counts from 1 within a question; `at` is milliseconds since 1970; `stage` names the node. */
export type Event = { seq: number; question: string; at: number; stage: string } & EventBody;

export type Emit = (stage: string, body: EventBody) => void;

/** Usage by stage: one of the folds by which everything shown is made. */
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

export function totalUsage(events: Iterable<Pick<Event, "stage"> & EventBody>): Usage {
  return [...usageByStage(events).values()].reduce(addUsage, NO_USAGE);
}
