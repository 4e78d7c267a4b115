import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { summarise } from "../../../evals/evidence-test/summary.ts";
import type { TestLine } from "../../../evals/evidence-test/test-log.ts";
import { choice } from "../benchmarks/fixtures.ts";

const pair = (question: string, place: number): Sample => ({
  ...choice("AB"),
  ...{ id: `${question}/${place}`, video: `${question}.mp4`, pairs: 4 },
  row: { question_id: question },
});

test("a question in pairs counts once, with the mean over its pairs", () => {
  const samples = ["q1", "q2"].flatMap((id) => [1, 2, 3, 4].map((place) => pair(id, place)));
  const again = (same: boolean) => ({ evidence: 1, status: "answered", answer: "A", same });
  // The answer to a pair of q1 changes; of q2 one pair was tested.
  const lines = samples.slice(0, 5).map(({ id }) => ({
    ...{ sample: id, epoch: 1, attempt: 0, answer: "A", cited_s: [] },
    again: { all: again(true), cited: again(id !== "q1/3"), rest: again(false) },
  }));
  const score = summarise(
    { status: "finished", lines: lines as unknown as TestLine[] },
    samples,
    videoMathQa,
  );
  expect(score).toMatchObject({
    tested: 5,
    stability: { n: 2, mean: 1 },
    sufficiency: { n: 2, mean: (0.75 + 1) / 2 },
    necessity: { n: 2, mean: 1 },
  });
});
