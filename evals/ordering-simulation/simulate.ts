import { setImmediate as breathe } from "node:timers/promises";
import { Failure } from "../../src/core/errors.ts";
import { seeded, shuffle } from "../../src/core/random.ts";
import type { Ask, AskList, Ranking } from "../../tools/ranking/judgements.ts";
import {
  allAtOnce,
  hybrid,
  mergeSort,
  tournament,
  tournamentAdaptive,
  vote,
} from "../../tools/ranking/methods.ts";

/* A simulation, not a measurement of any model: how ordering methods perform with a judge of known errors. */

/** Videos of VCRBench by number of clips (paper, figure 5 A). */
export const VCRBENCH_SIZES: ReadonlyMap<number, number> = new Map([
  [3, 126],
  [4, 105],
  [5, 80],
  [6, 30],
  [7, 24],
]);

/** How a simulated judge of pairs errs. */
export interface Judge {
  /** Share of pairs judged wrongly without bias, 0 to 0.5. */
  error: number;
  /** Bias of the judge towards the event shown first, in logits. */
  bias: number;
  /** Share of pairs whose two directions are judged by the same draw, 0 to 1. */
  shared: number;
}

/** One combination to simulate. */
export interface Cell extends Judge {
  draws: number;
  seed: number;
  /** Standard deviation of the noise on each position in a listwise reply, in positions. */
  listNoise: number;
}

/** What one ordering method reaches in a combination. */
export interface Row {
  method: string;
  /** Share of draws in exactly the right order, and of positions that are right, in percent. */
  exact: number;
  step: number;
  /** Means over draws. `depth`: calls that must wait for each other. */
  calls: number;
  depth: number;
}

/** Noise at which one simulated listwise call is about as exact as the paper's best listwise arm (54.2, table 3). */
export const LIST_NOISE = 0.72;

/** Listwise calls that `vote` makes. */
const VOTES = 5;

type Method = (n: number, ask: Ask, askList: AskList, seed: number) => Promise<Ranking>;

export const SIMULATED: readonly { name: string; listwise: boolean; run: Method }[] = [
  { name: "merge-sort", listwise: false, run: (n, ask) => mergeSort(n, ask) },
  { name: "tournament", listwise: false, run: (n, ask, _list, seed) => tournament(n, ask, [seed]) },
  {
    name: "tournament-adaptive",
    listwise: false,
    run: (n, ask, _list, seed) => tournamentAdaptive(n, ask, [seed]),
  },
  { name: "all-at-once", listwise: true, run: (n, _ask, list) => allAtOnce(n, list) },
  { name: "vote", listwise: true, run: (n, _ask, list, seed) => vote(n, list, VOTES, [seed]) },
  { name: "hybrid", listwise: true, run: (n, ask, list, seed) => hybrid(n, list, ask, [seed]) },
];

/** The judges of the grid. */
export const GRID: readonly Judge[] = [0, 1].flatMap((bias) =>
  [0, 0.5, 1].flatMap((shared) => [0.05, 0.1, 0.2].map((error) => ({ error, bias, shared }))),
);

/** Progress of a simulation, and how it is stopped. */
export interface SimulateOptions {
  signal?: AbortSignal;
  progress?: (done: number, total: number) => void;
}

const DRAWS_BETWEEN_PAUSES = 500;

/**
 * Simulates all methods on the same draws: the same sizes, labels and errors of the judge. Throws `Failure`
 * `wrong-usage` for a judge with impossible values.
 */
export async function simulate(
  cell: Cell,
  { signal, progress }: SimulateOptions = {},
): Promise<Row[]> {
  check(cell);
  const sizes = shuffle(
    [...VCRBENCH_SIZES].flatMap(([n, count]) => new Array<number>(count).fill(n)),
    seeded("sizes", cell.seed),
  );
  const sums = SIMULATED.map(() => ({ exact: 0, step: 0, calls: 0, depth: 0 }));
  let positions = 0;
  for (let draw = 0; draw < cell.draws; draw++) {
    if (draw % DRAWS_BETWEEN_PAUSES === 0) {
      await breathe();
      signal?.throwIfAborted();
      progress?.(draw, cell.draws);
    }
    const n = sizes[draw % sizes.length] as number;
    positions += n;
    const random = seeded("simulated judge", cell.seed, draw);
    const truth = shuffle(
      Array.from({ length: n }, (_, index) => index),
      random,
    );
    const place = truth.map((_, item) => truth.indexOf(item));
    const { ask, askList } = simulatedJudge(place, cell, random);
    for (const [index, method] of SIMULATED.entries()) {
      const ranking = await method.run(n, ask, askList, draw);
      const right = ranking.order.filter((item, at) => item === truth[at]).length;
      const sum = sums[index] as (typeof sums)[number];
      sum.exact += right === n ? 1 : 0;
      sum.step += right;
      sum.calls += ranking.calls;
      sum.depth += ranking.depth;
    }
  }
  return SIMULATED.map(({ name }, index) => {
    const sum = sums[index] as (typeof sums)[number];
    return {
      method: name,
      exact: (100 * sum.exact) / cell.draws,
      step: (100 * sum.step) / positions,
      calls: sum.calls / cell.draws,
      depth: sum.depth / cell.draws,
    };
  });
}

function check({ error, bias, shared, draws, listNoise }: Cell): void {
  const wrong = (what: string, given: number, use: string) =>
    new Failure("wrong-usage", `Invalid ${what} ${given}: use ${use}.`, { given });
  if (!(error > 0 && error < 0.5))
    throw wrong("error of the judge", error, "a number above 0 and below 0.5");
  if (!Number.isFinite(bias)) throw wrong("bias of the judge", bias, "a number of logits");
  if (!(shared >= 0 && shared <= 1)) throw wrong("shared part", shared, "a number from 0 to 1");
  if (!(Number.isInteger(draws) && draws >= 1))
    throw wrong("number of draws", draws, "a whole number from 1");
  if (!(listNoise >= 0)) throw wrong("noise of lists", listNoise, "0 or more");
}

/** The cells in which a method gains most and least exact order compared with another one. */
export function extremes<C extends { rows: readonly Row[] }>(
  cells: readonly C[],
  method: string,
  over: string,
): { best: C; worst: C } {
  const exact = ({ rows }: C, name: string) =>
    rows.find((row) => row.method === name)?.exact ?? Number.NaN;
  const gain = (cell: C) => exact(cell, method) - exact(cell, over);
  const sorted = cells.toSorted((a, b) => gain(b) - gain(a));
  const [best] = sorted;
  const worst = sorted.at(-1);
  if (best === undefined || worst === undefined) throw new Error("Expected at least one cell.");
  return { best, worst };
}

/**
 * A judge whose draws are made once: right with probability sigmoid(logit(1 - error) ± bias), plus if the earlier event
 * is shown first. In a `shared` share of the pairs both directions compare the same draw with that probability.
 * Listwise replies sort the true places with normal noise; the `shared` part of it is the same in every reply.
 */
function simulatedJudge(
  place: readonly number[],
  judge: Cell,
  random: () => number,
): { ask: Ask; askList: AskList } {
  const n = place.length;
  const logit = Math.log((1 - judge.error) / judge.error);
  const draws = new Float64Array(n * n);
  for (let a = 0; a < n; a++)
    for (let b = a + 1; b < n; b++) {
      const same = random() < judge.shared;
      draws[a * n + b] = random();
      const other = random();
      draws[b * n + a] = same ? (draws[a * n + b] as number) : other;
    }
  const common = gaussians(n, random);
  const listDraws = Array.from({ length: VOTES }, () =>
    gaussians(n, random).map(
      (own, item) =>
        Math.sqrt(judge.shared) * (common[item] as number) + Math.sqrt(1 - judge.shared) * own,
    ),
  );
  return {
    ask(a, b) {
      const firstIsEarlier = (place[a] as number) < (place[b] as number);
      const right =
        (draws[a * n + b] as number) < sigmoid(logit + (firstIsEarlier ? judge.bias : -judge.bias));
      return Promise.resolve({ p: right === firstIsEarlier ? 1 : 0, valid: true });
    },
    askList(shown, draw) {
      const noise = listDraws[draw] as number[];
      const at = (item: number) =>
        (place[item] as number) + judge.listNoise * (noise[item] as number);
      return Promise.resolve([...shown].sort((a, b) => at(a) - at(b)));
    },
  };
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function gaussians(count: number, random: () => number): number[] {
  return Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
}
