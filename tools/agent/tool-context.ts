import type { JobContext } from "../../src/core/job-context.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { Box, Evidence, FrameRef } from "../../src/core/shapes.ts";
import type { Medium } from "../../src/models/chat.ts";
import type { SearchFilters } from "../search/keyword-search.ts";
import type { Sheet } from "../video/contact-sheet.ts";
import type { Video } from "../video/video.ts";

/** What a tool is given: one video, what is known of it, and what this call may spend. */
export interface ToolContext {
  video: Video;
  settings: Settings;
  /** Everything that is known of the video so far. */
  evidence: readonly Evidence[];
  /** Frames on the sheets of one overview. */
  overviewFrames: number;
  /** Frames that this call may show: what its `cost` says, or what the budget has left of it. */
  allowed: number;
  /** Frames that may still be shown, this call included; infinite without a limit. */
  framesLeft(): number;
  /** The evidence that best matches some words, best first. */
  search(query: string, filters: SearchFilters): Promise<Evidence[]>;
  /** Store, signal and progress for functions of `tools/`. */
  job: JobContext;
}

/** What a tool returns. The caller gives each item and frame its name, and puts the result into words. */
export type ToolResult =
  /**
   * Items that are listed with their times and words. None: nothing was found. `more_from_s`: the time, in seconds, at
   * which further items begin that were left out.
   */
  | { type: "items"; items: readonly Evidence[]; more_from_s?: number }
  /** Frames one by one; `box` is the part, in pixels of the upright frame, that they show. Media follow them. */
  | { type: "frames"; frames: readonly FrameRef[]; box?: Box; media?: readonly Medium[] }
  /** Frames on sheets. None: nothing was found. */
  | { type: "sheets"; sheets: readonly Sheet[] }
  /** A clip, with frames of moments in it, so that a citation can name a moment. */
  | { type: "clip"; moments: readonly FrameRef[]; media: readonly Medium[] }
  /**
   * What comes from outside the video: text that is quoted as data, and stored pictures, which count as frames. It has no
   * time of the video, so that an answer cannot cite it.
   */
  | { type: "quoted"; text: string; pictures?: readonly FrameRef[] };
