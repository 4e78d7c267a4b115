import type { SwapRules } from "./swaps.ts";

/** An annotated step of a procedure in a video; seconds from the start of the file. */
export interface AnnotatedStep {
  name: string;
  start_s: number;
  end_s: number;
}

/** A video and its steps, in any order. */
export interface AnnotatedVideo {
  /** Path of the file; null if the file is missing. */
  file: string | null;
  /** Name for messages. */
  name: string;
  goal: string;
  steps: AnnotatedStep[];
  /** Which of the steps may swap; missing: none. */
  swaps?: SwapRules | undefined;
}
