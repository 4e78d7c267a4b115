import type { CallResult } from "../../src/models/chat.ts";
import { orderPrompt } from "../answer-prompts.ts";
import type { GraphContext } from "../context.ts";
import { parseOrder } from "../replies/parse-order.ts";
import { onOneLine } from "../replies/reply-text.ts";
import { outcome, type State, type Update } from "../state.ts";
import { callModel, saidBy, withoutWords } from "./call-model.ts";
import {
  type DescribedClip,
  describedClips,
  ordered,
  type Seen,
  seenWith,
} from "./described-clips.ts";
import { goalOf } from "./wording.ts";

export const STAGE = "order";

/** One call orders all clips. */
export async function orderAtOnce(state: State, context: GraphContext): Promise<Update> {
  const clips = describedClips(state);
  if (clips.length < 2) return { outcome: ordered(clips) };
  const seen = await seenWith(state, context, STAGE);
  const listed: Listed = { clips, numbers: clips.map((clip) => clip.number) };
  const result = await askOrder(state, context, listed, seen);
  const said = saidBy(result);
  const problem = withoutWords(result);
  if (problem !== null || result.status === "limit")
    return { outcome: outcome({ ...(problem ?? { status: "not-answered" }), ...said }) };
  const order = orderIn(result, listed);
  if (order !== null) return { outcome: { ...ordered(order), ...said } };
  const { text, finish } = result.reply;
  if (finish === "length") return { outcome: outcome({ status: "truncated", ...said }) };
  const message = `The reply does not name each of the ${clips.length} clips once after "Correct order:": ${JSON.stringify(onOneLine(text).slice(-120))}.`;
  return {
    outcome: outcome({ status: "unparsed", ...said, error: { kind: "model-unusable", message } }),
  };
}

/** Clips in the sequence in which they are shown, and the numbers they are shown under. */
export interface Listed {
  clips: readonly DescribedClip[];
  numbers: readonly number[];
}

/** One call for the order of all. */
export function askOrder(
  state: State,
  context: GraphContext,
  { clips, numbers }: Listed,
  seen: Seen | null,
  { draw = 0, label = "order all clips" } = {},
): Promise<CallResult> {
  const prompt = context.prompts.render(orderPrompt(seen?.media ?? null), {
    goal: goalOf(state.question),
    clips: clips.map((clip, place) => `Clip ${numbers[place]}: ${clip.text}`).join("\n"),
  });
  const request = { stage: STAGE, role: "reasoner", label, prompts: [prompt], draw } as const;
  const evidence = clips.flatMap(({ id }) => id ?? []);
  return callModel(context, { ...request, evidence, media: seen?.all });
}

/** The clips in the order that a reply gives; null where it gives none. */
export function orderIn(result: CallResult, { clips, numbers }: Listed): DescribedClip[] | null {
  if (result.status === "limit" || withoutWords(result) !== null) return null;
  const order = parseOrder(result.reply.text, numbers);
  return order?.map((number) => clips[numbers.indexOf(number)] as DescribedClip) ?? null;
}
