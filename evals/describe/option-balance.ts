import jstat from "jstat";
import { seeded } from "../../src/core/random.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { chanceAccuracy } from "../score/chance.ts";
import { atLeast } from "../statistics/poisson-binomial.ts";
import { countsOf } from "./spread.ts";

/** What the options of a set give away without the question. */
export interface OptionBalance {
  /** Choices of which the right letter is among the options. */
  samples: number;
  /** Ids of choices of which it is not: no answer to them can be right. */
  without_right: string[];
  /** Number of options -> samples. */
  counts: { options: number; samples: number }[];
  /** How often the right option is at each position, from 1, and how often it would be if all were equally likely. */
  positions: { position: number; right: number; expected: number }[];
  /** Whether the right options are spread evenly over the positions; null without choices. */
  balance: BalanceTest | null;
  /** Expected accuracy of a guess among the options. */
  chance: number | null;
  /** Accuracy of always choosing the letter that is right most often. It is above chance in every set; see `balance`. */
  most_frequent_letter: { letter: string; accuracy: number } | null;
  /** Accuracy of always choosing the option with most characters, where one is longer than all others. */
  longest_option: LongestOption | null;
}

/** Pearson's chi-square test, summed over the numbers of options that occur. */
export interface BalanceTest {
  chi_square: number;
  degrees: number;
  p: number;
  /** Where p comes from: the distribution, or 10,000 simulated sets if an expected count is below 5. */
  p_by: "distribution" | "simulation";
}

export interface LongestOption {
  /** Samples with a single longest option. */
  samples: number;
  right: number;
  /** Expected number of right answers of a guess, and the probability that a guess is right at least as often. */
  expected: number;
  p: number;
}

/** Null if no sample is a choice. */
export function optionBalance(all: readonly Sample[]): OptionBalance | null {
  const choices = all.filter(({ task }) => task === "choice");
  if (choices.length === 0) return null;
  const placed = choices.flatMap((sample) => {
    const place = sample.options.findIndex(({ letter }) => letter === sample.answer);
    return place < 0 ? [] : [{ sample, place, options: sample.options.length }];
  });
  const lost = choices.filter((sample) => !placed.some((one) => one.sample === sample));
  const most = Math.max(0, ...placed.map(({ options }) => options));
  const letters = countsOf(placed, ({ sample }) => String(sample.answer));
  const [letter] = letters;
  return {
    samples: placed.length,
    without_right: lost.map(({ id }) => id),
    counts: [...Map.groupBy(choices, ({ options }) => options.length)]
      .map(([options, of]) => ({ options, samples: of.length }))
      .sort((a, b) => a.options - b.options),
    positions: Array.from({ length: most }, (_, place) => ({
      position: place + 1,
      right: placed.filter((one) => one.place === place).length,
      expected: placed.reduce((sum, { options }) => sum + (options > place ? 1 / options : 0), 0),
    })),
    balance: balanceOf(placed),
    chance: chanceAccuracy(choices),
    most_frequent_letter:
      letter === undefined ? null : { letter: letter[0], accuracy: letter[1] / choices.length },
    longest_option: longestOption(choices),
  };
}

type Placed = { place: number; options: number };

const FEWEST_EXPECTED = 5;
const SIMULATED = 10_000;

function balanceOf(placed: readonly Placed[]): BalanceTest | null {
  const chosen = placed.filter(({ options }) => options > 1);
  const strata = [...Map.groupBy(chosen, ({ options }) => options)];
  if (strata.length === 0) return null;
  const chi_square = chiSquare(chosen);
  const degrees = strata.reduce((sum, [options]) => sum + options - 1, 0);
  if (strata.every(([options, of]) => of.length / options >= FEWEST_EXPECTED))
    return {
      ...{ chi_square, degrees, p_by: "distribution" },
      p: 1 - jstat.chisquare.cdf(chi_square, degrees),
    };
  const random = seeded("balance of options");
  const drawn = () =>
    chosen.map(({ options }) => ({ options, place: Math.floor(random() * options) }));
  let extreme = 0;
  for (let set = 0; set < SIMULATED; set++) if (chiSquare(drawn()) >= chi_square - 1e-9) extreme++;
  return { chi_square, degrees, p_by: "simulation", p: (extreme + 1) / (SIMULATED + 1) };
}

function chiSquare(placed: readonly Placed[]): number {
  const counts = new Map<number, number[]>();
  for (const { place, options } of placed) {
    const at = counts.get(options) ?? Array.from({ length: options }, () => 0);
    at[place] = (at[place] ?? 0) + 1;
    counts.set(options, at);
  }
  return [...counts].reduce((sum, [options, at]) => {
    const expected = at.reduce((all, count) => all + count, 0) / options;
    return sum + at.reduce((all, count) => all + (count - expected) ** 2 / expected, 0);
  }, 0);
}

function longestOption(choices: readonly Sample[]): LongestOption | null {
  const tried = choices.flatMap(({ options, answer }) => {
    const lengths = options.map(({ text }) => [...text.trim()].length);
    const longest = Math.max(...lengths);
    const at = lengths.indexOf(longest);
    return options.length < 2 || lengths.lastIndexOf(longest) !== at
      ? []
      : [{ right: options[at]?.letter === answer, chance: 1 / options.length }];
  });
  if (tried.length === 0) return null;
  const right = tried.filter((one) => one.right).length;
  const chances = tried.map(({ chance }) => chance);
  return {
    samples: tried.length,
    right,
    expected: chances.reduce((sum, chance) => sum + chance, 0),
    p: atLeast(right, chances),
  };
}
