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

/** The caption of each clip by its number: a person's if there is one, otherwise the latest. */
export function captionsByClip(evidence: readonly Evidence[]): Map<number, Evidence> {
  const captions = new Map<number, Evidence>();
  for (const item of evidence) {
    if (item.kind !== "caption" || item.clip === undefined) continue;
    const isPersons = captions.get(item.clip)?.by.who === "person";
    if (!isPersons || item.by.who === "person") captions.set(item.clip, item);
  }
  return captions;
}

/** The clips that captions describe, each once, and those of `undescribed` that no caption describes. */
export function segmentsOf(
  evidence: readonly Evidence[],
  undescribed: readonly Segment[] = [],
): Segment[] {
  const described = [...captionsByClip(evidence)].map(
    ([number, { start_s, end_s }]): Segment => ({ number, kind: "clip", start_s, end_s }),
  );
  const numbers = new Set(described.map(({ number }) => number));
  return [...described, ...undescribed.filter(({ number }) => !numbers.has(number))].sort(
    (a, b) => a.number - b.number,
  );
}
