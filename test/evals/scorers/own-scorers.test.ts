import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { scoreExtraction } from "../../../evals/benchmarks/score-reply.ts";
import { type AnswerScore, defineScorer, scorers } from "../../../evals/scorers/define-scorer.ts";

const sample: Sample = {
  id: "q1",
  video: "v.mp4",
  hasVideo: true,
  question: "?",
  task: "open",
  options: [],
  answer: "4",
  row: {},
};
let number = 0;

/** The score by a scorer that returns, or throws, what `code` does. */
function scoreBy(code: () => unknown) {
  const name = `own-${number++}`;
  scorers.add(defineScorer({ name, score: code as () => AnswerScore }));
  const benchmark = { scorers: { open: { name, settings: {} } } };
  return scoreExtraction(benchmark, { answer: "4", how: "whole" }, sample, "sound");
}

test("a score is stored as the scorer returned it", () => {
  expect(scoreBy(() => ({ value: 0.5, answer: "4", explanation: "close" }))).toEqual({
    value: 0.5,
    answer: "4",
    explanation: "4 (whole); close",
    extractor: "sound",
  });
  expect(scoreBy(() => ({ value: null, answer: null, explanation: "ask" })).value).toBeNull();
});

const rest = { answer: "4", explanation: "" };
test.each<[string, () => unknown, string]>([
  [
    "a truth value",
    () => ({ value: true, ...rest }),
    "returned true as `value`; return a number from 0 to 1, or null.",
  ],
  [
    "a number in a text",
    () => ({ value: "1", ...rest }),
    'returned "1" as `value`; return a number',
  ],
  [
    "NaN",
    () => ({ value: Number.NaN, ...rest }),
    "returned NaN as `value`; return a number from 0",
  ],
  [
    "a number above 1",
    () => ({ value: 2, ...rest }),
    "returned 2 as `value`; return a number from 0",
  ],
  ["no value", () => rest, "returned nothing as `value`; return a number from 0 to 1, or null."],
  [
    "no explanation",
    () => ({ value: 1, answer: "4" }),
    "returned nothing as `explanation`; return a text.",
  ],
  [
    "an answer of another type",
    () => ({ ...rest, value: 1, answer: 4 }),
    "returned 4 as `answer`; return the answer as a text or a list of clip numbers, or null.",
  ],
  ["null", () => null, "returned null; return { value, answer, explanation }."],
  ["nothing", () => undefined, "returned nothing; return { value, answer, explanation }."],
  ["a promise", async () => ({ value: 1, ...rest }), "returned a promise; `score` cannot be async"],
  [
    "throwing",
    () => {
      throw new TypeError("no");
    },
    "failed: TypeError: no.",
  ],
  [
    "throwing null",
    () => {
      throw null;
    },
    "failed: it threw null.",
  ],
])("a scorer that returns %s is refused by name", (_what, code, message) => {
  const scored = () => scoreBy(code);
  expect(scored).toThrow(expect.objectContaining({ kind: "code-failed" }));
  expect(scored).toThrow(/^The scorer own-\d+ on sample q1 /);
  expect(scored).toThrow(message);
});
