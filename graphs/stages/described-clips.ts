import type { Part } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { onOneLine } from "../replies/reply-text.ts";
import { captionsByClip, type Outcome, outcome, type Segment, type State } from "../state.ts";
import { underHeadings } from "./frames.ts";
import { mediaBySegment, wholeMedia } from "./native-media.ts";

/** Text of a clip without a description in a prompt. */
export const NOT_DESCRIBED = "(not described)";

/** A clip for the reasoning: its number, its description, and the id of that evidence. */
export interface DescribedClip {
  number: number;
  text: string;
  id: string | null;
}

/** Clips by number, each with its description. */
export function describedClips(state: Pick<State, "segments" | "evidence">): DescribedClip[] {
  const captions = captionsByClip(state.evidence);
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

/** The frames, or the video itself, that are sent with descriptions. */
export interface ReasoningMedia {
  kind: "frames" | "video";
  all: Part[];
  pair(a: number, b: number): Part[];
}

/** Null if reasoning reads only text. */
export async function reasoningMedia(
  state: State,
  context: GraphContext,
  stage: string,
): Promise<ReasoningMedia | null> {
  const { reasoning, recognition } = context.settings;
  if (reasoning.input === "text") return null;
  const { media } = recognition;
  if (recognition.input === "whole-video") {
    const all = await wholeMedia(context, stage, "reasoner");
    return { kind: media, all, pair: () => all };
  }
  const shown = await mediaBySegment(context, stage, "reasoner", state.segments);
  const of = (number: number) => shown[indexOf(state.segments, number)] ?? [];
  return {
    kind: media,
    all: underHeadings("Clip", state.segments, shown),
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

/** The outcome for an order of clips. */
export function orderOutcome(clips: readonly DescribedClip[]): Outcome {
  if (clips.length === 0) return outcome({ status: "not-answered" });
  return outcome({
    status: "answered",
    answer: clips.map((clip) => clip.number),
    cites: clips.flatMap((clip) => clip.id ?? []),
  });
}
