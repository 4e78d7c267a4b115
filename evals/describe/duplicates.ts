import type { Sample } from "../benchmarks/sample.ts";
import { normaliseText } from "../scorers/normalise-text.ts";

/** Samples that ask the same. Texts are compared without case, white space and punctuation at their ends. */
export interface Duplicates {
  /** Ids of samples with the same video, question and set of options. */
  samples: string[][];
  /** Questions asked on several videos, the most frequent first; ordering questions, which follow one pattern, are not counted. */
  texts: { text: string; samples: string[] }[];
}

export function duplicatesIn(samples: readonly Sample[]): Duplicates {
  const keyOf = ({ video, question, task, goal, options, answer }: Sample) =>
    JSON.stringify([
      video,
      task,
      normaliseText(question),
      normaliseText(goal ?? ""),
      options.map(({ text }) => normaliseText(text)).toSorted(),
      task === "order" ? answer : null,
    ]);
  const asked = samples.filter(({ task }) => task !== "order");
  return {
    samples: repeated(samples, keyOf).map((of) => of.map(({ id }) => id)),
    texts: repeated(asked, ({ question }) => normaliseText(question))
      .filter((of) => new Set(of.map(({ video }) => video)).size > 1)
      .map((of) => ({ text: of[0]?.question ?? "", samples: of.map(({ id }) => id) }))
      .sort((a, b) => b.samples.length - a.samples.length),
  };
}

/** Groups of at least two items with equal keys. */
export function repeated<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  return [...Map.groupBy(items, keyOf).values()].filter((of) => of.length > 1);
}
