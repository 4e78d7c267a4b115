import type { Sample } from "./sample.ts";
import type { ScoredQuestion, ScoredReply } from "./scored-reply.ts";

/* Questions that are asked as several pairs, each a sample with the id `<question>/<pair>`. */

/** The id of the question that a pair belongs to; any other id is returned as it is. */
export function questionOfPair(id: string): string {
  return id.replace(/\/\d+$/, "");
}

/**
 * What counts once: a question, with the lowest score of its samples. A question of which only some pairs were asked is left
 * out: fewer pairs are easier, so that it is neither right nor wrong. `scored` is one epoch.
 */
export function wholeQuestions(
  scored: readonly ScoredReply[],
  questionOf: (sample: Sample) => string,
  {
    cluster,
    groups,
  }: { cluster(sample: Sample): string; groups(sample: Sample): Record<string, string> },
): ScoredQuestion[] {
  const named = Map.groupBy(scored, ({ sample }) => questionOf(sample));
  return [...named].flatMap(([id, members]) => {
    const { sample } = members[0] as ScoredReply;
    if (id !== sample.id && members.length < (sample.pairs ?? 1)) return [];
    const values = members.flatMap(({ score }) => score.value ?? []);
    const lowest = Math.min(...values);
    const isUnscored = values.length < members.length;
    return [
      {
        id,
        cluster: cluster(sample),
        groups: groups(sample),
        // A pair without a score cannot raise a question that another pair makes wrong.
        value: isUnscored && lowest !== 0 ? null : lowest,
        answered: members.every(({ extraction }) => extraction?.answer != null),
      },
    ];
  });
}
