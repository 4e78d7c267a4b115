import { seeded, shuffle } from "../../src/core/random.ts";
import type { Question } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";
import { clipsByCards } from "../stages/segment.ts";
import { type Outcome, outcome, type State, type Update } from "../state.ts";

/** An option, or an order of the clips that the title cards number. */
export async function draw({ question }: State, context: GraphContext): Promise<Update> {
  const { settings, epoch } = context;
  if (question.task !== "order") return { outcome: drawAnswer(question, [], settings.seed, epoch) };
  const { segments, ...failed } = await clipsByCards(context);
  if (segments === undefined) return failed;
  const clips = segments.map((segment) => segment.number);
  return { outcome: drawAnswer(question, clips, settings.seed, epoch) };
}

/**
 * An option or an order of `clips`, drawn from question, seed and epoch. An open question has nothing to draw from.
 */
export function drawAnswer(
  question: Question,
  clips: readonly number[],
  seed: number,
  epoch: number,
): Outcome {
  const random = seeded("random", question.id, seed, epoch);
  if (question.task === "order")
    return outcome({ status: "answered", answer: shuffle(clips, random) });
  const options = question.options ?? [];
  const option = options[Math.floor(random() * options.length)];
  if (option === undefined) return outcome({ status: "not-answered" });
  return outcome({ status: "answered", answer: option.letter });
}
