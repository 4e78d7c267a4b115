import { resolveSettings, type Settings } from "../src/core/settings.ts";
import { strategies } from "./define-strategy.ts";
import {
  framesOfVideo,
  type PlannedQuestion,
  type PlannedStage,
  type ShownAmount,
  type StagePlan,
} from "./planned-stages.ts";
import { LEAST_FRAMES } from "./stages/picture-limits.ts";

/** Stages that always send pictures. */
const PICTURES: readonly PlannedStage["stage"][] = ["text", "search"];

/**
 * The model calls that a strategy makes for one ordering question on a video with this many clips. Without a duration
 * in seconds, samplers by rate are assumed to give `frames` frames.
 */
export function planOrdering(
  settings: Settings,
  clips: number,
  duration_s: number | null = null,
): PlannedStage[] {
  return planCalls(settings, { task: "order", clips }, duration_s);
}

/**
 * The same for a choice or open question. The numbers of shots and of pictures with text are not known in advance;
 * `parts` is the number of fixed windows, if the settings ask for them.
 */
export function planChoice(
  settings: Settings,
  duration_s: number | null,
  parts?: number,
): PlannedStage[] {
  return planCalls(settings, { task: "choice", parts }, duration_s);
}

/** Plans once in frames and once in seconds, for what is sent as video or sound. */
function planCalls(
  settings: Settings,
  question: PlannedQuestion,
  duration_s: number | null,
): PlannedStage[] {
  const { plan } = strategies.get(settings.strategy);
  if (plan === undefined) return [];
  const resolved = resolveSettings(settings, question.task);
  const { recognition } = resolved;
  const clips = question.task === "order" ? question.clips : (question.parts ?? 1);
  const frames = shownFrames(framesOfVideo(settings, duration_s), clips);
  // Any two clips may be the longest ones.
  const all = duration_s ?? 0;
  const timed = plan(resolved, question, { whole: all, allClips: all, longestClip: all / 2 });
  return plan(resolved, question, frames).map((stage: StagePlan, index): PlannedStage => {
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

function shownFrames(whole: number, clips: number): ShownAmount {
  return {
    whole,
    allClips: Math.max(whole, LEAST_FRAMES * clips),
    longestClip: Math.max(LEAST_FRAMES, Math.ceil(whole / Math.max(1, clips))),
  };
}
