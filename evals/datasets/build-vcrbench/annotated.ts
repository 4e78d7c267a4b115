/** A step of a procedure as somebody marked it in a video; seconds from the start of the file. */
export interface AnnotatedStep {
  name: string;
  start_s: number;
  end_s: number;
}

/** A video and the steps that it shows, in no particular order. */
export interface AnnotatedVideo {
  /** Path of the file; null where there is none. */
  file: string | null;
  /** What to call it in a message. */
  name: string;
  goal: string;
  steps: AnnotatedStep[];
}
