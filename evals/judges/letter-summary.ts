import type { Scored } from "../benchmarks/benchmark.ts";
import { unscored } from "../benchmarks/benchmark.ts";
import { shifted } from "../option-orders.ts";
import type { Results } from "../read-results.ts";
import { type Accuracy, accuracyOf } from "../score-run.ts";
import { type Judged, judgedReplies } from "./judged-replies.ts";
import type { Judging } from "./judging.ts";
import { letterJudge, officialNamed } from "./letter.ts";
import { placeOf } from "./subjects.ts";

export interface LetterSummary extends Judged {
  kind: "letter";
  /** As released: the judge's first reply, and a wrong answer where it names no letter. Samples without a reply are wrong. */
  official: Accuracy;
  /** Replies for which the released code would draw a wrong letter. */
  drawn: number;
  /** What the judge named over all samples: not judged, and without a reply, is wrong. */
  all: Accuracy;
  /** Over what was judged alone: a reply that settles on no letter is wrong, one that was not judged is left out. */
  sound: Accuracy;
  /** Judged to settle on none. */
  no_letter: number;
}

/** Accuracy by the letters that a judge names. A pair that was not judged takes its question out of `sound`. */
export function summariseLetters(
  results: Results,
  judging: Judging,
  options: { extractor?: string; only?: ReadonlySet<string> },
): LetterSummary {
  const { benchmark } = results;
  const { told, replies, waiting } = judgedReplies(results, judging, letterJudge.value, options);
  const said = results.said.filter(
    (one) => !waiting.has(placeOf(one)) && (options.only?.has(one.sample.id) ?? true),
  );
  const of = new Map(replies.map((reply) => [placeOf(reply.subject), reply]));
  const name = `judge ${judging.header.judge}`;
  let drawn = 0;
  let none = 0;
  const ruled = (official: boolean) =>
    said.map((one): Scored & { epoch: number } => {
      // The judge named a letter as the model saw it.
      const sample = shifted(one.sample, one.shift ?? 0);
      const { epoch } = one;
      const part = of.get(placeOf(one))?.parts[0];
      if (part === undefined) return { ...unscored(sample, "not judged", name), epoch };
      if (!official && part.value === null)
        return { ...unscored(sample, part.why ?? "not judged", name), epoch };
      const extraction = official
        ? officialNamed(part.first, sample.options.length)
        : { answer: part.value?.letter ?? null, how: "named by the judge" };
      if (extraction.answer === null) official ? drawn++ : none++;
      return { sample, extraction, score: benchmark.score(extraction, sample, name), epoch };
    });
  const questions = (scored: readonly (Scored & { epoch: number })[]) =>
    [...Map.groupBy(scored, ({ epoch }) => epoch).values()].flatMap((items) =>
      benchmark.questions(items),
    );
  const official = accuracyOf(questions(ruled(true)));
  const own = questions(ruled(false));
  return {
    ...told,
    kind: "letter",
    official,
    drawn,
    all: accuracyOf(own),
    sound: accuracyOf(own.filter(({ value }) => value !== null)),
    no_letter: none,
  };
}
