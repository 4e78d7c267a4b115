import type { AskResult } from "../../graphs/ask.ts";
import type { StrategyDefinition } from "../../graphs/define-strategy.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import { makeEvidenceSet } from "../../src/core/evidence.ts";
import { hashOf } from "../../src/core/hash.ts";
import { NO_USAGE } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";

/**
 * The answer to a sample by a strategy that does not open the video: an option, or an order of the clips that the data list.
 */
export function answerWithoutVideo(
  sample: Sample,
  answerTo: NonNullable<StrategyDefinition["withoutVideo"]>,
  { seed, epoch }: { seed: number; epoch: number },
): AskResult {
  const { question: text, task, goal, video } = sample;
  const options = task === "choice" ? sample.options : undefined;
  // The file is not opened, so its path identifies the video.
  const question = readQuestion(hashOf(["video of no known content", video]), {
    text,
    task,
    goal,
    options,
  });
  const clips = Array.isArray(sample.answer) ? [...sample.answer].sort((a, b) => a - b) : [];
  const set = makeEvidenceSet([]);
  const { status, answer } = answerTo(question, { clips, seed, epoch });
  return {
    question,
    evidence: set,
    events: [],
    answer: {
      status,
      answer,
      cites: [],
      cited_by: "code",
      set: set.id,
      limits_met: [],
      confidence: null,
      confidence_basis: null,
      usage: NO_USAGE,
    },
  };
}
