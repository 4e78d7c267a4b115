import { type Asking, readQuestion } from "../../graphs/ask.ts";
import { drawAnswer } from "../../graphs/random/draw.ts";
import { makeEvidenceSet } from "../../src/core/evidence.ts";
import { hashOf } from "../../src/core/hash.ts";
import { NO_USAGE } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/benchmark.ts";

/**
 * The answer of the strategy `random` to a sample, without its video: an option, or an order of as many clips as the data
 * say there are. Drawn from the question, the seed and the epoch.
 */
export function drawSample(sample: Sample, seed: number, epoch: number): Asking {
  const { question: text, task, goal, video } = sample;
  const options = task === "choice" ? sample.options : undefined;
  // The file is not opened, so its path stands for its content.
  const question = readQuestion(hashOf(["video of no known content", video]), {
    text,
    task,
    goal,
    options,
  });
  const clips = Array.isArray(sample.answer) ? [...sample.answer].sort((a, b) => a - b) : [];
  const set = makeEvidenceSet([]);
  const { status, answer } = drawAnswer(question, clips, seed, epoch);
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
