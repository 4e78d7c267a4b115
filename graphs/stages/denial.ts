import type { ReadTerm } from "./reading.ts";

/* Whether the evidence denies what it mentions. */

export const NEGATION =
  /^(?:not|no|never|none|nothing|neither|nor|without|cannot|hardly|\w+n['’]t)$/i;
const INSTEAD =
  /\b(?:instead of|rather than|unlike|except(?: for)?|as opposed to|other than)\s+(?:\S+\s+){0,2}$/i;
/** A clause that states what people think, which is mostly said to correct it. */
const BELIEF =
  /\b(?:believes?d?|think|thought|assumed?|guess|myth|mistaken(?:ly)?|wrongly|falsely|expected|supposed(?:ly)?)\b/i;

/** Words before a mention in which a negation denies it. */
const REACH = 5;

/** Whether a term is denied by the words of its clause before it. */
export function isDenied(
  term: ReadTerm,
  { clauses }: { clauses: ReadonlyMap<number, ReadTerm[]> },
): boolean {
  const before = (clauses.get(term.clause) ?? []).filter(({ start }) => start < term.start);
  const text = `${before.map(({ word }) => word).join(" ")} `;
  const near = before.filter(({ place }) => term.place - place <= REACH);
  if (near.some(({ word }) => NEGATION.test(word))) return true;
  return INSTEAD.test(text) || BELIEF.test(text);
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
