/*
 * Two ways in which a reply lists clip numbers without having looked (VCRBench, figure 6: models "merely list
 * consecutive numbers as the predicted order", some of them up to their longest reply).
 */

/** Whether the order read from a reply is 1, 2, ..., n: the order in which the clips are shown. */
export function isIdentityOrder(answer: string | readonly number[] | null): boolean {
  return Array.isArray(answer) && answer.every((clip, place) => clip === place + 1);
}

/** A number, an ellipsis, what may separate the numbers of a list, or any other sign, which ends the list. */
const TOKENS = /(\d+)|(\.{3,}|…)|(?:clips?|and|then)\b|[\s,;>→#*–—-]+|(.)/gisu;

/**
 * Whether a reply counts past the number of clips: a list of numbers from 1 upwards, each one more than the last, that
 * reaches a number above `clips`. An ellipsis in the list represents the numbers that it leaves out.
 */
export function isRunawayList(reply: string, clips: number): boolean {
  let last = Number.NaN;
  let elided = false;
  for (const [, digits, ellipsis, other] of reply.matchAll(TOKENS)) {
    if (other !== undefined) last = Number.NaN;
    else if (ellipsis !== undefined) elided = true;
    else if (digits !== undefined) {
      const number = Number(digits);
      const follows = number === last + 1 || (elided && number > last);
      last = follows || number === 1 ? number : Number.NaN;
      elided = false;
      if (last > clips) return true;
    }
  }
  return false;
}
