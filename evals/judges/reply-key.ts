import { hashOf, sha256 } from "../../src/core/hash.ts";
import type { Sample } from "../benchmarks/sample.ts";

/** A reply that was or may be judged. */
export interface KeyedReply {
  sample: { id: string };
  epoch: number;
  text: string;
  /** `questionHash`, for a reply of a response file. */
  question_hash?: string;
}

/**
 * A reply by its sample, epoch and words, and in a response file by its question: another reply to the same question is
 * judged again, and so is the same reply to a question that has been corrected.
 */
export function replyKey({ sample, epoch, text, question_hash }: KeyedReply): string {
  const reply = `${epoch} ${sample.id} ${sha256(text).slice(0, 12)}`;
  return question_hash === undefined ? reply : `${reply} ${question_hash}`;
}

/**
 * Hash of all that a judgement may depend on in a question, as its model saw it. The data of a response file may change
 * between two readings, and files of the same name share the folder of their judgements; a run keeps its questions, and
 * needs none.
 */
export function questionHash(sample: Sample): string {
  const { video, question, task, goal, options, answer, partial_order, accepts, steps } = sample;
  const asked = { video, question, task, goal, options };
  const references = { answer, partial_order, accepts, steps };
  return hashOf({ ...asked, ...references }).slice(0, 12);
}
