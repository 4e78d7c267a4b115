import { LIMITS, type Limit } from "../../../src/core/shapes.ts";
import type { ScoredReply } from "../../benchmarks/scored-reply.ts";
import type { Transcript } from "../../run/transcript.ts";
import type { SampleReply } from "../../score/read-results.ts";
import type { LIMIT_TYPES, LogError } from "./log-schema.ts";
import type { LogMessages } from "./messages.ts";

/** One result of a run, with its scores by extractor. */
export interface LogResult {
  said: SampleReply;
  scored: ReadonlyMap<string, ScoredReply>;
  groups: Record<string, string>;
  /** Null if the messages were not kept, or have been deleted. */
  transcript: Transcript | null;
  /** Those of the transcript. */
  messages: LogMessages;
  /** The limit of the run for each sample; null: none. */
  limitOf: (limit: Limit) => number | null;
  /** Makes the ids unique. */
  seed: string;
}

export function errorOf({ kind, message }: { kind: string; message: string }): LogError {
  return { message: `${kind}: ${message}`, traceback: "", traceback_ansi: "" };
}

const LIMIT_TYPE: Record<Limit, (typeof LIMIT_TYPES)[number]> = {
  calls: "turn",
  frames: "custom",
  tokens: "token",
  seconds: "time",
  cost: "cost",
};

/** The first limit that the sample reached. */
export function limitMet({ said: { line }, limitOf }: LogResult) {
  const met = LIMITS.find((limit) => line?.limits_met.includes(limit));
  return met === undefined ? null : { met, type: LIMIT_TYPE[met], limit: limitOf(met) };
}
