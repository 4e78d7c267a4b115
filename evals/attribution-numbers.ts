import { seeded } from "../src/core/random.ts";
import { compareRuns, type Difference } from "./paired-statistics.ts";
import { quantile } from "./statistics.ts";

/* Which stage the errors come from. Pure; randomness comes from a seed. */

/** One question ordered from recognised and from gold descriptions. Scores are 0 to 1. */
export interface Ordered {
  recognised: number;
  gold: number;
  /** Questions on one source are not independent. */
  cluster: string;
}

/** A share with its paired cluster bootstrap, 95 %; null where there was no error to share out, or a single cluster. */
export interface Share {
  share: number | null;
  low: number | null;
  high: number | null;
}

export interface Attribution {
  recognised: number;
  gold: number;
  /** Gold less recognised. */
  difference: Difference;
  /** Of the errors with recognised descriptions: those that go with gold ones, and those that stay. They add up to 1. */
  recognition: Share;
  reasoning: Share;
}

const DRAWS = 10_000;

/**
 * Shares out the errors of ordering recognised descriptions: what gold descriptions put right is recognition's, the
 * rest reasoning's. A share below 0 says that gold descriptions did harm. Throws `Failure` `wrong-usage` without items.
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
  const shareOf = (drawn: readonly { errors: number; left: number }[]) => {
    const errors = drawn.reduce((sum, one) => sum + one.errors, 0);
    return errors < 1e-9 ? null : drawn.reduce((sum, one) => sum + one.left, 0) / errors;
  };
  const random = seeded("attribution", seed);
  const draws = Array.from({ length: DRAWS }, () =>
    shareOf(clusters.flatMap(() => clusters[Math.floor(random() * clusters.length)] ?? [])),
  )
    .filter((share) => share !== null)
    .sort((a, b) => a - b);
  const share = shareOf(clusters);
  const known = draws.length > 0 && clusters.length > 1;
  const [low, high] = known ? [quantile(draws, 0.025), quantile(draws, 0.975)] : [null, null];
  const mean = (of: (item: Ordered) => number) =>
    items.reduce((sum, item) => sum + of(item), 0) / items.length;
  return {
    recognised: mean((item) => item.recognised),
    gold: mean((item) => item.gold),
    difference,
    reasoning: { share, low, high },
    recognition: {
      share: share === null ? null : 1 - share,
      low: high === null ? null : 1 - high,
      high: low === null ? null : 1 - low,
    },
  };
}
