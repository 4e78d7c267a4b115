import type { ReadTerm } from "./reading.ts";

/* Whether the evidence denies what it mentions. */

export const NEGATION =
  /^(?:not|no|never|none|nothing|neither|nor|without|cannot|hardly|\w+n['’]t)$/i;
/** Words from a negation on that affirm what follows: `not only copper`, `none other than Michelangelo`. */
const AFFIRMATION =
  /^(?:not (?:just|least|merely|only)|none other than|no doubt|without (?:a )?doubt)\b/i;
const INSTEAD =
  /(?:\b(?:instead of|rather than|unlike|except(?: for)?|as opposed to)|(?<!\bnone )\bother than)\s+(?:\S+\s+){0,2}$/i;
/** A clause that states what people think, which is mostly said to correct it. */
const BELIEF =
  /\b(?:believes?d?|think|thought|assumed?|guess|myth|mistaken(?:ly)?|wrongly|falsely|expected|supposed(?:ly)?)\b/i;
/** What speakers say that they believe, they state. */
const OWN_BELIEF = /\b(?:I|we) (?:also |still |\w+ly )?(?:assume|believe|guess|think)\b/gi;

/** Words before a mention in which a negation denies it. */
const REACH = 5;

/** Whether a term is denied by the words of its clause before it. */
export function isDenied(
  term: ReadTerm,
  { clauses }: { clauses: ReadonlyMap<number, ReadTerm[]> },
): boolean {
  const before = (clauses.get(term.clause) ?? []).filter(({ start }) => start < term.start);
  const wordsFrom = (at: number) =>
    `${before
      .map(({ word }) => word)
      .slice(at)
      .join(" ")} `;
  const isNegated = before.some(
    ({ word, place }, at) =>
      term.place - place <= REACH && NEGATION.test(word) && !AFFIRMATION.test(wordsFrom(at)),
  );
  if (isNegated) return true;
  const text = wordsFrom(0);
  return INSTEAD.test(text) || BELIEF.test(text.replace(OWN_BELIEF, ""));
}

/** Whether a term is what something else is compared with: `granite` of "basalt is denser than granite". */
export function isCompared(
  term: ReadTerm,
  { clauses }: { clauses: ReadonlyMap<number, ReadTerm[]> },
): boolean {
  return (clauses.get(term.clause) ?? []).some(
    ({ word, start, place }) =>
      /^than$/i.test(word) && start < term.start && term.place - place <= REACH,
  );
}
