/** `weight[a][b]`: weight for a before b, not negative. */
export type Weights = readonly (readonly number[])[];

export interface KemenyOrder {
  order: number[];
  /** Weight that agrees with the order. */
  agreeing: number;
  /** Weight by which the order exceeds the second-best order; 0 for a tie, null if n < 2. */
  margin: number | null;
}

/** Largest n for which the exact method with its 2^n states is used. */
export const EXACT_LIMIT = 12;

const EPSILON = 1e-9;

interface Partial {
  agreeing: number;
  borda: number;
  lot: number;
  last: number;
  /** Rank among the two best orders of the state without `last`. */
  rank: 0 | 1;
}

/**
 * Returns the order with the least contradicted weight (Kemeny 1959), found exactly by dynamic programming over subsets
 * (O(2^n n^2)). Ties are broken by the Borda score, then at random with `random`. Throws a RangeError for n above
 * `EXACT_LIMIT`.
 */
export function kemenyOrder(weight: Weights, random: () => number): KemenyOrder {
  const n = weight.length;
  if (n > EXACT_LIMIT) throw new RangeError(`Expected at most ${EXACT_LIMIT} items, got ${n}.`);
  if (n < 2) return { order: n === 0 ? [] : [0], agreeing: 0, margin: null };
  const borda = bordaScores(weight);
  const lots = weight.map(() => weight.map(() => random()));
  const states: Partial[][] = new Array(1 << n);
  states[0] = [{ agreeing: 0, borda: 0, lot: 0, last: -1, rank: 0 }];
  for (let set = 1; set < 1 << n; set++) {
    const position = bits(set) - 1;
    const best: Partial[] = [];
    for (let last = 0; last < n; last++) {
      if ((set & (1 << last)) === 0) continue;
      const before = set ^ (1 << last);
      let gain = 0;
      for (let item = 0; item < n; item++)
        if ((before & (1 << item)) !== 0) gain += weight[item]?.[last] ?? 0;
      for (const [rank, prefix] of (states[before] as Partial[]).entries())
        keepTwo(best, {
          agreeing: prefix.agreeing + gain,
          borda: prefix.borda - position * (borda[last] ?? 0),
          lot: prefix.lot + (lots[last]?.[position] ?? 0),
          last,
          rank: rank as 0 | 1,
        });
    }
    states[set] = best;
  }
  const [first, second] = states[(1 << n) - 1] as [Partial, Partial];
  return {
    order: trace(states, n),
    agreeing: first.agreeing,
    margin: Math.max(0, first.agreeing - second.agreeing),
  };
}

/** Sum of the weights for each item before all others (Borda count on pairwise weights). */
export function bordaScores(weight: Weights): number[] {
  return weight.map((row, item) =>
    row.reduce((sum, value, other) => (other === item ? sum : sum + value), 0),
  );
}

function keepTwo(best: Partial[], candidate: Partial): void {
  const [first, second] = best;
  if (first === undefined || better(candidate, first)) {
    best.unshift(candidate);
    best.length = Math.min(best.length, 2);
  } else if (second === undefined || better(candidate, second)) best[1] = candidate;
}

function better(a: Partial, b: Partial): boolean {
  if (Math.abs(a.agreeing - b.agreeing) > EPSILON) return a.agreeing > b.agreeing;
  if (Math.abs(a.borda - b.borda) > EPSILON) return a.borda > b.borda;
  return a.lot > b.lot;
}

function trace(states: readonly Partial[][], n: number): number[] {
  const order: number[] = [];
  let set = (1 << n) - 1;
  let rank: 0 | 1 = 0;
  while (set !== 0) {
    const { last, rank: next } = (states[set] as Partial[])[rank] as Partial;
    order.unshift(last);
    set ^= 1 << last;
    rank = next;
  }
  return order;
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}
