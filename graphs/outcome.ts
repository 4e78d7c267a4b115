import type { Answer, Evidence } from "../src/core/shapes.ts";

/* Parts of the state that are needed without LangGraph. */

/** A span of the video that is described separately: a clip between two title cards, a shot, or a fixed window. */
export interface Segment {
  /** The clip's number on its card, or the part's place; from 1. */
  number: number;
  kind: "clip" | "part";
  start_s: number;
  end_s: number;
  /** A model is told its times with tenths of a second. */
  tenths?: true;
}

/** The result of the reasoning, before it becomes an `Answer`. */
export interface Outcome
  extends Pick<
      Answer,
      "status" | "answer" | "reply" | "reasoning" | "cites" | "cited_by" | "error"
    >,
    Partial<Pick<Answer, "confidence" | "confidence_basis" | "support" | "moments">> {}

/** The result of a strategy's `run`; every field is optional. */
export interface RunResult extends Partial<Omit<Outcome, "cites">> {
  /** Ids of evidence. */
  cites?: readonly string[];
  /** Evidence that was found; only this can be cited. */
  evidence?: readonly Evidence[];
  diagnostics?: Record<string, unknown>;
}

export function outcome(part: Partial<Outcome> & Pick<Outcome, "status">): Outcome {
  return { answer: null, cites: [], cited_by: "code", ...part };
}

/** The clips that captions describe. */
export function segmentsOf(evidence: readonly Evidence[]): Segment[] {
  return evidence
    .flatMap(({ kind, clip, start_s, end_s }): Segment[] =>
      kind === "caption" && clip !== undefined
        ? [{ number: clip, kind: "clip", start_s, end_s }]
        : [],
    )
    .sort((a, b) => a.number - b.number);
}
