import { seeded, shuffle } from "../../src/core/random.ts";
import type { Question } from "../../src/core/shapes.ts";
import { type Outcome, outcome } from "../outcome.ts";

/** An option or an order of `clips`, drawn from question, seed and epoch. An open question is not answered. */
export function drawAnswer(
  question: Question,
  { clips, seed, epoch }: { clips: readonly number[]; seed: number; epoch: number },
): Outcome {
  const random = seeded("random", question.id, seed, epoch);
  if (question.task === "order")
    return outcome({ status: "answered", answer: shuffle(clips, random) });
  const options = question.options ?? [];
  const option = options[Math.floor(random() * options.length)];
  if (option === undefined) return outcome({ status: "not-answered" });
  return outcome({ status: "answered", answer: option.letter });
}
