import { resolve } from "node:path";
import { benchmarkNamed, withScorers } from "../benchmarks/define-benchmark.ts";
import { cohenKappa, confusion, type Kappa } from "../judges/kappa.ts";
import { inDataLetters } from "../run/option-orders.ts";
import { answerKey } from "../scorers/answer-key.ts";
import { readAnswers, readStudy } from "./study-folder.ts";
import { countQuestions, mixedQuestions, shareOf } from "./study-questions.ts";

/** How far a study is, and how far its raters agree. */
export interface StudyStatus {
  benchmark: string;
  questions: number;
  /** Number of samples: as `questions`, or more if questions are asked as pairs. An answer is that to one sample. */
  samples: number;
  /** Questions whose pairs go to different people, as in older studies. */
  mixed_questions: number;
  answers: number;
  planned: number;
  /** Lines of `answers.jsonl` that cannot be read. */
  damaged: number;
  raters: {
    rater: string;
    questions: number;
    /** Samples. */
    assigned: number;
    answered: number;
    /** Median seconds for an answer; null without one. */
    median_s: number | null;
  }[];
  /** Agreement of each two raters on the samples (questions, or their pairs) that both answered; whether the answers are right plays no part. */
  pairs: ({ a: string; b: string } & Kappa)[];
}

/** Reads a study and its answers. Throws `Failure` as `readStudy`. */
export async function studyStatus(folder: string): Promise<StudyStatus> {
  const { plan, samples } = await readStudy(folder);
  const { answers, damaged } = await readAnswers(resolve(folder));
  const benchmark = withScorers(benchmarkNamed(plan.benchmark), plan.scorers);
  const given = new Map(plan.raters.map((rater) => [rater, new Map<number, string>()]));
  for (const { rater, item, shown, shift } of answers) {
    const sample = samples[item];
    if (sample === undefined) continue;
    given.get(rater)?.set(item, answerKey(benchmark, sample, inDataLetters(sample, shown, shift)));
  }
  const pairs = plan.raters.flatMap((a, place) =>
    plan.raters.slice(place + 1).flatMap((b) => {
      const both = [...(given.get(a) ?? [])].flatMap(([item, own]) => {
        const other = given.get(b)?.get(item);
        return other === undefined ? [] : [{ a: own, b: other }];
      });
      if (both.length === 0) return [];
      const categories = [...new Set(both.flatMap((pair) => [pair.a, pair.b]))].sort();
      return [{ a, b, ...cohenKappa(confusion(both, categories)) }];
    }),
  );
  return {
    benchmark: plan.benchmark,
    ...{ questions: countQuestions(samples), samples: samples.length },
    mixed_questions: mixedQuestions(plan.assignments, samples),
    ...{ answers: answers.length, planned: plan.assignments.length, damaged },
    raters: plan.raters.map((rater, place) => {
      const share = shareOf(place, plan.assignments, samples);
      return {
        rater,
        ...{ questions: share.questions, assigned: share.samples },
        answered: given.get(rater)?.size ?? 0,
        median_s: median(answers.filter((one) => one.rater === rater).map((one) => one.seconds)),
      };
    }),
    pairs,
  };
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle];
  if (high === undefined) return null;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}
