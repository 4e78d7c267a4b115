import { readOpenAnswer } from "../../graphs/replies/open-answer.ts";
import { isOrder } from "../../graphs/replies/order/clip-lists.ts";
import { soundOrder } from "../../graphs/replies/order/sound-order.ts";
import { partialPositions } from "./partial-order.ts";
import type { Sample } from "./sample.ts";
import type { Extraction, ScoredReply } from "./scored-reply.ts";
import { namesForeignLetter, soundLetter } from "./sound-letter.ts";

/* How the answers of every task are read at the end of a reply. */

/** The extractor `sound` of benchmarks with several tasks: a letter, an order, or the text of an open answer. */
export function soundAnswer(reply: string, sample: Sample): Extraction {
  switch (sample.task) {
    case "choice":
      return soundLetter(reply, sample);
    case "order":
      return soundOrder(reply, sample.answer.length);
    case "open":
      return openAnswer(reply);
  }
}

function openAnswer(reply: string): Extraction {
  const { answer, how } = readOpenAnswer(reply);
  return { answer, how };
}

/** Whether a reply to a choice settles on a letter that the question does not offer. */
export function namesForeignChoice(reply: string, sample: Sample): boolean {
  return sample.task === "choice" && namesForeignLetter(reply, sample);
}

/**
 * Which places of an order are right, by the best match of a partial order (`partialPositions`) if the sample has one; all
 * false without a comparable order, and empty for other questions.
 */
export function orderPositions({
  sample,
  extraction,
}: Pick<ScoredReply, "sample"> & {
  extraction: Pick<Extraction, "answer"> | null;
}): boolean[] {
  if (!Array.isArray(sample.answer)) return [];
  const order = extraction?.answer;
  if (!Array.isArray(order) || !isOrder(order, sample.answer.length))
    return sample.answer.map(() => false);
  return sample.partial_order === undefined
    ? sample.answer.map((clip, place) => order[place] === clip)
    : partialPositions(order, sample.partial_order);
}
