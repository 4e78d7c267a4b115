import { Failure } from "../../src/core/errors.ts";
import type { Results } from "../score/read-results.ts";
import { scorersText } from "../scorers/choose-scorers.ts";

/* Which runs can be compared: those over the same questions whose answers are scored in the same way. */

/** Throws `Failure` `wrong-usage` if two runs were not made on the same data, or if their answers have different scorers. */
export function requireComparable(a: Results, b: Results): void {
  requireSameData(a, b);
  requireSameScorers(a, b);
}

function requireSameData(a: Results, b: Results): void {
  if (isOfSameData(a, b)) return;
  if (a.benchmark.name !== b.benchmark.name)
    throw new Failure(
      "wrong-usage",
      `Cannot compare ${b.name} (${b.benchmark.title}) with ${a.name} (${a.benchmark.title}): they are runs of different benchmarks.`,
      { a: a.benchmark.name, b: b.benchmark.name },
    );
  const other =
    a.data?.subset === b.data?.subset ? "different data files" : "a different set of questions";
  throw new Failure(
    "wrong-usage",
    `Cannot compare ${b.name} with ${a.name}: it used ${other}, so questions with the same name may differ.`,
    { a: a.data, b: b.data },
  );
}

function requireSameScorers(a: Results, b: Results): void {
  if (haveSameScorers(a, b)) return;
  const [of, other] = [scorersText(a.benchmark.scorers), scorersText(b.benchmark.scorers)];
  throw new Failure(
    "wrong-usage",
    `Cannot compare ${b.name} with ${a.name}: their answers are scored in different ways (${other || "no scorer"}, and ${of || "no scorer"}). Name the scorers for both with --scorer.`,
    { a: a.benchmark.scorers, b: b.benchmark.scorers },
  );
}

/** Whether both are runs of one benchmark over the same data; the data of a response file are taken to be the same. */
export function isOfSameData(a: Results, b: Results): boolean {
  if (a.benchmark.name !== b.benchmark.name) return false;
  if (a.data === null || b.data === null) return true;
  return a.data.hash === b.data.hash && a.data.subset === b.data.subset;
}

/** Whether the answers of both runs are scored by the same scorers with the same settings. */
export function haveSameScorers(a: Results, b: Results): boolean {
  return scorersText(a.benchmark.scorers) === scorersText(b.benchmark.scorers);
}

/** Why scores of these runs are not compared, without a full stop; null if all have the same scorers. */
export function differentScorers(runs: readonly Results[]): string | null {
  const by = Map.groupBy(runs, ({ benchmark }) => scorersText(benchmark.scorers));
  if (by.size < 2) return null;
  const each = [...by].map(
    ([text, of]) => `${of.map(({ name }) => name).join(", ")}: ${text || "no scorer"}`,
  );
  return `their answers are scored in different ways (${each.join("; ")}), so that their accuracies are not comparable. Name the scorers for all with --scorer`;
}
