import type { MetricItem } from "../score/metrics.ts";
import { compareRuns, type Difference, holm, type Pair } from "../statistics/paired-statistics.ts";

/* Two runs by one metric, over all questions and by group. */

/** One group, one metric or all questions in both runs; `p_holm` is adjusted over the tests it was made with. */
export interface Contrast extends Difference {
  kind: string;
  group: string;
  a: number;
  b: number;
  p_holm: number;
}

/** One item of a metric in both runs. */
export interface ItemPair extends Pair {
  question: string;
  groups: Record<string, string>;
}

/** The items that both runs have, in the order of the first. */
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

/** Throws `Failure` `wrong-usage` without pairs. */
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

/** By every kind of group but the unknown ones, with Holm's correction over the groups of a kind. */
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

/** Holm's correction over these contrasts. */
export function withHolm(found: readonly Contrast[]): Contrast[] {
  const adjusted = holm(found.map(({ p }) => p));
  return found.map((one, place) => ({ ...one, p_holm: adjusted[place] ?? one.p }));
}
