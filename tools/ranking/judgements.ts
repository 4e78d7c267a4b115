import { EXACT_LIMIT, kemenyOrder, type Weights } from "./kemeny.ts";

/**
 * A pairwise judgement. The first item of the pair is shown as Event A.
 * `p`, 0 to 1, is the weight of `A comes first`: 0 or 1 for a plain answer, or the share of the two log-probabilities
 * if the server returns them. `valid` is false for an answer that is neither A nor B.
 */
export interface Judgement {
  p: number;
  valid: boolean;
}

/** Asks which of two items comes first. `a` is shown first. */
export type Ask = (a: number, b: number) => Promise<Judgement>;

/** Asks for the order of all items, shown in this sequence; null for an unreadable reply. */
export type AskList = (shown: readonly number[], draw: number) => Promise<number[] | null>;

/**
 * The order, the judgements it is based on, and the number of calls. `depth` is the length of the longest chain of
 * dependent calls.
 */
export interface Ranking {
  /** Items, the earliest first. */
  order: number[];
  /** `matrix[a][b]`: `p` of the judgement that showed a first; null if it was not asked or not valid. */
  matrix: (number | null)[][];
  /** `weight[a][b]`: total weight for a before b, from judgements and listwise votes. */
  weight: number[][];
  calls: number;
  depth: number;
  diagnostics: Diagnostics;
}

export interface Diagnostics {
  /** Pairs asked both ways, and those among them whose two answers contradict each other. */
  pairs_both_ways: number;
  contradictions: number;
  /** Number of triples with cyclic majorities. */
  cycles: number;
  /** Weight by which the order exceeds the second-best one; null without judgements or if n is too large. */
  margin: number | null;
  /**
   * Share of the weight that agrees with the order, 0 to 1; null if no pair was judged twice, so that judgements could
   * not disagree.
   */
  agreement: number | null;
  /** Replies that are not one of the requested answers. */
  invalid: number;
}

/** Collects the judgements of one ranking. Each ordered pair is asked at most once. */
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

/** Weights for a Kemeny order: each judgement adds `p` to one direction and `1 - p` to the other. */
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

/** Measures the consistency of the judgements for an order. `weight` also includes the votes of listwise replies. */
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

/**
 * Returns the triples a, b, c with majorities a before b, b before c, and c before a (Kendall and Babington Smith
 * 1940).
 */
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

/** Total weight that agrees with an order. */
export function agreement(weight: Weights, order: readonly number[]): number {
  let sum = 0;
  for (const [place, a] of order.entries())
    for (const b of order.slice(place + 1)) sum += weight[a]?.[b] ?? 0;
  return sum;
}

/** Weight by which the given order exceeds the best other order; negative if another order is better. */
function marginOf(weight: Weights, order: readonly number[]): number | null {
  if (weight.length < 2 || weight.length > EXACT_LIMIT) return null;
  const best = kemenyOrder(weight, () => 0);
  const given = agreement(weight, order);
  return given < best.agreeing - 1e-9 ? given - best.agreeing : (best.margin ?? null);
}
