import type { Font, Picture } from "./picture.ts";

/** A sound that is made, 440 Hz by default and at a fifth of full loudness. */
export interface Tone {
  frequency?: number;
}

interface Timed {
  /** Rounded to whole frames, at least one. */
  duration_s: number;
}

/** What happens to the frames of a segment after they are drawn or decoded. */
export interface Look {
  /** Gaussian noise on the luma, standard deviation in 8-bit steps. Default 0. */
  noise?: number;
  /** Seconds over which the segment comes out of black; its first frame is black. Default 0. */
  fade_in_s?: number;
  /** Seconds over which it goes back to black; its last frame is black. Default 0. */
  fade_out_s?: number;
}

/** A still or moving drawing: a function gets the seconds of each frame from the segment's start. */
export interface PictureSegment extends Timed, Look {
  kind: "picture";
  picture: Picture | ((t_s: number) => Picture);
  sound?: Tone;
}

/** A title card as in VCRBench: centred words on black. */
export interface CardSegment extends Timed, Look {
  kind: "card";
  /** `Clip 3`; decoys have other words. */
  text: string;
  font?: Font;
  /** Font size as a share of the frame's height. Default 0.12. */
  size?: number;
  /** Grey level of the background, 0 to 255. Default 0. */
  background?: number;
  /** Grey level of the words. Default 255. */
  ink?: number;
  sound?: Tone;
}

/** A segment of another video, letterboxed to the output's size. */
export interface ClipSegment extends Look {
  kind: "clip";
  file: string;
  from_s: number;
  to_s: number;
  /** Keeps the source's first sound stream. Default false: silence. */
  sound?: boolean;
}

export type Segment = PictureSegment | CardSegment | ClipSegment;

/** Seconds count from the start of the composed video. */
export interface Caption {
  start_s: number;
  end_s: number;
  text: string;
}

export interface ComposeSpec {
  /** Even numbers of pixels. */
  width: number;
  height: number;
  /** Frames per second; a fraction is allowed (30000 / 1001). */
  fps: number;
  segments: readonly Segment[];
  /** Omits the sound stream. Default false. */
  silent?: boolean;
  /** Written into the file as a text stream, next to it as `.srt`, or both. */
  subtitles?: {
    captions: readonly Caption[];
    where: "embedded" | "sidecar" | "both";
    /** ISO 639-2, such as `eng`. */
    language?: string;
  };
  /** x264's constant rate factor, 0 to 51. Default 20. */
  crf?: number;
  /** x264's preset. Default `veryfast`. */
  preset?: string;
}

/** Times of a segment: `end_s` is the time of the first frame after it. */
export interface SegmentPlacement {
  kind: Segment["kind"];
  start_s: number;
  end_s: number;
  frames: number;
}

export interface Composition {
  segments: SegmentPlacement[];
  duration_s: number;
}
