import type { ScoredReply } from "../benchmarks/scored-reply.ts";
import { cohenKappa, confusion } from "../judges/kappa.ts";
import { extractorOf } from "./extractor-choice.ts";
import { letterName, namedLetters } from "./named-letters.ts";
import type { Results } from "./read-results.ts";
import { scoreReplies } from "./score-replies.ts";

/** How often two extractors read the same answer from the same replies. */
export interface ExtractorAgreement {
  a: string;
  b: string;
  /** Number of replies that both extractors read. */
  replies: number;
  /** Replies from which both read the same answer, or both read none, and their share. */
  same: number;
  share: number | null;
  /** Cohen's kappa over the letters and "none"; null for orders, and if only one category occurs. */
  kappa: number | null;
  /** Replies that are right by only one of the two. */
  only_a_right: number;
  only_b_right: number;
}

/** Extractors that can read these results: those of the benchmark, and models that named letters. */
export function availableExtractors(results: Results): string[] {
  const own = extractorOf(results).name;
  const letters = namedLetters(results.judgings);
  const named = letters.map(({ report }) => letterName(report, letters));
  const { extractors } = results.benchmark;
  // Two names of one function read every reply alike.
  const others = Object.keys(extractors).filter((name) => extractors[name] !== extractors[own]);
  const names = [own, ...others, ...named];
  // If the run's extractor is one of several models, it has the plain name.
  return [...new Set(names)];
}

/** Compares the extractor of the results, which gave the scores `mine`, with every other one. */
export function extractorAgreement(
  results: Results,
  mine: readonly ScoredReply[],
): ExtractorAgreement[] {
  const [own = "", ...others] = availableExtractors(results);
  return others.map((other) => agreement(own, mine, other, scoreReplies(results, other)));
}

function agreement(
  a: string,
  mine: readonly ScoredReply[],
  b: string,
  theirs: readonly ScoredReply[],
): ExtractorAgreement {
  const pairs = mine.flatMap((left, place) => {
    const right = theirs[place];
    if (left.extraction === null || right == null || right.extraction === null) return [];
    return [{ a: shown(left), b: shown(right), right: [left.score.value, right.score.value] }];
  });
  const same = pairs.filter((pair) => pair.a === pair.b).length;
  const letters = pairs.every(
    (pair) => pair.a.length <= NONE.length && pair.b.length <= NONE.length,
  );
  const categories = [...new Set(pairs.flatMap((pair) => [pair.a, pair.b]))].sort();
  const only = (one: number, other: number) =>
    pairs.filter(({ right }) => right[one] === 1 && right[other] !== 1).length;
  return {
    ...{ a, b, replies: pairs.length, same },
    share: pairs.length === 0 ? null : same / pairs.length,
    kappa: pairs.length === 0 || !letters ? null : cohenKappa(confusion(pairs, categories)).kappa,
    only_a_right: only(0, 1),
    only_b_right: only(1, 0),
  };
}

const NONE = "none";

function shown({ extraction }: ScoredReply): string {
  const answer = extraction?.answer ?? null;
  if (answer === null) return NONE;
  return typeof answer === "string" ? answer : `order ${answer.join(", ")}`;
}
