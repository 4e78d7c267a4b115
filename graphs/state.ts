import { Annotation } from "@langchain/langgraph";
import type { EvidenceNames } from "../src/core/evidence.ts";
import type { Answer, Evidence, EvidenceSet, FrameRef, Question } from "../src/core/shapes.ts";
import type { Medium } from "../src/models/chat.ts";
import type { Outcome, Segment } from "./outcome.ts";

export { type Outcome, outcome, type Segment, segmentsOf } from "./outcome.ts";

/*
 * One state for all graphs: ids, times and texts. Frames lie on disk; a `FrameRef` names one.
 */
export const QaState = Annotation.Root({
  question: Annotation<Question>,
  /** Frames that are sent with the question itself (`direct`, `key-frame`). */
  frames: Annotation<FrameRef[]>({ reducer: (_, next) => next, default: () => [] }),
  /** The video file or its sound, if they are sent as a whole. */
  media: Annotation<Medium[]>({ reducer: (_, next) => next, default: () => [] }),
  /** Subtitles that are sent with the question itself; null if none are. */
  subtitles: Annotation<string | null>({ reducer: (_, next) => next, default: () => null }),
  segments: Annotation<Segment[]>({ reducer: (_, next) => next, default: () => [] }),
  /** A union by id, because parallel branches and subgraphs return evidence that the state already has. */
  evidence: Annotation<Evidence[]>({ reducer: union, default: () => [] }),
  /** Names of evidence that were given already; null: names in the order of time. */
  names: Annotation<EvidenceNames | null>({ reducer: (_, next) => next, default: () => null }),
  /** Ids of the evidence that is shown to the reasoner; null: all of it. */
  found: Annotation<string[] | null>({ reducer: (_, next) => next, default: () => null }),
  diagnostics: Annotation<Record<string, unknown>>({
    reducer: (before, more) => ({ ...before, ...more }),
    default: () => ({}),
  }),
  /** Set by the first node that has a result; later stages are then skipped. */
  outcome: Annotation<Outcome | null>({ reducer: (_, next) => next, default: () => null }),
  set: Annotation<EvidenceSet>,
  answer: Annotation<Answer>,
});

export type State = typeof QaState.State;
export type Update = Partial<State>;

function union(before: Evidence[], more: Evidence[]): Evidence[] {
  return more.length === 0
    ? before
    : [...new Map([...before, ...more].map((item) => [item.id, item])).values()];
}
