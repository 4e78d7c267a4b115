import { combinations, type OutcomeTable } from "../../../evals/attribution/outcome-table.ts";
import { shapleyWeights } from "../../../evals/attribution/shapley.ts";
import { seeded } from "../../../src/core/random.ts";

/*
 * Worlds in which every stage errs with a known probability, and the probability of a right answer is known for every
 * set of stages in error, interactions included. So v(S), the Shapley values and the variance of their estimate are
 * sums over all sets of errors, without any simulation.
 */

/** Videos of one kind. */
export interface VideoKind {
  /** Share of the videos. */
  share: number;
  /** Probability of each set of stages in error, by bitmask; sums to 1. */
  errors: number[];
  /** Probability of a right answer with each set of stages in error, by bitmask. */
  right: number[];
  /** Numbers of questions of a video, equally likely. */
  questions: number[];
}

export interface World {
  name: string;
  stages: number;
  videos: number;
  kinds: VideoKind[];
  /**
   * `independent`: a question has an outcome of its own for each set of errors; `latent`: it has one difficulty, so that
   * fewer errors never make a right answer wrong if `right` falls with them. Arms with the same errors have one outcome.
   */
  outcomes: "independent" | "latent";
  /** Probability that all questions of a video have the same errors and outcomes. */
  alike: number;
}

/** Stages that err independently of each other, as `VideoKind.errors`. */
export function independentErrors(rates: readonly number[]): number[] {
  return combinations(rates.length).map((mask) =>
    rates.reduce((all, rate, stage) => all * (mask & (1 << stage) ? rate : 1 - rate), 1),
  );
}

const mean = (kinds: readonly VideoKind[], of: (kind: VideoKind) => number) =>
  kinds.reduce((sum, kind) => sum + kind.share * of(kind), 0);
const average = (values: readonly number[], of = (value: number) => value) =>
  values.reduce((sum, value) => sum + of(value), 0) / values.length;

/** v(S) of every set of stages made right. */
export function trueAccuracies({ stages, kinds }: World): number[] {
  const questions = mean(kinds, (kind) => average(kind.questions));
  return combinations(stages).map(
    (gold) =>
      mean(
        kinds,
        ({ errors, right, questions: of }) =>
          errors.reduce((sum, p, set) => sum + p * (right[set & ~gold] as number), 0) * average(of),
      ) / questions,
  );
}

/** The Shapley value of a stage as the mean over all orders of the stages: the definition, not the weights. */
export function trueValue(world: World, stage: number): number {
  const v = trueAccuracies(world);
  const orders = permutations(Array.from({ length: world.stages }, (_, at) => at));
  return average(
    orders.map((order) => {
      const before = order.slice(0, order.indexOf(stage)).reduce((set, one) => set | (1 << one), 0);
      return (v[before | (1 << stage)] as number) - (v[before] as number);
    }),
  );
}

function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

/** The standard error of the mean Shapley value of a stage over the world's questions: the ratio of the sums of videos. */
export function trueStandardError(world: World, stage: number): number {
  const { kinds, videos, alike } = world;
  const truth = trueValue(world, stage);
  const questions = mean(kinds, (kind) => average(kind.questions));
  const variance = mean(kinds, (kind) => {
    const { mean: centre, variance: own } = valueOfQuestion(world, kind, stage);
    return average(
      kind.questions,
      (m) => (m * (centre - truth)) ** 2 + own * (alike * m ** 2 + (1 - alike) * m),
    );
  });
  return Math.sqrt(variance / videos) / questions;
}

/** Mean and variance of one question's Shapley value, over its errors and outcomes. */
function valueOfQuestion({ stages, outcomes }: World, { errors, right }: VideoKind, stage: number) {
  const weights = shapleyWeights(stages, stage);
  let first = 0;
  let second = 0;
  for (const [set, p] of errors.entries()) {
    if (p === 0) continue;
    /** By remaining errors, the total weight of the arms that leave them. */
    const byRest = new Map<number, number>();
    for (const gold of combinations(stages)) {
      const rest = set & ~gold;
      byRest.set(rest, (byRest.get(rest) ?? 0) + (weights[gold] as number));
    }
    const chance = (rest: number) => right[rest] as number;
    const centre = [...byRest].reduce((sum, [rest, weight]) => sum + weight * chance(rest), 0);
    const square =
      outcomes === "independent"
        ? centre ** 2 +
          [...byRest].reduce(
            (sum, [rest, weight]) => sum + weight ** 2 * chance(rest) * (1 - chance(rest)),
            0,
          )
        : latentSquare(byRest, chance);
    first += p * centre;
    second += p * square;
  }
  return { mean: first, variance: second - first ** 2 };
}

/** Mean square of the weighted outcomes if each is right exactly where a uniform number is below its chance. */
function latentSquare(byRest: ReadonlyMap<number, number>, chance: (rest: number) => number) {
  const cuts = [...new Set([0, 1, ...[...byRest.keys()].map(chance)])].sort((a, b) => a - b);
  return cuts.slice(1).reduce((sum, to, at) => {
    const from = cuts[at] as number;
    const total = [...byRest].reduce(
      (all, [rest, weight]) => all + (chance(rest) >= to ? weight : 0),
      0,
    );
    return sum + (to - from) * total ** 2;
  }, 0);
}

/** One outcome table drawn from the world. */
export function drawTable(world: World, seed: string): OutcomeTable {
  const { stages, videos, kinds, outcomes, alike } = world;
  const random = seeded("world", world.name, seed);
  const masks = combinations(stages);
  const arms: number[][] = masks.map(() => []);
  const clusters: string[] = [];
  const drawQuestion = ({ errors, right }: VideoKind) => {
    const set = pick(errors, random());
    const difficulty = random();
    const byRest = masks.map(
      (rest) => (outcomes === "latent" ? difficulty : random()) < (right[rest] as number),
    );
    return masks.map((gold) => Number(byRest[set & ~gold]));
  };
  for (let video = 0; video < videos; video++) {
    const kind = kinds[
      pick(
        kinds.map(({ share }) => share),
        random(),
      )
    ] as VideoKind;
    const count = kind.questions[Math.floor(random() * kind.questions.length)] as number;
    const common = random() < alike ? drawQuestion(kind) : null;
    for (let question = 0; question < count; question++) {
      const scores = common ?? drawQuestion(kind);
      for (const mask of masks) arms[mask]?.push(scores[mask] as number);
      clusters.push(`v${video}`);
    }
  }
  return {
    stages: Array.from({ length: stages }, (_, at) => `stage ${at + 1}`),
    samples: clusters.map((_, at) => String(at)),
    clusters,
    arms,
  };
}

/** The place in `shares`, which sum to 1, at which a uniform number falls. */
function pick(shares: readonly number[], at: number): number {
  let below = 0;
  for (const [place, share] of shares.entries()) {
    below += share;
    if (at < below) return place;
  }
  return shares.length - 1;
}
