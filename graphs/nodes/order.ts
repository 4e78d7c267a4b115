import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { Part } from "../../src/models/chat.ts";
import type { Judgement } from "../../tools/ranking/judgements.ts";
import { mergeSort } from "../../tools/ranking/methods.ts";
import type { GraphContext } from "../context.ts";
import { parseComparison } from "../parse-comparison.ts";
import { parseOrder } from "../parse-order.ts";
import { onOneLine } from "../reply-text.ts";
import { type Outcome, outcome, type Segment, type State, type Update } from "../state.ts";
import { callModel, images, replyOf, withoutWords } from "./call-model.ts";
import { bySegment, underHeadings, wholeVideo } from "./frames.ts";
import { goalOf } from "./wording.ts";

const STAGE = "order";

/** What a clip is called in a prompt when nobody described it. */
export const NOT_DESCRIBED = "(not described)";

/** A clip as the reasoning knows it: its number, what was said of it, and the evidence that says so. */
export interface DescribedClip {
  number: number;
  text: string;
  id: string | null;
}

/** Clips by number, each with its latest description. */
export function describedClips(state: Pick<State, "segments" | "evidence">): DescribedClip[] {
  const captions = new Map<number, Evidence>();
  for (const item of state.evidence)
    if (item.kind === "caption" && item.clip !== undefined) captions.set(item.clip, item);
  const numbers = new Set([...state.segments.map((segment) => segment.number), ...captions.keys()]);
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number) => {
      const caption = captions.get(number);
      return {
        number,
        text: caption === undefined ? NOT_DESCRIBED : onOneLine(caption.text),
        id: caption?.id ?? null,
      };
    });
}

/** One call orders all clips. */
export async function orderAtOnce(state: State, context: GraphContext): Promise<Update> {
  const clips = describedClips(state);
  if (clips.length < 2) return { outcome: ordered(clips, clips) };
  const seen = await seenWith(state, context);
  const variables = {
    goal: goalOf(state.question),
    clips: clips.map((clip) => `Clip ${clip.number}: ${clip.text}`).join("\n"),
  };
  const prompt = context.prompts.render(seen === null ? "rrd/order" : "rrd/order-video", variables);
  const result = await callModel(context, {
    stage: STAGE,
    role: "reasoner",
    label: "order all clips",
    prompts: [prompt],
    media: seen?.all,
  });
  const reply = replyOf(result);
  const problem = withoutWords(result);
  if (problem !== null || result.status === "limit")
    return { outcome: outcome({ ...(problem ?? { status: "not-answered" }), reply }) };
  const { text, finish } = result.reply;
  const order = parseOrder(
    text,
    clips.map((clip) => clip.number),
  );
  if (order !== null)
    return {
      outcome: {
        ...ordered(
          clips,
          order.flatMap((n) => clips.filter((clip) => clip.number === n)),
        ),
        reply,
      },
    };
  if (finish === "length") return { outcome: outcome({ status: "truncated", reply }) };
  const message = `Expected the numbers of ${clips.length} clips, each once, after "Correct order:", got ${JSON.stringify(onOneLine(text).slice(-120))}.`;
  return {
    outcome: outcome({ status: "unparsed", reply, error: { kind: "model-unusable", message } }),
  };
}

/** Merge sort, each comparison one call; Event A is the head of the left half. */
export async function orderByComparisons(state: State, context: GraphContext): Promise<Update> {
  const clips = describedClips(state);
  const seen = await seenWith(state, context);
  const counts = { comparisons: 0, asked_again: 0, invalid: 0, not_paid: 0 };
  const evidence: Evidence[] = [];

  const asked: Promise<Judgement>[] = [];
  let stopped: { error: unknown } | null = null;

  /** When one half fails the other asks no more; what is in flight is paid for, so it is waited for. */
  function ask(a: number, b: number): Promise<Judgement> {
    if (stopped !== null) throw stopped.error;
    const judgement = compare(a, b);
    asked.push(judgement);
    judgement.catch((error: unknown) => {
      stopped ??= { error };
    });
    return judgement;
  }

  async function compare(a: number, b: number): Promise<Judgement> {
    const [left, right] = [clips[a] as DescribedClip, clips[b] as DescribedClip];
    counts.comparisons++;
    for (const draw of [0, 1]) {
      if (draw === 1) counts.asked_again++;
      const result = await callModel(context, {
        stage: STAGE,
        role: "reasoner",
        label: `A ${left.number} against B ${right.number}`,
        prompts: [
          context.prompts.render(seen === null ? "rrd/compare" : "rrd/compare-video", {
            goal: goalOf(state.question),
            a: left.text,
            b: right.text,
          }),
        ],
        media: seen?.pair(left.number, right.number),
        draw,
      });
      if (result.status === "limit") {
        counts.not_paid++;
        return { p: 1, valid: false };
      }
      const first = withoutWords(result) === null ? parseComparison(result.reply.text) : null;
      if (first === null) continue;
      const item = comparison(context, state, left, right, first);
      context.emit(STAGE, { type: "evidence", item });
      evidence.push(item);
      return { p: first === "A" ? 1 : 0, valid: true };
    }
    counts.invalid++;
    return { p: 1, valid: false };
  }

  const ranking = await mergeSort(clips.length, ask).catch(async (error: unknown) => {
    await Promise.allSettled(asked);
    throw error;
  });
  const order = ranking.order.map((index) => clips[index] as DescribedClip);
  return {
    evidence,
    diagnostics: counts,
    outcome: settled(ordered(clips, order), counts),
  };
}

/** An order that not one comparison speaks for is no answer of the model's. */
function settled(
  found: Outcome,
  counts: { comparisons: number; invalid: number; not_paid: number },
): Outcome {
  const { comparisons, invalid, not_paid } = counts;
  if (comparisons === 0 || comparisons > invalid + not_paid) return found;
  if (invalid === 0) return outcome({ status: "not-answered" });
  const message = `Expected A or B of the model, but none of its replies to ${comparisons} comparisons was either.`;
  return { ...found, status: "unparsed", error: { kind: "model-unusable", message } };
}

function ordered(clips: DescribedClip[], order: DescribedClip[]): Outcome {
  if (clips.length === 0) return outcome({ status: "not-answered" });
  return outcome({
    status: "answered",
    answer: order.map((clip) => clip.number),
    cites: order.flatMap((clip) => clip.id ?? []),
  });
}

function comparison(
  context: GraphContext,
  state: State,
  a: DescribedClip,
  b: DescribedClip,
  first: "A" | "B",
): Evidence {
  const [before, after] = first === "A" ? [a, b] : [b, a];
  const spans = state.segments.filter(({ number }) => number === a.number || number === b.number);
  return makeEvidence({
    video: context.video.hash,
    kind: "comparison",
    start_s: Math.min(...spans.map((span) => span.start_s)),
    end_s: Math.max(...spans.map((span) => span.end_s)),
    text: `Clip ${before.number} comes before clip ${after.number}.`,
    data: { a: a.number, b: b.number, first },
    by: { who: "model", name: context.models.nameOf("reasoner") ?? "unnamed" },
    confidence: null,
    from: [a.id, b.id].flatMap((id) => id ?? []),
  });
}

interface Seen {
  all: Part[];
  pair(a: number, b: number): Part[];
}

/** The frames that go along with the descriptions; null where reasoning works on text alone. */
async function seenWith(state: State, context: GraphContext): Promise<Seen | null> {
  const { recognition, reasoning } = context.settings;
  if (reasoning.input === "text") return null;
  if (recognition.input === "whole-video") {
    const all = images(await wholeVideo(context, STAGE));
    return { all, pair: () => all };
  }
  const frames = await bySegment(context, STAGE, state.segments);
  const of = (number: number) => images(frames[indexOf(state.segments, number)] ?? []);
  return {
    all: underHeadings("Clip", state.segments, frames),
    pair: (a, b) => [
      { type: "text", text: "Event A:" },
      ...of(a),
      { type: "text", text: "Event B:" },
      ...of(b),
    ],
  };
}

function indexOf(segments: readonly Segment[], number: number): number {
  return segments.findIndex((segment) => segment.number === number);
}
