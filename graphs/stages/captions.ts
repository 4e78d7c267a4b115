import type { Rendered } from "../../prompts/load-prompts.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence, FrameRef, Task } from "../../src/core/shapes.ts";
import type { Part } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { MOST_CLIPS, parseDescription, parseDescriptions } from "../replies/parse-descriptions.ts";
import { finalText, onOneLine } from "../replies/reply-text.ts";
import { allSettledOrThrow } from "../stage.ts";
import { type Outcome, outcome, type Segment, type State, type Update } from "../state.ts";
import { callModel, foreseeModel, type StageRequest, unreadableReply } from "./call-model.ts";
import { listedParts, middleFrame, underHeadings } from "./frames.ts";
import { mediaBySegment, wholeMedia } from "./native-media.ts";
import { addSpends, foreseeAnswer, isLimited, reserveCalls } from "./reserve-budget.ts";
import { unplacedClips } from "./segment.ts";
import { isVerbatim, recognisedText } from "./verbatim.ts";

const STAGE = "caption";
const ROLE = "recogniser";

type Problem = Pick<Outcome, "status" | "error">;
interface Described {
  segment: Segment;
  text: string | null;
  cut: boolean;
  problem: Problem | null;
  /** The whole reply about this segment; absent if it was about several, or without one. */
  reply?: string;
}

/** Prompt and media of a call about all segments, or about one. */
interface View {
  word: "Clip" | "Part";
  /** Whether the replies enter the next prompt as they are, so that none is asked for again. */
  verbatim: boolean;
  all: { prompt: Rendered; media: Part[] };
  one(segment: Segment): { prompt: Rendered; media: Part[] };
  /** A picture to show a person with the description. */
  picture?(segment: Segment): FrameRef | undefined;
}

/** Describes every segment, in one call or in one call per segment, and turns the descriptions into evidence. */
export async function captions(state: State, context: GraphContext): Promise<Update> {
  const { mode } = context.settings.recognition;
  const { question, segments } = state;
  const view = await viewOf(question.task, segments, context);
  if (!isLimited(context)) {
    const described =
      mode === "all-at-once"
        ? await describeAll(state, context, view)
        : await allSettledOrThrow(segments.map((segment) => describeOne(context, view, segment)));
    return toUpdate(described, view, question.task, context);
  }
  if (mode === "sequential")
    return toUpdate(await describeWithin(state, context, view), view, question.task, context);
  // Reserved before the descriptions, so that the budget still covers the answer.
  const descriptions = Math.max(1, segments.length);
  const answer = await foreseeAnswer(question, { descriptions }, view.all.media, context);
  const held = reserveCalls(context.ledger, answer);
  if ("refused" in held) {
    const unasked = segments.length > 0 ? segments : [UNKNOWN];
    return toUpdate(unasked.map(notAsked), view, question.task, context);
  }
  try {
    return toUpdate(await describeAll(state, context, view), view, question.task, context);
  } finally {
    held.release();
  }
}

/** Placeholder for clips whose number is unknown. */
const UNKNOWN: Segment = { number: 1, kind: "clip", start_s: 0, end_s: 0 };

/** A segment without a call, because the budget would not cover the answer too. */
function notAsked(segment: Segment): Described {
  return { segment, text: null, cut: false, problem: { status: "not-answered" } };
}

/**
 * One call per segment, in order, as far as the budget covers them and the reasoning after them. An order question
 * needs every segment: if the budget does not cover all, no call is made. Budget that the replies did not use goes to
 * further segments.
 */
async function describeWithin(
  { question, segments }: State,
  context: GraphContext,
  view: View,
): Promise<Described[]> {
  const { ledger } = context;
  const spends = await Promise.all(
    segments.map((segment) => foreseeModel(context, requestOf(view, segment))),
  );
  const described: Described[] = [];
  const { progress } = context.job(STAGE);
  let done = 0;
  while (described.length < segments.length) {
    const open = segments.slice(described.length);
    const costs = spends.slice(described.length);
    const words = described.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
    const least = question.task === "order" ? open.length : 1;
    const needs = async (count: number) => [
      ...costs.slice(0, count),
      ...(await foreseeAnswer(
        question,
        { descriptions: count, known: Math.ceil(words / 4) },
        view.all.media,
        context,
      )),
    ];
    let count = open.length;
    while (count > least && !ledger.fits(addSpends(await needs(count)))) count--;
    const held = reserveCalls(ledger, await needs(count));
    if ("refused" in held) return [...described, ...open.map(notAsked)];
    try {
      const asked = open.slice(0, count).map((segment) => {
        held.next();
        return describeOne(context, view, segment).finally(() =>
          progress?.(++done, segments.length, "parts described"),
        );
      });
      described.push(...(await allSettledOrThrow(asked)));
    } finally {
      held.release();
    }
  }
  return described;
}

async function viewOf(task: Task, segments: Segment[], context: GraphContext): Promise<View> {
  const { prompts, settings } = context;
  const whole = settings.recognition.input === "whole-video";
  const video = settings.recognition.media === "video";
  const count = String(segments.length);
  if (task === "order" && whole) {
    const media = await wholeMedia(context, STAGE, ROLE);
    return {
      word: "Clip",
      verbatim: isVerbatim(settings, task),
      all: { prompt: prompts.render("rrd/recognise-all", {}), media },
      one: ({ number }) => ({
        prompt: prompts.render("rrd/recognise-one", { clip: String(number) }),
        media,
      }),
    };
  }
  const { of, picture } = await shownOf(segments, whole && video, context);
  if (task === "order")
    return {
      word: "Clip",
      verbatim: false,
      all: {
        prompt: prompts.render(video ? "rrd/recognise-clips-video" : "rrd/recognise-clips", {
          count,
        }),
        media: underHeadings("Clip", segments, segments.map(of)),
      },
      one: (segment) => ({
        prompt: prompts.render(video ? "rrd/recognise-clip-video" : "rrd/recognise-clip", {}),
        media: of(segment),
      }),
      picture,
    };
  const media =
    whole && video
      ? [...(await wholeMedia(context, STAGE, ROLE)), listedParts(segments)]
      : underHeadings("Part", segments, segments.map(of));
  return {
    word: "Part",
    verbatim: false,
    all: {
      prompt: prompts.render(video ? "rrd/describe-all-video" : "rrd/describe-all", { count }),
      media,
    },
    one: (segment) => ({
      prompt: prompts.render(video ? "rrd/describe-part-video" : "rrd/describe-part", {
        part: String(segment.number),
      }),
      media: whole ? media : underHeadings("Part", [segment], [of(segment)]),
    }),
    picture,
  };
}

/** The media of each segment, none if the whole video is sent, and a picture of each for a person. */
async function shownOf(segments: Segment[], isWhole: boolean, context: GraphContext) {
  const shown = isWhole ? [] : await mediaBySegment(context, STAGE, ROLE, segments);
  const sendsFrames = context.settings.recognition.media === "frames";
  const own: (FrameRef | undefined)[] = [];
  for (const segment of sendsFrames ? [] : segments)
    own.push(await middleFrame(context, STAGE, segment));
  return {
    of: (segment: Segment) => shown[segments.indexOf(segment)] ?? [],
    picture: (segment: Segment) => {
      const place = segments.indexOf(segment);
      const frames = (shown[place] ?? []).flatMap((part) =>
        part.type === "image" ? [part.frame] : [],
      );
      return sendsFrames ? frames[Math.floor(frames.length / 2)] : own[place];
    },
  };
}

/** One call for all segments, then one call for each segment that its reply leaves out. */
async function describeAll(state: State, context: GraphContext, view: View): Promise<Described[]> {
  const request = { stage: STAGE, role: ROLE, label: "all clips" } as const;
  const { prompt, media } = view.all;
  const result = await callModel(context, { ...request, prompts: [prompt], media });
  const problem = unreadableReply(result);
  const found =
    result.status === "replied" && problem === null
      ? parseDescriptions(result.reply.text, view.word)
      : new Map<number, string>();
  const cut = result.status === "replied" && result.reply.finish === "length";
  const numbered = highestNumber([...found.keys()]);
  const segments = state.segments.length > 0 ? state.segments : unplacedClips(context, numbered);
  const said = result.status === "replied" ? { reply: result.reply.text } : {};
  if (segments.length === 0) {
    if (!view.verbatim || said.reply === undefined)
      return [{ segment: UNKNOWN, text: null, cut, problem }];
    // A description of the whole video can be cited, too.
    const segment = { ...UNKNOWN, kind: "part", end_s: context.video.probe.duration_s } as const;
    const text = onOneLine(finalText(said.reply));
    return [{ segment, text: text === "" ? null : text, cut, problem, ...said }];
  }
  if (view.verbatim)
    return segments.map((segment) => {
      const text = found.get(segment.number) ?? null;
      return { segment, text, cut: cut && segment.number === numbered, problem, ...said };
    });
  return allSettledOrThrow(
    segments.map(async (segment) => {
      const text = found.get(segment.number);
      return text === undefined
        ? describeOne(context, view, segment, 1)
        : { segment, text, cut: cut && segment.number === numbered, problem: null };
    }),
  );
}

/**
 * The highest plausible clip number: at least half of the numbers up to it occur, so that a stray large number is
 * ignored.
 */
function highestNumber(numbers: readonly number[]): number {
  const upTo = (most: number) => numbers.filter((number) => number <= most).length;
  return Math.max(0, ...numbers.filter((n) => n <= MOST_CLIPS && 2 * upTo(n) >= n));
}

/** One call about one segment, repeated once if the reply has no text. */
async function describeOne(
  context: GraphContext,
  view: View,
  segment: Segment,
  tries = view.verbatim ? 1 : 2,
): Promise<Described> {
  const request = requestOf(view, segment);
  if (request.media?.length === 0) return { segment, text: null, cut: false, problem: null };
  let problem: Problem | null = null;
  let reply = "";
  for (let draw = 0; draw < tries; draw++) {
    const result = await callModel(context, { ...request, draw });
    problem = unreadableReply(result);
    if (result.status === "limit") break;
    reply = result.reply.text;
    const text =
      problem === null ? parseDescription(result.reply.text, view.word, segment.number) : null;
    if (text !== null)
      return { segment, text, cut: result.reply.finish === "length", problem: null, reply };
  }
  return { segment, text: null, cut: false, problem, reply };
}

function requestOf(view: View, segment: Segment): StageRequest {
  const { prompt, media } = view.one(segment);
  const label = `${view.word.toLowerCase()} ${segment.number}`;
  return { stage: STAGE, role: ROLE, label, prompts: [prompt], media };
}

function toUpdate(described: Described[], view: View, task: Task, context: GraphContext): Update {
  const segments = described.map((one) => one.segment);
  const evidence = described.flatMap(({ segment, text }) =>
    text === null ? [] : [caption(segment, text, view, context)],
  );
  const numbers = (those: Described[]) => those.map((one) => one.segment.number);
  const diagnostics = {
    described: evidence.length,
    not_described: numbers(described.filter((one) => one.text === null)),
    cut_descriptions: numbers(described.filter((one) => one.cut)),
  };
  // An order needs every clip, so no order is requested if the budget left one out.
  const spent = described.some(({ problem }) => problem?.status === "not-answered");
  if (task === "order" && spent && evidence.length > 0)
    return { segments, evidence, diagnostics, outcome: outcome({ status: "not-answered" }) };
  if (view.verbatim) {
    const failed = described.find(({ problem }) => problem !== null && !isReply(problem))?.problem;
    if (failed != null) return { segments, evidence, diagnostics, outcome: outcome(failed) };
    const recognised = recognisedText(described, context.settings);
    const known = segments.filter(({ kind }) => kind === "clip");
    return { segments: known, evidence, diagnostics, recognised };
  }
  if (evidence.length > 0) return { segments, evidence, diagnostics };
  const problem = described.find((one) => one.problem !== null)?.problem;
  const message = "The reply of the model contains no description of a clip.";
  return {
    diagnostics,
    outcome: outcome(problem ?? { status: "unparsed", error: { kind: "model-unusable", message } }),
  };
}

/** Whether there was a reply, though without a description: a refusal, or only reasoning. */
const isReply = ({ status }: Problem) => status === "refused" || status === "truncated";

function caption(segment: Segment, text: string, view: View, context: GraphContext): Evidence {
  return makeEvidence({
    video: context.video.hash,
    kind: "caption",
    start_s: segment.start_s,
    end_s: segment.end_s,
    text,
    clip: segment.kind === "clip" ? segment.number : undefined,
    frame: view.picture?.(segment),
    by: { who: "model", name: context.models.nameOf("recogniser") ?? "unnamed" },
    confidence: null,
    from: [],
  });
}
