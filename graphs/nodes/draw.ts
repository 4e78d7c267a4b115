import { seeded, shuffle } from "../../src/core/random.ts";
import type { GraphContext } from "../context.ts";
import { outcome, type State, type Update } from "../state.ts";
import { clipsByCards } from "./segment.ts";

/** An option or an order by lot, drawn from question, seed and epoch. An open question has nothing to draw from. */
export async function draw(state: State, context: GraphContext): Promise<Update> {
  const { question } = state;
  const random = seeded("random", question.id, context.settings.seed, context.epoch);
  if (question.task === "order") {
    const { segments, ...failed } = await clipsByCards(context);
    if (segments === undefined) return failed;
    const answer = shuffle(
      segments.map((segment) => segment.number),
      random,
    );
    return { outcome: outcome({ status: "answered", answer }) };
  }
  const options = question.options ?? [];
  const option = options[Math.floor(random() * options.length)];
  if (option === undefined) return { outcome: outcome({ status: "not-answered" }) };
  return { outcome: outcome({ status: "answered", answer: option.letter }) };
}
