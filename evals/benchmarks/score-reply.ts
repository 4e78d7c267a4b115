import { codeFailure } from "../../src/core/code-failure.ts";
import { Failure } from "../../src/core/errors.ts";
import type { Score, Task } from "../../src/core/shapes.ts";
import { type AnswerScore, scorers } from "../scorers/define-scorer.ts";
import { readAnswerScore } from "../scorers/read-answer-score.ts";
import type { Benchmark } from "./define-benchmark.ts";
import type { Sample } from "./sample.ts";
import type { Extraction, ExtractorOptions, ScoredReply } from "./scored-reply.ts";

/** Reads and scores one reply; `extractor` names one of the benchmark's, else `Failure` `wrong-usage`. */
export function scoreReply(
  benchmark: Benchmark,
  sample: Sample,
  reply: string,
  extractor: string,
  options: ExtractorOptions = {},
): ScoredReply {
  const extract = benchmark.extractors[extractor];
  if (extract === undefined)
    throw new Failure(
      "wrong-usage",
      `Unknown extractor ${JSON.stringify(extractor)} of ${benchmark.title}: use ${Object.keys(benchmark.extractors).join(", ")}.`,
      { extractor },
    );
  const extraction = extract(reply, sample, options);
  return { sample, extraction, score: scoreExtraction(benchmark, extraction, sample, extractor) };
}

/** Scores the extracted answer by the scorer of the benchmark; a reply without an answer scores 0. */
export function scoreExtraction(
  { scorers: chosen }: Pick<Benchmark, "scorers">,
  { answer, how }: Extraction,
  sample: Sample,
  extractor: string,
): Score {
  const scorer = chosen[sample.task];
  const read = answer === null ? `no answer (${how})` : `${[answer].flat().join(", ")} (${how})`;
  if (scorer === undefined)
    return { value: null, answer, explanation: `${read}; no scorer was chosen`, extractor };
  const score = scoreAnswer(scorer, answer, sample);
  return { ...score, explanation: `${read}; ${score.explanation}`, extractor };
}

/** Throws `Failure` `code-failed` for a scorer that throws, or that returns anything but an `AnswerScore`. */
function scoreAnswer(
  { name, settings }: NonNullable<Benchmark["scorers"][Task]>,
  answer: Extraction["answer"],
  sample: Sample,
): AnswerScore {
  const scorer = `The scorer ${name} on sample ${sample.id}`;
  let score: unknown;
  try {
    score = scorers.get(name).score(answer, sample, settings);
  } catch (error) {
    throw codeFailure(error, scorer);
  }
  return readAnswerScore(score, scorer);
}
