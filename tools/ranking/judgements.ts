import { EXACT_LIMIT, kemenyOrder, type Weights } from "./kemeny.ts";

/**
 * One pairwise judgement, the first of the pair shown as Event A.
 * `p`: weight of `A comes first`, 0 to 1 (0 or 1 for a plain answer, the share of the two log-probabilities where the
 * server gives them). An answer that is neither A nor B is not `valid`.
 */
export interface Judgement {
  p: number;
  valid: boolean;
}

/** Asks which of two items comes first; `a` is shown first. */
export type Ask = (a: number, b: number) => Promise<Judgement>;

/** Asks for the whole order of items shown in this sequence; null when the reply held none. */
export type AskList = (shown: readonly number[], draw: number) => Promise<number[] | null>;

/** What was asked and said, and how long the chain of calls was that had to wait for each other. */
export interface Ranking {
  /** Items, the earliest first. */
  order: number[];
  /** `matrix[a][b]`: `p` of the judgement that showed a first; null where it was not asked or not valid. */
  matrix: (number | null)[][];
  /** `weight[a][b]`: all that speaks for a before b, judgements and listwise votes together. */
  weight: number[][];
  calls: number;
  depth: number;
  diagnostics: Diagnostics;
}

export interface Diagnostics {
  /** Pairs asked both ways, and those among them whose two answers name different items. */
  pairs_both_ways: number;
  contradictions: number;
  /** Triples of items whose majorities go round in a circle. */
  cycles: number;
  /** Weight by which the order beats the second-best one; null where nothing was judged or n is too large. */
  margin: number | null;
  /** Share of the weight that agrees with the order, 0 to 1; null where no pair was judged twice, so that nothing could disagree. */
  agreement: number | null;
  /** Replies that were neither of the answers asked for. */
  invalid: number;
}

/** Collects judgements of one ranking. Each ordered pair is asked at most once. */
export interface Tally {
  ask: Ask;
  matrix: (number | null)[][];
  calls(): number;
  invalid(): number;
}

export function tally(n: number, ask: Ask): Tally {
  const matrix = Array.from({ length: n }, () => new Array<number | null>(n).fill(null));
  const asked = new Map<number, Promise<Judgement>>();
  let invalid = 0;
  return {
    matrix,
    calls: () => asked.size,
    invalid: () => invalid,
    ask(a, b) {
      const key = a * n + b;
      const before = asked.get(key);
      if (before !== undefined) return before;
      const answer = ask(a, b).then((judgement) => {
        if (judgement.valid) (matrix[a] as (number | null)[])[b] = judgement.p;
        else invalid++;
        return judgement;
      });
      asked.set(key, answer);
      return answer;
    },
  };
}

/** Weights for a Kemeny order: each judgement gives `p` to one direction and `1 - p` to the other. */
export function weightsOf(matrix: readonly (readonly (number | null)[])[]): number[][] {
  const weight = matrix.map((row) => row.map(() => 0));
  for (const [a, row] of matrix.entries())
    for (const [b, p] of row.entries()) {
      if (p === null || a === b) continue;
      (weight[a] as number[])[b] = (weight[a]?.[b] ?? 0) + p;
      (weight[b] as number[])[a] = (weight[b]?.[a] ?? 0) + 1 - p;
    }
  return weight;
}

/** How consistent the judgements were, whatever order was made of them. `weight` also holds votes of listwise replies. */
export function diagnose(
  matrix: readonly (readonly (number | null)[])[],
  weight: Weights,
  order: readonly number[],
  invalid: number,
): Diagnostics {
  let both = 0;
  let contradictions = 0;
  let total = 0;
  let twice = false;
  for (let a = 0; a < matrix.length; a++)
    for (let b = a + 1; b < matrix.length; b++) {
      const judged = (weight[a]?.[b] ?? 0) + (weight[b]?.[a] ?? 0);
      total += judged;
      twice ||= judged > 1 + 1e-9;
      const forward = matrix[a]?.[b];
      const backward = matrix[b]?.[a];
      if (forward == null || backward == null) continue;
      both++;
      if (forward > 0.5 === backward > 0.5) contradictions++;
    }
  return {
    pairs_both_ways: both,
    contradictions,
    cycles: cyclicTriples(weight).length,
    margin: total > 0 ? marginOf(weight, order) : null,
    agreement: twice ? Math.min(1, agreement(weight, order) / total) : null,
    invalid,
  };
}

/** Triples a, b, c with majorities a before b, b before c, c before a (Kendall and Babington Smith 1940). */
export function cyclicTriples(weight: Weights): [number, number, number][] {
  const n = weight.length;
  const beats = (a: number, b: number) => (weight[a]?.[b] ?? 0) > (weight[b]?.[a] ?? 0);
  const found: [number, number, number][] = [];
  for (let a = 0; a < n; a++)
    for (let b = a + 1; b < n; b++)
      for (let c = b + 1; c < n; c++)
        if (
          (beats(a, b) && beats(b, c) && beats(c, a)) ||
          (beats(b, a) && beats(c, b) && beats(a, c))
        )
          found.push([a, b, c]);
  return found;
}

/** Judged weight that agrees with an order. */
export function agreement(weight: Weights, order: readonly number[]): number {
  let sum = 0;
  for (const [place, a] of order.entries())
    for (const b of order.slice(place + 1)) sum += weight[a]?.[b] ?? 0;
  return sum;
}

/** Negative when another order agrees with more of what was judged than the given one. */
function marginOf(weight: Weights, order: readonly number[]): number | null {
  if (weight.length < 2 || weight.length > EXACT_LIMIT) return null;
  const best = kemenyOrder(weight, () => 0);
  const given = agreement(weight, order);
  return given < best.agreeing - 1e-9 ? given - best.agreeing : (best.margin ?? null);
}
