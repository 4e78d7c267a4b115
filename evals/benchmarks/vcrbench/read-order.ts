import { isOrder } from "../../../graphs/replies/order/clip-lists.ts";
import { firstInteger, PYTHON_SPACE } from "../python-text.ts";
import type { Sample } from "../sample.ts";
import type { Extraction } from "../scored-reply.ts";

/* How an order of clips is read from a reply. */

/**
 * The released parser (VCRBench `process.py`): `*` deleted, text cut after sentence marks and at line ends, each piece
 * split at commas, the first integer of every field kept; the first piece that contains a permutation counts.
 */
export function officialOrder(reply: string, clips: number): Extraction {
  const pieces = reply
    .replaceAll("*", "")
    .split(new RegExp(`(?<=[.!?])${PYTHON_SPACE}+|\\n+`, "u"));
  for (const [position, piece] of pieces.entries()) {
    const numbers = piece
      .split(",")
      .map(firstInteger)
      .filter((number) => number !== undefined);
    if (isOrder(numbers, clips)) return { answer: numbers, how: `sentence ${position + 1}` };
  }
  return { answer: null, how: "no sentence is a permutation" };
}

/** Whether a reply orders another number of clips than its question has. */
export function ordersOtherClips(reply: string, { answer }: Sample): boolean {
  if (officialOrder(reply, answer.length).answer !== null) return false;
  return [2, 3, 4, 5, 6, 7, 8].some((clips) => officialOrder(reply, clips).answer !== null);
}
