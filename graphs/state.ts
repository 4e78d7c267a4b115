import { Annotation } from "@langchain/langgraph";
import type { Answer, Evidence, EvidenceSet, FrameRef, Question } from "../src/core/shapes.ts";
import type { Medium } from "../src/models/chat.ts";

/** A stretch of the video that is described on its own: a clip between two title cards, or an equal part. */
export interface Segment {
  /** The clip's number on its card, or the part's place; from 1. */
  number: number;
  kind: "clip" | "part";
  start_s: number;
  end_s: number;
}

/** What the reasoning came to, before it is made an `Answer`. */
export interface Outcome
  extends Pick<
      Answer,
      "status" | "answer" | "reply" | "reasoning" | "cites" | "cited_by" | "error"
    >,
    Partial<Pick<Answer, "confidence" | "confidence_basis" | "support">> {}

/*
 * One state for all graphs: ids, times and texts. Frames lie on disk; a `FrameRef` names one.
 */
export const QaState = Annotation.Root({
  question: Annotation<Question>,
  /** Frames that go along with the question itself (`direct`, `key-frame`). */
  frames: Annotation<FrameRef[]>({ reducer: (_, next) => next, default: () => [] }),
  /** The video file or its sound, where they go along as a whole. */
  media: Annotation<Medium[]>({ reducer: (_, next) => next, default: () => [] }),
  /** Words that go along with the question itself; null where there are none. */
  subtitles: Annotation<string | null>({ reducer: (_, next) => next, default: () => null }),
  segments: Annotation<Segment[]>({ reducer: (_, next) => next, default: () => [] }),
  /** A union by id, so that branches that ran at once, and subgraphs that hand back what they were given, add up. */
  evidence: Annotation<Evidence[]>({ reducer: union, default: () => [] }),
  /** Ids of the evidence that is shown to the reasoner; null: all of it. */
  found: Annotation<string[] | null>({ reducer: (_, next) => next, default: () => null }),
  diagnostics: Annotation<Record<string, unknown>>({
    reducer: (before, more) => ({ ...before, ...more }),
    default: () => ({}),
  }),
  /** Set by the first node that can tell; later stages are then passed over. */
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

export function outcome(part: Partial<Outcome> & Pick<Outcome, "status">): Outcome {
  return { answer: null, cites: [], cited_by: "code", ...part };
}

/** The clips that captions speak of. */
export function segmentsOf(evidence: readonly Evidence[]): Segment[] {
  return evidence
    .flatMap(({ kind, clip, start_s, end_s }): Segment[] =>
      kind === "caption" && clip !== undefined
        ? [{ number: clip, kind: "clip", start_s, end_s }]
        : [],
    )
    .sort((a, b) => a.number - b.number);
}
