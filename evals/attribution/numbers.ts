import { seeded } from "../../src/core/random.ts";
import { compareRuns, type Difference } from "../statistics/paired-statistics.ts";
import { FEWEST_CLUSTERS, type Mean, meanShare, quantile } from "../statistics/statistics.ts";

/* Which stage the errors come from. Pure; randomness comes from a seed. */

/** One question ordered from recognised and from gold descriptions. Scores are 0 to 1. */
export interface Ordered {
  recognised: number;
  gold: number;
  /** Questions on one source are not independent. */
  cluster: string;
}

/** A share of the errors with its paired cluster bootstrap, 95 %. Not cut to 0..1: below 0 gold descriptions do harm. */
export interface Share {
  share: number;
  low: number;
  high: number;
}

/** One score with recognised and with gold descriptions. Shares from 0 to 1. */
export interface Attribution {
  recognised: number;
  gold: number;
  /** Gold less recognised: the points that recognition costs. */
  difference: Difference;
  /** 1 less gold: the points that are still missing with gold descriptions. */
  left: Mean;
  /** Clusters with an error from recognised descriptions. */
  clusters_with_errors: number;
  /** Of the errors with recognised descriptions: those that go with gold ones, and those that stay. They add up to 1. */
  shares: { recognition: Share; reasoning: Share } | null;
}

const DRAWS = 10_000;

/**
 * Shares out the errors of ordering recognised descriptions: what gold descriptions put right is recognition's, the
 * rest reasoning's. Points always; shares only if at least 20 clusters hold errors, since a ratio over fewer jumps with
 * every one of them, else null. Throws `Failure` `wrong-usage` without items.
 */
export function attribute(items: readonly Ordered[], seed: number): Attribution {
  const difference = compareRuns(
    items.map(({ recognised, gold, cluster }) => ({ a: recognised, b: gold, cluster })),
    { seed },
  );
  const clusters = [...Map.groupBy(items, ({ cluster }) => cluster).values()].map((members) => ({
    errors: members.reduce((sum, item) => sum + 1 - item.recognised, 0),
    left: members.reduce((sum, item) => sum + 1 - item.gold, 0),
  }));
  const clusters_with_errors = clusters.filter(({ errors }) => errors > 1e-9).length;
  const mean = (of: (item: Ordered) => number) =>
    items.reduce((sum, item) => sum + of(item), 0) / items.length;
  return {
    recognised: mean((item) => item.recognised),
    gold: mean((item) => item.gold),
    difference,
    left: meanShare(items.map(({ gold, cluster }) => ({ value: 1 - gold, cluster }))),
    clusters_with_errors,
    shares: clusters_with_errors < FEWEST_CLUSTERS ? null : sharesOf(clusters, seed),
  };
}

interface ClusterErrors {
  errors: number;
  left: number;
}

function sharesOf(
  clusters: readonly ClusterErrors[],
  seed: number,
): NonNullable<Attribution["shares"]> {
  const shareOf = (drawn: readonly ClusterErrors[]) => {
    const errors = drawn.reduce((sum, one) => sum + one.errors, 0);
    return errors < 1e-9 ? null : drawn.reduce((sum, one) => sum + one.left, 0) / errors;
  };
  const random = seeded("attribution", seed);
  const draws = Array.from({ length: DRAWS }, () =>
    shareOf(clusters.flatMap(() => clusters[Math.floor(random() * clusters.length)] ?? [])),
  )
    .filter((share) => share !== null)
    .sort((a, b) => a - b);
  const share = shareOf(clusters) ?? 0;
  const [low, high] = [quantile(draws, 0.025), quantile(draws, 0.975)];
  return {
    reasoning: { share, low, high },
    recognition: { share: 1 - share, low: 1 - high, high: 1 - low },
  };
}
