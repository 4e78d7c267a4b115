import type { Settings } from "../src/core/settings.ts";

/** Calls of one stage, planned before the first is made; a second call after an unreadable reply is not planned. */
export interface PlannedStage {
  stage: "segment" | "caption" | "text" | "mathematics" | "order" | "ask" | "answer" | "search";
  /** What the calls are for, for a person. */
  what: string;
  /** At most; `exact` if never fewer. */
  calls: number;
  exact: boolean;
  /** Frames over all these calls, at most. */
  frames: number;
  /** Seconds of video and of sound over all these calls, at most; null if the length of the video is not known. */
  video_s: number | null;
  sound_s: number | null;
}

/**
 * A stage as a strategy's definition plans it. `frames` is in the unit of `ShownAmount`; the seconds are derived from
 * it.
 */
export type StagePlan = Omit<PlannedStage, "video_s" | "sound_s">;

/** How much of a video one call shows at most, in frames or in seconds. */
export interface ShownAmount {
  whole: number;
  /** All clips of an ordering question, or all parts of another, together. */
  allClips: number;
  longestClip: number;
}

/** The question that a plan is made for. `parts`: how many parts of the video are described, if that is known. */
export type PlannedQuestion =
  | { task: "order"; clips: number }
  | { task: "choice" | "open"; parts?: number };

/** Frames that the settings take of a whole video, at most. */
export function framesOfVideo(
  { recognition }: Pick<Settings, "recognition">,
  duration_s: number | null,
): number {
  const { sampler, frames, fps } = recognition;
  if (duration_s === null || sampler === "ends" || sampler === "midpoints") return frames;
  const byRate = Math.max(1, Math.ceil(duration_s * fps - 1e-6));
  return sampler === "fps" ? byRate : Math.min(frames, byRate);
}
