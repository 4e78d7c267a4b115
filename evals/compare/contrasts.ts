import type { MetricItem } from "../score/metrics.ts";
import { compareRuns, type Difference, holm, type Pair } from "../statistics/paired-statistics.ts";

/* Compares two runs by one metric, over all questions and by group. */

/** The difference between two runs in a group, by a metric, or over all questions. `p_holm` is adjusted over its family of tests. */
export interface Contrast extends Difference {
  kind: string;
  group: string;
  a: number;
  b: number;
  p_holm: number;
}

/** The values of one item of a metric in both runs. */
export interface ItemPair extends Pair {
  question: string;
  groups: Record<string, string>;
}

/** Pairs the items that both runs have, in the order of the first run. */
export function pairItems(a: readonly MetricItem[], b: readonly MetricItem[]): ItemPair[] {
  const others = new Map(b.map((item) => [item.id, item]));
  return a.flatMap(({ id, question, cluster, groups, value }) => {
    const other = others.get(id);
    if (other === undefined) return [];
    return [
      { question, cluster, groups: { ...other.groups, ...groups }, a: value, b: other.value },
    ];
  });
}

/** Computes one contrast. Throws `Failure` `wrong-usage` if there are no pairs. */
export function contrast(
  kind: string,
  group: string,
  pairs: readonly Pair[],
  seed: number,
): Contrast {
  const mean = (of: (pair: Pair) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const difference = compareRuns(pairs, { seed });
  return {
    kind,
    group,
    a: mean((pair) => pair.a),
    b: mean((pair) => pair.b),
    ...difference,
    p_holm: difference.p,
  };
}

/** Contrasts for every known kind of group, with Holm's correction over the groups of a kind. */
export function groupContrasts(
  pairs: readonly ItemPair[],
  unknown: readonly string[],
  seed: number,
): Contrast[] {
  const kinds = [...new Set(pairs.flatMap((pair) => Object.keys(pair.groups)))];
  return kinds
    .filter((kind) => !unknown.includes(kind))
    .flatMap((kind) => {
      const having = pairs.filter((pair) => pair.groups[kind] !== undefined);
      const found = [...Map.groupBy(having, (pair) => pair.groups[kind] ?? "")]
        .sort(([x], [y]) => x.localeCompare(y, "en", { numeric: true }))
        .map(([group, members]) => contrast(kind, group, members, seed));
      return withHolm(found);
    });
}

/** Applies Holm's correction over these contrasts. */
export function withHolm(found: readonly Contrast[]): Contrast[] {
  const adjusted = holm(found.map(({ p }) => p));
  return found.map((one, place) => ({ ...one, p_holm: adjusted[place] ?? one.p }));
}
