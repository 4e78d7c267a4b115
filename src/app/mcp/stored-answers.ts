import { z } from "zod";
import type { Store } from "../../core/contracts.ts";
import type { Event } from "../../core/events.ts";
import { hashOf } from "../../core/hash.ts";
import { Answer, EvidenceSet, Question } from "../../core/shapes.ts";

/* Answers for clients on this machine, by the id of the question, so that an id stays valid when the server is restarted. */

const RUN = "mcp";

const StoredAnswer = z.object({
  /** As the client named it. */
  video: z.string(),
  question: Question,
  answer: Answer,
  evidence: EvidenceSet,
  events: z.array(z.custom<Event>()),
  strategy: z.string(),
});
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** Stores an answer with its video: it is deleted with the video. */
export async function storeAnswer(
  id: string,
  stored: StoredAnswer,
  { memo }: Pick<Store, "memo">,
): Promise<void> {
  const key = keyOf(id);
  await memo.once({ key, tags: [stored.question.video], run: RUN }, async () => stored);
}

/** Returns null for an unknown id. */
export async function readAnswer(
  id: string,
  { memo }: Pick<Store, "memo">,
): Promise<StoredAnswer | null> {
  const read = StoredAnswer.safeParse(await memo.peek(keyOf(id), RUN));
  return read.success ? read.data : null;
}

function keyOf(id: string): string {
  return hashOf(["mcp question", id]);
}
