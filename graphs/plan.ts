import { budgetOf, ocrMode, recognitionInput, type Settings } from "../src/core/settings.ts";
import { plannedCalls } from "../tools/ranking/methods.ts";
import { LEAST_FRAMES } from "./stages/frames.ts";
import { MOST_PICTURES } from "./stages/screen-text.ts";
import { mostParts } from "./stages/segment.ts";

/** Calls of one stage, told before the first is made; unreadable replies, which are asked once more, are not foreseen. */
export interface PlannedStage {
  stage: "segment" | "caption" | "text" | "mathematics" | "order" | "ask" | "answer" | "search";
  /** What the calls are for, for a person. */
  what: string;
  /** At most; `exact` where never fewer. */
  calls: number;
  exact: boolean;
  /** Frames over all these calls, at most. */
  frames: number;
  /** Seconds of video and of sound over all these calls, at most; null where the length of the video is not known. */
  video_s: number | null;
  sound_s: number | null;
}

/**
 * The model calls that a strategy makes for one ordering question on a video with this many clips. Without a duration
 * in seconds, samplers by rate are taken to give `frames` frames.
 */
export function planOrdering(
  settings: Settings,
  clips: number,
  duration_s: number | null = null,
): PlannedStage[] {
  const whole = framesOfVideo(settings, duration_s);
  const inFrames = {
    whole,
    parted: Math.max(whole, LEAST_FRAMES * clips),
    mostOfClip: Math.max(LEAST_FRAMES, Math.ceil(whole / Math.max(1, clips))),
  };
  // Any two clips may be the longest ones.
  const inSeconds = (all: number): Shown => ({ whole: all, parted: all, mostOfClip: all / 2 });
  return withSeconds(settings, duration_s, orderingStages(settings, clips, inFrames), (all) =>
    orderingStages(settings, clips, inSeconds(all)),
  );
}

/** What one call shows of a video at most, in frames or in seconds. */
interface Shown {
  whole: number;
  /** All clips together. */
  parted: number;
  mostOfClip: number;
}

type Stage = Omit<PlannedStage, "video_s" | "sound_s">;

/** Stages that show pictures whatever the settings say. */
const PICTURES: readonly Stage["stage"][] = ["text", "search"];

/** Adds the seconds of video and sound: `inSeconds` plans the same stages with seconds in place of frames. */
function withSeconds(
  { recognition }: Settings,
  duration_s: number | null,
  stages: Stage[],
  inSeconds: (all: number) => Stage[],
): PlannedStage[] {
  const timed = inSeconds(duration_s ?? 0);
  return stages.map((stage, index) => {
    const seconds = duration_s === null ? null : (timed[index]?.frames ?? 0);
    const native = recognition.media === "video" && !PICTURES.includes(stage.stage);
    const heard = recognition.audio && !PICTURES.includes(stage.stage);
    return {
      ...stage,
      frames: native ? 0 : stage.frames,
      video_s: native ? seconds : 0,
      sound_s: heard ? seconds : 0,
    };
  });
}

function orderingStages(
  settings: Settings,
  clips: number,
  { whole, parted, mostOfClip }: Shown,
): Stage[] {
  const { strategy, recognition, reasoning } = settings;
  if (strategy === "extractive" || strategy === "random") return [];
  // The agent hands shuffled clips over to `rrd`.
  if (strategy !== "rrd" && strategy !== "agent") {
    const seen = recognitionInput(settings) === "whole-video" ? whole : parted;
    const frames = strategy === "direct" ? seen : strategy === "key-frame" ? 1 : 0;
    return [
      { stage: "ask", what: "the goal and the frames in one call", calls: 1, exact: true, frames },
    ];
  }
  const seesWhole = recognitionInput(settings) === "whole-video";
  const stages: Stage[] = [];
  if (seesWhole && recognition.mode === "sequential")
    stages.push({
      stage: "segment",
      what: "how many clips there are",
      calls: 1,
      exact: true,
      frames: whole,
    });
  stages.push(
    recognition.mode === "sequential"
      ? {
          stage: "caption",
          what: "a sentence on each clip",
          calls: clips,
          exact: true,
          frames: seesWhole ? clips * whole : parted,
        }
      : {
          stage: "caption",
          what: "a sentence on each clip, in one call",
          calls: 1,
          exact: true,
          frames: seesWhole ? whole : parted,
        },
  );
  const { method, votes } = reasoning;
  const { most, exact } = plannedCalls(method, clips, votes);
  const lists = method === "all-at-once" || method === "hybrid" ? 1 : method === "vote" ? most : 0;
  const along = (own: number) => (reasoning.input === "text" ? 0 : seesWhole ? whole : own);
  stages.push({
    stage: "order",
    what: WHAT_IS_ORDERED[method],
    calls: most,
    exact,
    frames: lists * along(parted) + (most - lists) * along(2 * mostOfClip),
  });
  return stages;
}

const PAIRS = "which of two sentences comes first";
const WHAT_IS_ORDERED: Record<Settings["reasoning"]["method"], string> = {
  "all-at-once": "the order of all sentences",
  "merge-sort": PAIRS,
  tournament: PAIRS,
  "tournament-adaptive": PAIRS,
  vote: "the order of all sentences, shuffled anew for each call",
  hybrid: "the order of all sentences, then which of two neighbours comes first",
};

/** The same for a choice or open question. How many shots there are, and pictures with text, is not known beforehand. */
export function planChoice(settings: Settings, duration_s: number | null): PlannedStage[] {
  const inFrames = choiceStages(settings, framesOfVideo(settings, duration_s));
  return withSeconds(settings, duration_s, inFrames, (all) => choiceStages(settings, all));
}

function choiceStages(settings: Settings, whole: number): Stage[] {
  const { strategy, recognition, reasoning } = settings;
  if (strategy === "extractive" || strategy === "random") return [];
  if (strategy === "agent") return [searching(settings)];
  if (strategy !== "rrd") {
    const frames = strategy === "direct" ? whole : strategy === "key-frame" ? 1 : 0;
    const what = "the question and the frames in one call";
    return [{ stage: "ask", what, calls: 1, exact: true, frames }];
  }
  const parts = mostParts(recognition.frames);
  const alone = recognition.mode === "sequential";
  const calls = alone ? parts : 1;
  const each =
    recognitionInput(settings) === "whole-video" || !alone ? whole : Math.ceil(whole / parts);
  return [
    {
      stage: "caption",
      what: alone ? "a description of each part" : "a description of each part, in one call",
      calls,
      exact: !alone,
      frames: calls * each,
    },
    ...(ocrMode(settings, "choice") === "model" ? [readings] : []),
    ...(reasoning.mathematics === "off" ? [] : [calculation]),
    {
      stage: "answer",
      what: "the answer from the descriptions",
      calls: 1,
      exact: true,
      frames: reasoning.input === "text" ? 0 : whole,
    },
  ];
}

/** Turns, the second look, and one more answer and look where that sends the search back; never above the budget. */
function searching(settings: Settings): Stage {
  const { steps, verify } = settings.search;
  const { calls, frames } = budgetOf(settings, "choice");
  const most = steps + 1 + (verify ? 4 : 0);
  return {
    stage: "search",
    what: verify
      ? "turns of the search, the answer, and a second look at its evidence"
      : "turns of the search and the answer",
    calls: Math.min(most, calls ?? most),
    exact: false,
    frames: frames ?? 0,
  };
}

const calculation: Stage = {
  stage: "mathematics",
  what: "a plan of the calculation where the question is mathematical, and once more where it cannot be read",
  calls: 2,
  exact: false,
  frames: 0,
};

const readings: Stage = {
  stage: "text",
  what: "the text of each picture that holds some",
  calls: MOST_PICTURES,
  exact: false,
  frames: MOST_PICTURES,
};

/** Frames that the settings take of a whole video, at most. */
function framesOfVideo({ recognition }: Settings, duration_s: number | null): number {
  const { sampler, frames, fps } = recognition;
  if (duration_s === null || sampler === "ends" || sampler === "midpoints") return frames;
  const byRate = Math.max(1, Math.ceil(duration_s * fps - 1e-6));
  return sampler === "fps" ? byRate : Math.min(frames, byRate);
}
