import { seeded } from "../../src/core/random.ts";
import type { MetricItem } from "../score/metrics.ts";
import { clusterTotals, FEWEST_CLUSTERS, quantile } from "../statistics/statistics.ts";

/** Mean accuracy of a strategy over the common range of budgets, on a logarithmic scale. */
export interface FrontierArea {
  /** With the model if the runs have several. */
  strategy: string;
  points: number;
  area: number;
  /** Paired cluster bootstrap, 95 %; null with fewer than 20 videos. */
  low: number | null;
  high: number | null;
}

/** A run with its budget per question. */
export interface AreaArm {
  strategy: string;
  spent: number;
  items: readonly MetricItem[];
}

const DRAWS = 2000;

/**
 * The areas of all strategies with several budgets over the range of budgets that they have in common. Arms have the same
 * questions.
 */
export function areasOf(
  arms: readonly AreaArm[],
  seed: number,
): { range: { from: number; to: number } | null; areas: FrontierArea[] } {
  const curves = curvesOf(arms);
  const from = Math.max(...curves.map(({ of }) => Math.min(...of.map(({ spent }) => spent))));
  const to = Math.min(...curves.map(({ of }) => Math.max(...of.map(({ spent }) => spent))));
  if (curves.length < 2 || !(from < to)) return { range: null, areas: [] };
  const clusters = [...new Set((arms[0] as AreaArm).items.map(({ cluster }) => cluster))];
  const totals = new Map(
    curves.flatMap(({ of }) =>
      of.map((arm) => {
        const byCluster = Map.groupBy(arm.items, ({ cluster }) => cluster);
        return [
          arm,
          clusters.map(
            (cluster) => clusterTotals(byCluster.get(cluster) ?? [])[0] ?? { sum: 0, count: 0 },
          ),
        ] as const;
      }),
    ),
  );
  const random = seeded("frontier", seed);
  const draws = Array.from({ length: DRAWS }, () =>
    clusters.map(() => Math.floor(random() * clusters.length)),
  );
  const areaOver = (of: readonly AreaArm[], drawn: readonly number[] | null) => {
    const places = drawn ?? clusters.map((_, place) => place);
    const points = of.map((arm) => {
      const own = totals.get(arm) as { sum: number; count: number }[];
      let sum = 0;
      let count = 0;
      for (const place of places) {
        sum += own[place]?.sum ?? 0;
        count += own[place]?.count ?? 0;
      }
      return { x: Math.log(arm.spent), y: sum / count };
    });
    return meanHeight(points, Math.log(from), Math.log(to));
  };
  return {
    range: { from, to },
    areas: curves.map(({ strategy, of }) => {
      const sampled =
        clusters.length < FEWEST_CLUSTERS
          ? null
          : draws.map((drawn) => areaOver(of, drawn)).sort((a, b) => a - b);
      return {
        strategy,
        points: of.length,
        area: areaOver(of, null),
        low: sampled === null ? null : quantile(sampled, 0.025),
        high: sampled === null ? null : quantile(sampled, 0.975),
      };
    }),
  };
}

/** The strategies with several budgets, each with its runs; a budget of 0 has no place on a logarithmic scale. */
export function curvesOf<A extends Pick<AreaArm, "strategy" | "spent">>(
  arms: readonly A[],
): { strategy: string; of: A[] }[] {
  const spending = arms.filter(({ spent }) => spent > 0);
  return [...Map.groupBy(spending, ({ strategy }) => strategy)]
    .map(([strategy, of]) => ({ strategy, of }))
    .filter(({ of }) => new Set(of.map(({ spent }) => spent)).size > 1);
}

/** Mean height of the piecewise linear curve through the points between two x values; points at one x are averaged. */
export function meanHeight(
  points: readonly { x: number; y: number }[],
  from: number,
  to: number,
): number {
  const line = [...Map.groupBy(points, ({ x }) => x)]
    .map(([x, of]) => ({ x, y: of.reduce((sum, { y }) => sum + y, 0) / of.length }))
    .sort((a, b) => a.x - b.x);
  let area = 0;
  for (let next = 1; next < line.length; next++) {
    const [a, b] = [line[next - 1], line[next]] as [
      { x: number; y: number },
      { x: number; y: number },
    ];
    const [left, right] = [Math.max(a.x, from), Math.min(b.x, to)];
    if (right <= left) continue;
    const at = (x: number) => a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
    area += ((at(left) + at(right)) / 2) * (right - left);
  }
  return area / (to - from);
}
