import type { GraphContext } from "../context.ts";
import { clipsByCards } from "../stages/segment.ts";
import type { State, Update } from "../state.ts";
import { drawAnswer } from "./draw-answer.ts";

/** An option, or an order of the clips that the title cards number. */
export async function draw({ question }: State, context: GraphContext): Promise<Update> {
  const { epoch } = context;
  const { seed } = context.settings;
  if (question.task !== "order")
    return { outcome: drawAnswer(question, { clips: [], seed, epoch }) };
  const { segments, ...failed } = await clipsByCards(context);
  if (segments === undefined) return failed;
  const clips = segments.map((segment) => segment.number);
  return { outcome: drawAnswer(question, { clips, seed, epoch }) };
}
