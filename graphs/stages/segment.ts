import { readsSetting, segmentationOf } from "../../src/core/settings.ts";
import type { Question } from "../../src/core/shapes.ts";
import type { Probe } from "../../src/media/probe.ts";
import type { Part } from "../../src/models/chat.ts";
import { detectShots, type Shot } from "../../tools/video/shots.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import { fixedWindows } from "../../tools/video/windows.ts";
import type { GraphContext } from "../context.ts";
import { MOST_CLIPS, parseCount, releasedCount } from "../replies/parse-descriptions.ts";
import { outcome, type Segment, type State, type Update } from "../state.ts";
import { callModel, foreseeModel, unreadableReply } from "./call-model.ts";
import { wholeMedia } from "./native-media.ts";
import { mostParts } from "./picture-limits.ts";
import { NO_PICTURES } from "./pictures.ts";
import { foreseeAnswer, isLimited, reserveCalls } from "./reserve-budget.ts";
import { isVerbatim } from "./verbatim.ts";

const STAGE = "segment";

/** Seconds that one description can do justice to. */
const PART_S = 10;

/**
 * Where the parts that are described begin and end. Shuffled clips are found by their title cards, or counted by the
 * model if it is shown the whole video; other videos are described clip by clip, shot by shot or in fixed windows.
 */
export async function segment(state: State, context: GraphContext): Promise<Update> {
  const { recognition } = context.settings;
  if (context.video.probe.video === null) return withoutPictures(state, context);
  const segmentation = segmentationOf(context.settings);
  if (segmentation?.by === "cards") return clipsByCards(context);
  if (state.question.task !== "order")
    switch (segmentation?.by) {
      case "windows":
        return { segments: await windows(segmentation.every_s, context) };
      case "shots":
        return { segments: await shots(context) };
      default:
        return { segments: await clipsOrShots(context) };
    }
  if (recognition.input === "clip") return clipsByCards(context);
  // The reply of the one call on the whole video tells how many clips there are.
  return recognition.mode === "all-at-once" ? {} : countedClips(state, context);
}

/** What is said can still be used. Clips are ordered by what they show. */
function withoutPictures({ question }: State, context: GraphContext): Update {
  if (question.task === "order")
    return {
      outcome: outcome({ status: "error", error: { kind: "no-video", message: NO_PICTURES } }),
    };
  context.emit(STAGE, { type: "note", text: `${NO_PICTURES} Only what is said is used.` });
  return {};
}

/** The clips, each by the number on its card; else an outcome that names the problem with the cards. */
export async function clipsByCards(context: GraphContext): Promise<Update> {
  const segments = await clipsOf(context);
  const numbers = segments.map((segment) => segment.number);
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (segments.length > 0 && twice === undefined) return { segments };
  const problem = twice === undefined ? "there are none" : `Clip ${twice} is there more than once`;
  const message = `Cannot find the clips by their title cards (Clip 1, Clip 2 ..., each once): ${problem}.${hint(context)}`;
  return { outcome: outcome({ status: "error", error: { kind: "not-found", message } }) };
}

function hint({ settings }: GraphContext): string {
  if (segmentationOf(settings)?.by === "cards")
    return " Leave out `--segments cards`, or use `--segments shots` or `--segments every:10`.";
  return readsSetting(settings.strategy, "recognition.mode")
    ? " `--recognition-input whole-video` lets the model count the clips."
    : "";
}

async function clipsOf(context: GraphContext): Promise<Segment[]> {
  const { clips, notes } = await findTitleCards(context.video, context.job(STAGE));
  for (const text of notes) context.emit(STAGE, { type: "note", text });
  return clips
    .map(({ clip, start_s, end_s }): Segment => ({ number: clip, kind: "clip", start_s, end_s }))
    .sort((a, b) => a.number - b.number || a.start_s - b.start_s);
}

async function clipsOrShots(context: GraphContext): Promise<Segment[]> {
  const clips = await clipsOf(context);
  const numbers = new Set(clips.map((clip) => clip.number));
  return clips.length > 1 && numbers.size === clips.length ? clips : shots(context);
}

async function shots({ video, settings, job }: GraphContext): Promise<Segment[]> {
  const found = await detectShots(video, job(STAGE));
  return partsByShots(found, endOfPictures(video.probe), settings.recognition.frames);
}

/** Sound may go on after the last picture. To the microsecond, as is the length of the whole. */
function endOfPictures({ video, duration_s }: Probe): number {
  return video === null ? duration_s : Math.round(video.end_s * 1e6) / 1e6;
}

/** A model is told fractions of a second if the windows have some. */
async function windows(every_s: number, { video, job }: GraphContext): Promise<Segment[]> {
  const tenths = Number.isInteger(every_s) ? {} : ({ tenths: true } as const);
  return (await fixedWindows(video, every_s, job(STAGE))).map(
    (window, index): Segment => ({ number: index + 1, kind: "part", ...window, ...tenths }),
  );
}

/**
 * One part a shot, long shots in parts of about `PART_S` seconds as far as the frames allow. Where there are more
 * shots than parts that could have `LEAST_FRAMES` of all frames, equal parts of the pictures, which end at `end_s`.
 */
export function partsByShots(shots: readonly Shot[], end_s: number, frames: number): Segment[] {
  const most = mostParts(frames);
  if (shots.length === 0 || shots.length > most) return equalParts(end_s, frames);
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

/**
 * The released code's first call: how many clips there are, with the whole video. Asked once more if the reply is not a
 * count, unless replies are taken as that code takes them.
 */
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
  const verbatim = isVerbatim(context.settings, "order");
  const read = verbatim ? releasedCount : parseCount;
  const last = verbatim ? 0 : 1;
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
    const count = result.status === "replied" ? read(result.reply.text) : null;
    if (count !== null) return { segments: unplacedClips(context, count) };
    if (draw === last || result.status === "limit") return { outcome: notCounted(problem) };
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
