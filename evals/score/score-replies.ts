import { Failure } from "../../src/core/errors.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import { scoreExtraction, scoreReply } from "../benchmarks/score-reply.ts";
import { type ScoredReply, unscored } from "../benchmarks/scored-reply.ts";
import { orderOf, scoredInData, shifted } from "../run/option-orders.ts";
import { scorers } from "../scorers/define-scorer.ts";
import { extractorNames, extractorOf } from "./extractor-choice.ts";
import { extractorOptions, MODEL_LETTER } from "./extractor-settings.ts";
import { letterName, namedLetters } from "./named-letters.ts";
import type { Results, SampleReply } from "./read-results.ts";

/**
 * Scores the replies with an extractor, by default that of the results. Throws `Failure` `wrong-usage` for an extractor
 * that the benchmark does not have.
 */
export function scoreReplies(results: Results, extractor?: string): (ScoredReply & SampleReply)[] {
  const { benchmark } = results;
  const own = extractorOf(results);
  const name = extractor ?? own.name;
  if (name.startsWith(MODEL_LETTER)) return scoreLetters(results, name);
  if (!Object.hasOwn(benchmark.extractors, name))
    throw new Failure(
      "wrong-usage",
      `Invalid --extractor ${JSON.stringify(name)}: use one of ${extractorNames(benchmark).join(", ")} for ${benchmark.title}.`,
      { extractor: name },
    );
  const options = extractorOptions(own);
  return results.said.map((said) => {
    const { sample, reply, why } = said;
    const order = orderOf(said);
    if (reply === null) return { ...said, ...unscored(sample, why, name) };
    const seen = scoreReply(benchmark, shifted(sample, order), reply, name, options);
    return graded(results, { ...said, ...scoredInData(benchmark, sample, seen, order) });
  });
}

/** The score with the stored grade, for a reply that its scorer has graded by a model or a program. */
function graded<S extends ScoredReply & SampleReply>({ benchmark, grades }: Results, scored: S): S {
  if (!needsGrade(benchmark, scored)) return scored;
  const { sample, score } = scored;
  const { value, explanation } = grades?.[sample.task]?.of(scored) ?? {
    value: null,
    explanation: "not graded yet",
  };
  const read = score.explanation.split("; ")[0] ?? "";
  return { ...scored, score: { ...score, value, explanation: `${read}; ${explanation}` } };
}

/** Whether the score of a reply is a grade that a model or a program gives. */
export function needsGrade(
  { scorers: chosen }: Pick<Benchmark, "scorers">,
  { sample, reply, score }: ScoredReply & Pick<SampleReply, "reply">,
): boolean {
  const scorer = chosen[sample.task];
  const isGraded = scorer !== undefined && scorers.get(scorer.name).isGraded === true;
  return isGraded && reply !== null && score.value === null;
}

/** Scores the replies by the letters that a model named; `name` selects one of several models. */
function scoreLetters(results: Results, name: string): (ScoredReply & SampleReply)[] {
  const { benchmark, said, judgings } = results;
  const own = extractorOf(results);
  const asked = name === MODEL_LETTER && own.name === MODEL_LETTER ? own : null;
  const letters = namedLetters(judgings, asked).filter(
    (one, _place, all) => name === MODEL_LETTER || letterName(one.report, all) === name,
  );
  const [only] = letters;
  if (only === undefined || letters.length > 1)
    throw new Failure(
      "wrong-usage",
      only === undefined
        ? `No letters have been named for ${results.name} yet: add --extractor-model PROVIDER:MODEL to ask a model for them.`
        : `Several models named letters for ${results.name} (${letters.map(({ report }) => report.model).join(", ")}): choose one with --extractor-model.`,
      { name: results.name },
    );
  return said.map((one) => {
    const { sample, reply, epoch, question_hash } = one;
    const order = orderOf(one);
    if (reply === null) return { ...one, ...unscored(sample, one.why, name) };
    const text = reply.trim();
    const found =
      text === ""
        ? { answer: null, how: "an empty reply" }
        : only.of({ sample, epoch, text, question_hash });
    if (found === null) return { ...one, ...unscored(sample, "no letter named yet", name) };
    if ("failed" in found) return { ...one, ...unscored(sample, found.failed, name) };
    const seen = shifted(sample, order);
    const score = scoreExtraction(benchmark, found, seen, name);
    return graded(results, {
      ...one,
      ...scoredInData(benchmark, sample, { sample: seen, extraction: found, score }, order),
    });
  });
}
