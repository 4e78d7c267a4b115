import type { CallResult } from "../../src/models/chat.ts";
import { orderPrompt } from "../answer-prompts.ts";
import type { GraphContext } from "../context.ts";
import { parseOrder } from "../replies/parse-order.ts";
import { onOneLine } from "../replies/reply-text.ts";
import { outcome, type State, type Update } from "../state.ts";
import { callModel, replyText, unreadableReply } from "./call-model.ts";
import {
  type DescribedClip,
  describedClips,
  NOT_DESCRIBED,
  orderOutcome,
  type ReasoningMedia,
  reasoningMedia,
} from "./described-clips.ts";
import { goalOf } from "./question-prompts.ts";

export const STAGE = "order";

/** One call orders all clips. */
export async function orderAtOnce(state: State, context: GraphContext): Promise<Update> {
  const clips = describedClips(state);
  const { recognised } = state;
  if (clips.length < 2 && recognised === null) return { outcome: orderOutcome(clips) };
  const media = await reasoningMedia(state, context, STAGE);
  const listed: ClipList = { clips, numbers: clips.map((clip) => clip.number) };
  const text = recognised ?? listOf(listed);
  const result = await askOrder(state, context, { ...listed, text }, media);
  const said = replyText(result);
  const problem = unreadableReply(result);
  if (problem !== null || result.status === "limit")
    return { outcome: outcome({ ...(problem ?? { status: "not-answered" }), ...said }) };
  const isCut = result.reply.finish === "length";
  const order =
    (clips.length === 0 ? null : orderIn(result, listed)) ??
    // A list that was cut off may name fewer clips.
    (recognised === null || isCut ? null : orderOfUnknown(result));
  if (order !== null) return { outcome: { ...orderOutcome(order), ...said } };
  if (isCut) return { outcome: outcome({ status: "truncated", ...said }) };
  const message = `The reply does not name each of the ${clips.length} clips once after "Correct order:": ${JSON.stringify(onOneLine(result.reply.text).slice(-120))}.`;
  return {
    outcome: outcome({ status: "unparsed", ...said, error: { kind: "model-unusable", message } }),
  };
}

/** Clips in the order in which they are shown, and the numbers under which they are shown. */
export interface ClipList {
  clips: readonly DescribedClip[];
  numbers: readonly number[];
}

/** One call that asks for the order of all clips. */
export function askOrder(
  state: State,
  context: GraphContext,
  { clips, numbers, text = listOf({ clips, numbers }) }: ClipList & { text?: string },
  media: ReasoningMedia | null,
  { draw = 0, label = "order all clips" } = {},
): Promise<CallResult> {
  const prompt = context.prompts.render(orderPrompt(media?.kind ?? null), {
    goal: goalOf(state.question),
    clips: text,
  });
  const request = { stage: STAGE, role: "reasoner", label, prompts: [prompt], draw } as const;
  const evidence = clips.flatMap(({ id }) => id ?? []);
  return callModel(context, { ...request, evidence, media: media?.all });
}

function listOf({ clips, numbers }: ClipList): string {
  return clips.map((clip, place) => `Clip ${numbers[place]}: ${clip.text}`).join("\n");
}

/** The order in a reply about clips that the replies of the recogniser do not list. */
function orderOfUnknown(result: CallResult): DescribedClip[] | null {
  if (result.status === "limit" || unreadableReply(result) !== null) return null;
  const order = parseOrder(result.reply.text);
  return order?.map((number) => ({ number, text: NOT_DESCRIBED, id: null })) ?? null;
}

/** The clips in the order that a reply gives; null if it gives none. */
export function orderIn(result: CallResult, { clips, numbers }: ClipList): DescribedClip[] | null {
  if (result.status === "limit" || unreadableReply(result) !== null) return null;
  const order = parseOrder(result.reply.text, numbers);
  return order?.map((number) => clips[numbers.indexOf(number)] as DescribedClip) ?? null;
}
