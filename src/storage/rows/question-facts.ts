import { foldText } from "./fold-text.ts";

/** The members of a question's JSON that lists filter by and triggers compare. Null if missing, and for damaged JSON. */
export interface QuestionFacts {
  state: string | null;
  strategy: string | null;
  model: string | null;
  /** `conflict`: reviewers disagree. */
  verdict: string | null;
  search_text: string;
  /** JSON of the review. */
  review: string | null;
}

export function questionFacts(json: string): QuestionFacts {
  const record = objectIn(() => JSON.parse(json));
  const review = objectIn(() => record.review);
  const asked = objectIn(() => record.asked);
  return {
    state: text(record.state),
    strategy: text(record.strategy),
    model: text(record.model),
    verdict: text(review.verdict) ?? (record.conflict ? "conflict" : null),
    search_text: foldText(`${text(asked.text) ?? ""} ${text(asked.goal) ?? ""}`),
    review: record.review === review ? JSON.stringify(review) : null,
  };
}

function objectIn(read: () => unknown): Record<string, unknown> {
  try {
    const value = read();
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // A damaged row is listed without facts, and named by `repair`.
  }
  return {};
}

function text(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}
