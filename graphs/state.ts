import { StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import type { EvidenceNames } from "../src/core/evidence.ts";
import { Answer, Evidence, EvidenceSet, FrameRef, Question } from "../src/core/shapes.ts";
import type { Medium } from "../src/models/chat.ts";
import { shareUntracedRuns } from "../src/tracing/share-untraced-runs.ts";
import type { Outcome, Segment } from "./outcome.ts";
import { latestValue, reducedValue, stateValue } from "./state-value.ts";

export { captionsByClip, type Outcome, outcome, type Segment, segmentsOf } from "./outcome.ts";

// Every graph has this state.
shareUntracedRuns();

const object = z.record(z.string(), z.unknown());

/*
 * One state for all graphs: ids, times and texts. Frames lie on disk; a `FrameRef` names one.
 */
export const QaState = new StateSchema({
  question: stateValue<Question>(Question),
  /** Frames that are sent with the question itself (`direct`, `key-frame`). */
  frames: latestValue<FrameRef[]>(z.array(FrameRef), []),
  /** The video file or its sound, if they are sent as a whole. */
  media: latestValue<Medium[]>(z.array(object), []),
  /** Subtitles that are sent with the question itself; null if none are. */
  subtitles: latestValue<string | null>(z.string().nullable(), null),
  segments: latestValue<Segment[]>(z.array(object), []),
  /** A union by id, because parallel branches and subgraphs return evidence that the state already has. */
  evidence: reducedValue<Evidence[]>(z.array(Evidence), [], union),
  /** The replies of the recogniser as the prompt for the order receives them; null: the descriptions of the clips. */
  recognised: latestValue<string | null>(z.string().nullable(), null),
  /** Names of evidence that were given already; null: names in the order of time. */
  names: latestValue<EvidenceNames | null>(z.record(z.string(), z.string()).nullable(), null),
  /** Ids of the evidence that is shown to the reasoner; null: all of it. */
  found: latestValue<string[] | null>(z.array(z.string()).nullable(), null),
  diagnostics: reducedValue<Record<string, unknown>>(object, {}, (before, more) => ({
    ...before,
    ...more,
  })),
  /** Set by the first node that has a result; later stages are then skipped. */
  outcome: latestValue<Outcome | null>(object.nullable(), null),
  set: stateValue<EvidenceSet>(EvidenceSet),
  answer: stateValue<Answer>(Answer),
});

export type State = typeof QaState.State;
export type Update = Partial<State>;

function union(before: Evidence[], more: Evidence[]): Evidence[] {
  return more.length === 0
    ? before
    : [...new Map([...before, ...more].map((item) => [item.id, item])).values()];
}
