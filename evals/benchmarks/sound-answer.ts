import { isOrder } from "../../graphs/replies/order/clip-lists.ts";
import { soundOrder } from "../../graphs/replies/order/sound-order.ts";
import { withoutCitations } from "../../graphs/replies/parse-citations.ts";
import { finalPart } from "../../graphs/replies/visible-reply.ts";
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

/** Whether a reply to a choice settles on a letter that the question does not offer. */
export function namesForeignChoice(reply: string, sample: Sample): boolean {
  return sample.task === "choice" && namesForeignLetter(reply, sample);
}

/** The text after the last `Answer:` outside reasoning, or the whole reply. A refusal in the words of the prompts is no answer. */
function openAnswer(reply: string): Extraction {
  const final = withoutCitations(finalPart(reply)).trim();
  if (final === "") return { answer: null, how: "an empty reply" };
  if (/^\W*not answered\W*$/i.test(final))
    return { answer: null, how: "the reply is not an answer" };
  const labels = [...final.matchAll(/(?:^|\n)[#>*_\s]*(?:final )?answer[*_\s]*[:：][*_\s]*/gi)];
  const last = labels.at(-1);
  if (last === undefined) return { answer: final, how: "the whole reply" };
  const said = final
    .slice(last.index + last[0].length)
    .replace(/[*_\s]+$/, "")
    .trim();
  return said === ""
    ? { answer: null, how: "nothing after `Answer:`" }
    : { answer: said, how: "after `Answer:`" };
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
