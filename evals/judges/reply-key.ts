import { sha256 } from "../../src/core/hash.ts";

/** A reply by its sample, epoch and words: another reply to the same question is judged again. */
export function replyKey(reply: { sample: { id: string }; epoch: number; text: string }): string {
  return `${reply.epoch} ${reply.sample.id} ${sha256(reply.text).slice(0, 12)}`;
}
