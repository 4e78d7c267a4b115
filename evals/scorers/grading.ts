import type { Usage } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { Extraction } from "../benchmarks/scored-reply.ts";

/** A reply that may have a grade. */
export interface GradedReply {
  sample: Sample;
  /** From 1. */
  epoch: number;
  /** Hash of the question, for a response file (`reply-key.ts`). */
  question_hash?: string;
  reply: string | null;
  extraction: Extraction | null;
}

/** The grades that a model or a program gave the replies to one task. */
export interface Grades {
  /** Null: not asked about yet. `value` null: asked about, but without a grade, for the reason in `explanation`. */
  of(reply: GradedReply): { value: number | null; explanation: string } | null;
  report: GradeReport;
}

/** What the grades took. */
export interface GradeReport {
  /** `provider:model`, or the program with its arguments. */
  by: string;
  /** Replies whose grading failed; the same command tries again. */
  failed: number;
  /** Null: no model was called. */
  usage: Usage | null;
}
