import { readsSetting } from "../../src/core/settings.ts";
import type { Question } from "../../src/core/shapes.ts";
import type { Part } from "../../src/models/chat.ts";
import { detectShots, type Shot } from "../../tools/video/shots.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import type { GraphContext } from "../context.ts";
import { MOST_CLIPS, parseCount } from "../replies/parse-descriptions.ts";
import { outcome, type Segment, type State, type Update } from "../state.ts";
import { callModel, foreseeModel, unreadableReply } from "./call-model.ts";
import { wholeMedia } from "./native-media.ts";
import { mostParts } from "./picture-limits.ts";
import { foreseeAnswer, isLimited, reserveCalls } from "./reserve-budget.ts";

const STAGE = "segment";

/** Seconds that one description can do justice to. */
const PART_S = 10;

/**
 * Where the things to be described begin and end. Shuffled clips are found by their title cards, or counted by the
 * model where it is to see the whole video; other videos are described shot by shot.
 */
export async function segment(state: State, context: GraphContext): Promise<Update> {
  const { recognition } = context.settings;
  if (state.question.task !== "order") return { segments: await partsOrClips(context) };
  if (recognition.input === "clip") return clipsByCards(context);
  // The reply of the one call on the whole video tells how many clips there are.
  return recognition.mode === "all-at-once" ? {} : countedClips(state, context);
}

/** The clips of an order question, each by the number on its card; else an outcome that names the problem with the cards. */
export async function clipsByCards(context: GraphContext): Promise<Update> {
  const segments = await clipsOf(context);
  const numbers = segments.map((segment) => segment.number);
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (segments.length > 0 && twice === undefined) return { segments };
  const problem = twice === undefined ? "there are none" : `Clip ${twice} is there more than once`;
  const hint = readsSetting(context.settings.strategy, "recognition.mode")
    ? " `--recognition-input whole-video` lets the model count the clips."
    : "";
  const message = `Cannot find the clips by their title cards (Clip 1, Clip 2 ..., each once): ${problem}.${hint}`;
  return { outcome: outcome({ status: "error", error: { kind: "not-found", message } }) };
}

async function clipsOf(context: GraphContext): Promise<Segment[]> {
  const { clips, notes } = await findTitleCards(context.video, context.job(STAGE));
  for (const text of notes) context.emit(STAGE, { type: "note", text });
  return clips
    .map(({ clip, start_s, end_s }): Segment => ({ number: clip, kind: "clip", start_s, end_s }))
    .sort((a, b) => a.number - b.number || a.start_s - b.start_s);
}

async function partsOrClips(context: GraphContext): Promise<Segment[]> {
  const clips = await clipsOf(context);
  if (clips.length > 1 && new Set(clips.map((clip) => clip.number)).size === clips.length)
    return clips;
  const shots = await detectShots(context.video, context.job(STAGE));
  return partsByShots(shots, context.video.probe.duration_s, context.settings.recognition.frames);
}

/**
 * One part a shot, long shots in parts of about `PART_S` seconds as far as the frames allow. Where there are more
 * shots than parts that could have `LEAST_FRAMES` of all frames, equal parts of the video.
 */
export function partsByShots(
  shots: readonly Shot[],
  duration_s: number,
  frames: number,
): Segment[] {
  const most = mostParts(frames);
  if (shots.length === 0 || shots.length > most) return equalParts(duration_s, frames);
  const counted = shots.map(({ start_s, end_s }) => ({
    start_s,
    length: end_s - start_s,
    parts: 1,
  }));
  for (let total = shots.length; total < most; total++) {
    const longest = counted.reduce((a, b) => (b.length / b.parts > a.length / a.parts ? b : a));
    if (longest.parts >= Math.round(longest.length / PART_S)) break;
    longest.parts++;
  }
  return counted
    .flatMap(({ start_s, length, parts }) =>
      Array.from({ length: parts }, (_, index) => ({
        start_s: start_s + (index * length) / parts,
        end_s: start_s + ((index + 1) * length) / parts,
      })),
    )
    .map((span, index): Segment => ({ number: index + 1, kind: "part", ...span }));
}

/** Parts of about `PART_S` seconds, but never so many that one had fewer than `LEAST_FRAMES` of all frames. */
export function equalParts(duration_s: number, frames: number): Segment[] {
  const count = Math.min(mostParts(frames), Math.max(1, Math.round(duration_s / PART_S)));
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    kind: "part",
    start_s: (index * duration_s) / count,
    end_s: ((index + 1) * duration_s) / count,
  }));
}

/** The released code's first call: how many clips there are, with the whole video. Asked once more if the reply is not a count. */
async function countedClips({ question }: State, context: GraphContext): Promise<Update> {
  const media = await wholeMedia(context, STAGE, "recogniser");
  const held = await holdRest(question, media, context);
  if (held === null) return { outcome: outcome({ status: "not-answered" }) };
  try {
    return await countClips(media, context);
  } finally {
    held.release();
  }
}

/** Holds what has to follow a count: at least a description of one clip, and the order. Null where that is too much. */
async function holdRest(
  question: Question,
  media: readonly Part[],
  context: GraphContext,
): Promise<{ release(): void } | null> {
  if (!isLimited(context)) return { release: () => undefined };
  const prompts = [context.prompts.render("rrd/recognise-one", { clip: "1" })];
  const one = { stage: STAGE, role: "recogniser", label: "clip 1", prompts, media } as const;
  const held = reserveCalls(context.ledger, [
    await foreseeModel(context, one),
    ...(await foreseeAnswer(question, { descriptions: 1 }, media, context)),
  ]);
  return "refused" in held ? null : held;
}

async function countClips(media: readonly Part[], context: GraphContext): Promise<Update> {
  for (const draw of [0, 1]) {
    const prompts = [context.prompts.render("rrd/count-clips", {})];
    const request = {
      stage: STAGE,
      role: "recogniser",
      label: "count the clips",
      prompts,
    } as const;
    const result = await callModel(context, { ...request, media, draw });
    const problem = unreadableReply(result);
    const count = result.status === "replied" ? parseCount(result.reply.text) : null;
    if (count !== null) return { segments: unplacedClips(context, count) };
    if (draw === 1 || result.status === "limit") return { outcome: notCounted(problem) };
  }
  return {};
}

function notCounted(problem: ReturnType<typeof unreadableReply>): Update["outcome"] {
  const message = `The reply of the model does not say how many clips there are (one number from 1 to ${MOST_CLIPS}).`;
  return outcome(problem ?? { status: "unparsed", error: { kind: "model-unusable", message } });
}

/** Clips whose place in the video nobody looked for: each may be anywhere in it. */
export function unplacedClips(context: GraphContext, count: number): Segment[] {
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    kind: "clip",
    start_s: 0,
    end_s: context.video.probe.duration_s,
  }));
}
