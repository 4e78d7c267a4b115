import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { orderConsistency } from "../../../evals/score/option-positions.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { scoreReplies } from "../../../evals/score/score-replies.ts";
import { choice } from "../benchmarks/fixtures.ts";

const pair = (question: string, place: number): Sample => ({
  ...choice("AB"),
  ...{ id: `${question}/${place}`, video: `${question}.mp4`, pairs: 2 },
  row: { question_id: question },
});

test("a question in pairs is right in every order only if all its pairs are, and counts once", () => {
  // q4 was asked with one of its two pairs.
  const samples = ["q1", "q2", "q3"].flatMap((id) => [pair(id, 1), pair(id, 2)]);
  samples.push(pair("q4", 1));
  // In the second order the right option A is shown as B.
  const letters: Record<string, [string, string]> = {
    ...{ "q1/1": ["A", "B"], "q1/2": ["A", "B"], "q2/1": ["A", "B"], "q2/2": ["A", "A"] },
    ...{ "q3/1": ["A", "B"], "q4/1": ["A", "B"] },
  };
  const results: Results = {
    ...{ name: "orders", benchmark: videoMathQa, samples, epochs: 2, option_orders: 2 },
    ...{ missing: 2, skipped: 0, data: null, unknownGroups: [], notes: [], header: null },
    said: Object.entries(letters).flatMap(([id, replies]) =>
      replies.map((letter, place) => ({
        ...{ sample: samples.find((one) => one.id === id) as Sample, epoch: place + 1 },
        ...{ reply: `[[${letter}]]`, why: "", line: null, shift: place },
      })),
    ),
  };
  const found = orderConsistency(scoreReplies(results), results);
  expect(found).toMatchObject({
    ...{ questions: 2, left_out: 1 },
    same_in_all: { n: 2, mean: 0.5 },
    same_in_pairs: { n: 2, mean: 0.75 },
    right_in_all: { n: 2, mean: 0.5 },
  });

  // A failed call is no answer that differs: its question is left out.
  const failed = {
    ...results,
    said: results.said.map((said) =>
      said.sample.id === "q2/2" && said.epoch === 2
        ? { ...said, reply: null, why: "HTTP 400" }
        : said,
    ),
  };
  expect(orderConsistency(scoreReplies(failed), failed)).toMatchObject({
    ...{ questions: 1, left_out: 2 },
    same_in_all: { n: 1, mean: 1 },
  });
});
