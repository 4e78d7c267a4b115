import { z } from "zod";
import { Correction } from "../../../src/core/corrections.ts";

/* What a person is asked when a graph pauses, and what resumes it. A resume value is untrusted. */

/** Where a graph pauses for a person: before it reasons over the evidence, or before the answer is final. */
export const Review = z.enum(["evidence", "answer"]);
export type Review = z.infer<typeof Review>;

const person = z
  .string()
  .min(1)
  .max(100)
  .default("person")
  .describe("name of the person, kept with each correction");

/** Resumes a review of evidence: corrections, applied in order. None: the evidence is right. */
export const EvidenceReview = z.strictObject({
  person,
  corrections: z.array(Correction).max(1000).default([]),
});
export type EvidenceReview = z.infer<typeof EvidenceReview>;

/** Resumes a review of an answer. Without an answer: it is right. */
export const AnswerReview = z.strictObject({
  person,
  answer: z
    .union([z.string().trim().min(1).max(20_000), z.array(z.int().positive()).min(1).max(1000)])
    .optional()
    .describe("the letter of an option, words, or clip numbers in their right order"),
  note: z.string().max(20_000).optional().describe("why the answer was changed"),
});
export type AnswerReview = z.infer<typeof AnswerReview>;

/** The names of the nodes in which graphs pause. */
export const REVIEW_EVIDENCE = "review evidence";
export const REVIEW_ANSWER = "review answer";
