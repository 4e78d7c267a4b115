import { Failure } from "../../src/core/errors.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import type { Part } from "../../src/models/chat.ts";
import { type Arguments, MOST_LOOKED_AT } from "../../tools/agent/arguments.ts";
import { subtitlesOf } from "../../tools/speech/subtitles-in.ts";
import { readTextAt } from "../../tools/text/read-text-at.ts";
import { compareSheet } from "../../tools/video/compare-frames.ts";
import { overviewSheets } from "../../tools/video/overview.ts";
import { frameTable } from "../../tools/video/video.ts";
import { viewFrames } from "../../tools/video/view-frames.ts";
import { zoomCrop } from "../../tools/video/zoom.ts";
import { clip, type Span, sound } from "../stages/native-media.ts";
import { workOut, workOutUnknowns } from "./calculations.ts";
import { find } from "./find-evidence.ts";
import type { AgentTool } from "./offered-tools.ts";
import { searchSettings } from "./settings.ts";
import {
  clipped,
  type Desk,
  listed,
  noFramesLeft,
  onSheets,
  pictured,
  type Result,
} from "./tool-results.ts";

/** Items that one search, and one stretch of subtitles, hand back. */
const MOST_FOUND = 12;
const MOST_CUES = 40;
const FEWEST_COMPARED = 2;
/** Frames that a further overview leaves for looking closer at what it shows. */
const KEPT_FOR_LOOKS = 3;

/** Longest clip that the agent may ask for, in seconds. */
const LONGEST_CLIP_S = 120;

type Tool<N extends AgentTool> = (given: Arguments<N>, desk: Desk) => Result | Promise<Result>;

/** What each tool does. `answer` is none of them: it ends the search. */
export const TOOLS: { [N in AgentTool]: Tool<N> } = {
  async overview({ from_s, to_s }, desk) {
    const { context, evidence, showing } = desk;
    const { cells } = searchSettings(context.settings);
    // Asked again, it goes on with what it has not shown.
    const shown_s = evidence.filter(isFrame).map((item) => item.start_s);
    const more = Math.min(Math.ceil(cells / 2), Math.max(1, showing.room() - KEPT_FOR_LOOKS));
    const count = showing.allow(shown_s.length === 0 ? cells : more);
    if (count === 0) return noFramesLeft(desk);
    const part = { from_s: from_s ?? undefined, to_s: to_s ?? undefined };
    const spec = { count, ...part, shown_s, ...lookOf(desk) };
    const { sheets } = await overviewSheets(context.video, spec, context.job(desk.stage));
    if (sheets.length === 0) return listed([], desk);
    return onSheets(sheets, desk);
  },

  async search_evidence({ query, kinds, from_s, to_s }, desk) {
    const filters = {
      kinds: kinds ?? undefined,
      from_s: from_s ?? undefined,
      to_s: to_s ?? undefined,
      limit: MOST_FOUND,
    };
    return listed(await find(query, filters, desk), desk);
  },

  async view_frames({ from_s, to_s, count }, desk) {
    const { context, showing } = desk;
    const allowed = showing.allow(Math.min(count, MOST_LOOKED_AT));
    if (allowed === 0) return noFramesLeft(desk);
    const spec = { from_s, to_s, count: allowed, ...lookOf(desk) };
    const frames = await viewFrames(context.video, spec, context.job(desk.stage));
    const shown = pictured(showing.frames(frames), desk);
    return { ...shown, parts: [...shown.parts, ...(await soundOf({ from_s, to_s }, desk))] };
  },

  async view_clip({ from_s, to_s }, desk) {
    const { context, showing } = desk;
    const job = context.job(desk.stage);
    if (to_s - from_s > LONGEST_CLIP_S)
      throw new Failure(
        "wrong-usage",
        `A clip lasts at most ${LONGEST_CLIP_S} s, and ${from_s} s to ${to_s} s is longer.`,
        { from_s, to_s },
      );
    const { end_s } = await frameTable(context.video, job);
    const span = clipSpan({ from_s, to_s }, end_s);
    const allowed = showing.allow(framesOfClip(span, context.settings));
    if (allowed === 0) return noFramesLeft(desk);
    const moments = await viewFrames(
      context.video,
      { ...span, count: allowed, ...lookOf(desk) },
      job,
    );
    const media = [
      { ...(await clip(context, desk.stage, span)), label: labelOf(span) },
      ...(await soundOf(span, desk)),
    ];
    return clipped(showing.frames(moments), media, desk);
  },

  async zoom({ at_s, box }, desk) {
    const { context, showing } = desk;
    if (showing.allow(1) === 0) return noFramesLeft(desk);
    const spec = { at_s, box };
    const zoomed = await zoomCrop(context.video, spec, context.job(desk.stage));
    return pictured(showing.frames([zoomed.frame], { box: zoomed.box }), desk);
  },

  async read_text({ at_s, box }, desk) {
    const { context } = desk;
    const spec = { at_s, box: box ?? undefined };
    const items = await readTextAt(context.video, spec, context.job(desk.stage));
    return listed(
      items.filter((item) => item.text !== ""),
      desk,
    );
  },

  subtitles({ from_s, to_s }, desk) {
    return listed(subtitlesOf(desk.evidence, from_s, to_s).slice(0, MOST_CUES), desk);
  },

  async compare_frames({ times_s }, desk) {
    const { context, showing } = desk;
    const allowed = showing.allow(times_s.length);
    if (allowed < FEWEST_COMPARED) return noFramesLeft(desk);
    const spec = { times_s: times_s.slice(0, allowed), ...lookOf(desk) };
    return onSheets([await compareSheet(context.video, spec, context.job(desk.stage))], desk);
  },

  calculate: ({ expression }, desk) => workOut(expression, desk),
  solve: ({ equations, for: unknowns }, desk) => workOutUnknowns(equations, unknowns, desk),
};

/** A moment is shown with what follows it. In seconds. */
const SHORTEST_CLIP_S = 1;

/** The part as far as the video has it; a moment near the end is shown with what comes before it. */
function clipSpan({ from_s, to_s }: Span, end_s: number): Span {
  // Wrong times are told by the frames of the part.
  if (from_s > end_s || to_s < from_s) return { from_s, to_s };
  const begin_s = Math.max(0, Math.min(from_s, end_s - SHORTEST_CLIP_S));
  return { from_s: begin_s, to_s: Math.min(Math.max(to_s, begin_s + SHORTEST_CLIP_S), end_s) };
}

/** Frames that a clip counts for: as many as the server takes of it, at most as many as one look shows. */
function framesOfClip({ from_s, to_s }: Span, { recognition }: Settings): number {
  const { video_fps, video_frames } = recognition;
  const taken = Math.max(1, Math.ceil((to_s - from_s) * (video_fps ?? 1)));
  return Math.min(taken, video_frames ?? MOST_LOOKED_AT, MOST_LOOKED_AT);
}

function labelOf({ from_s, to_s }: Span): string {
  return `Clip from ${secondsAndClock(from_s)} to ${secondsAndClock(to_s)}:`;
}

/** The sound of a part that is looked at, where the settings ask for it. */
async function soundOf(span: Span, { context, stage }: Desk): Promise<Part[]> {
  if (!context.settings.recognition.audio) return [];
  return [{ ...(await sound(context, stage, span)), label: `Sound ${labelOf(span).slice(5)}` }];
}

function isFrame({ kind, box }: Evidence): boolean {
  return kind === "frame" && box === undefined;
}

/** How large frames are shown. */
export function lookOf({ context }: Desk) {
  const { max_side, quality } = context.settings.recognition;
  return { max_side, quality };
}
