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
export function replyKey(reply: KeyedReply): string {
  const { question_hash } = reply;
  return question_hash === undefined ? wordsKey(reply) : `${wordsKey(reply)} ${question_hash}`;
}

/** The key without the question; older versions stored the judgements of response files under it. */
function wordsKey({ sample, epoch, text }: KeyedReply): string {
  return `${epoch} ${sample.id} ${sha256(text).slice(0, 12)}`;
}

/**
 * The number of replies of a response file that are stored only under keys of an earlier question or of an older version.
 * These do not tell whether the question is still the same.
 */
export function countOutdated(replies: readonly KeyedReply[], stored: Iterable<string>): number {
  const keys = new Set(stored);
  const words = new Set([...keys].flatMap((key) => [key, key.replace(/ [^ ]*$/, "")]));
  return replies.filter(
    (reply) =>
      reply.question_hash !== undefined && !keys.has(replyKey(reply)) && words.has(wordsKey(reply)),
  ).length;
}

/**
 * Hash of all that a judgement may depend on in a question, as its model saw it. The data of a response file may change
 * between two readings, and files of the same name share the folder of their judgements; a run keeps its questions, and
 * needs none. Without the video, whose path depends on which files are there; the sample's id tells questions on different
 * videos apart.
 */
export function questionHash(sample: Sample): string {
  const { question, task, goal, options, answer, partial_order, accepts, steps } = sample;
  const asked = { question, task, goal, options };
  const references = { answer, partial_order, accepts, steps };
  return hashOf({ ...asked, ...references }).slice(0, 12);
}
