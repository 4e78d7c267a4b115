import { Failure } from "../../src/core/errors.ts";
import { seeded, shuffle } from "../../src/core/random.ts";

/** One sample that one rater answers. */
export interface Assignment {
  /** Place of the rater in the list of raters. */
  rater: number;
  /** Place of the sample in the list of samples. */
  item: number;
  /** Positions by which the options are shifted, as in `--option-orders`. */
  shift: number;
}

/** A sample to assign. */
export interface StudyItem {
  /** Id of its question. The samples of one question (its pairs) go to the same raters. */
  question: string;
  /** Number of its options; 0 without options. */
  options: number;
}

/**
 * Assigns `per_item` of `raters` raters to each question, with all of its samples. The numbers of questions of two raters differ by at most one, and
 * pairs of raters share questions as equally often as possible, so that their agreement can be compared (a balanced
 * incomplete block design, as far as the numbers allow one). The raters of a sample see its options in different cyclic
 * orders, beginning at a random one (a cyclic Latin square). Assignments are in the random order of each rater, rater by
 * rater. The result depends on the arguments only.
 *
 * Throws `Failure` `wrong-usage` for more raters on a question than there are.
 *
 * @example
 * assignRaters([{ question: "a", options: 4 }, { question: "b", options: 4 }], { raters: 3, per_item: 2, seed: 1 });
 */
export function assignRaters(
  items: readonly StudyItem[],
  { raters, per_item, seed }: { raters: number; per_item: number; seed: number },
): Assignment[] {
  if (per_item > raters)
    throw new Failure(
      "wrong-usage",
      `Cannot have ${per_item} people answer each question: there are ${raters}. Use --per-item up to ${raters}.`,
      { raters, per_item },
    );
  const random = seeded("human-study", seed, "blocks");
  const load = new Array<number>(raters).fill(0);
  const shared = Array.from({ length: raters }, () => new Array<number>(raters).fill(0));
  const questions = [...Map.groupBy(items.entries(), ([, { question }]) => question).values()];
  const all: Assignment[] = [];
  for (const samples of shuffle(questions, seeded("human-study", seed, "items"))) {
    const block: number[] = [];
    while (block.length < per_item) {
      const free = [...load.keys()].filter((rater) => !block.includes(rater));
      const rank = (rater: number) =>
        block.reduce((sum, other) => sum + (shared[rater]?.[other] ?? 0), 0);
      // Random order first, so that equals are chosen at random.
      const [chosen = 0] = shuffle(free, random).sort(
        (a, b) => (load[a] ?? 0) - (load[b] ?? 0) || rank(a) - rank(b),
      );
      for (const other of block) {
        addOne(shared, chosen, other);
        addOne(shared, other, chosen);
      }
      load[chosen] = (load[chosen] ?? 0) + 1;
      block.push(chosen);
    }
    for (const [item, { options }] of samples) {
      const first = Math.floor(random() * Math.max(1, options));
      for (const [place, rater] of shuffle(block, random).entries())
        all.push({ rater, item, shift: options < 2 ? 0 : (first + place) % options });
    }
  }
  return Array.from({ length: raters }, (_, rater) =>
    shuffle(
      all.filter((one) => one.rater === rater),
      seeded("human-study", seed, "order", rater),
    ),
  ).flat();
}

function addOne(counts: number[][], row: number, column: number): void {
  const of = counts[row];
  if (of !== undefined) of[column] = (of[column] ?? 0) + 1;
}
