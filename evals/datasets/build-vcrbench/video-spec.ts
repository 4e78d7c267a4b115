import { Failure } from "../../../src/core/errors.ts";
import { hashFile } from "../../../src/core/hash.ts";
import type { ComposeSpec, Segment } from "../../../src/media/compose.ts";
import { inspect, type Probe } from "../../../src/media/probe.ts";
import type { AnnotatedVideo } from "./annotated-video.ts";
import type { ClipPlan } from "./arrangement.ts";

/** How many videos `buildVcrbench` makes, and how. */
export interface BuildOptions {
  /** Arrangements per video. Default 1. */
  shuffles?: number;
  seed?: number;
  sound?: "keep" | "drop";
  /** Seconds of a title card, from 0.4. Default 1. */
  card_s?: number;
  /** Longest side in pixels; null: that of the source. */
  max_side?: number | null;
  signal?: AbortSignal;
  /** Called with the seconds of video made so far, and the total. */
  progress?: (done: number, total: number, unit: string) => void;
}

/** The source and arrangement of one video. */
export interface Job {
  qid: string;
  video: AnnotatedVideo & { file: string };
  clips: ClipPlan[];
  shown: number[];
  shuffle: number;
  /** Places whose order is fixed, if some steps may swap; else null. */
  pairs: [number, number][] | null;
}

const FPS = { usual: 25, most: 60 };
const CARD_SIZE = 0.12;

/** A source file, opened. */
export interface Source {
  hash: string;
  probe: Probe;
}

export async function openSource(file: string, signal?: AbortSignal): Promise<Source> {
  const { probe } = await inspect(file, { signal });
  return { probe, hash: await hashFile(file, signal) };
}

/** The composed video is upright, at the source's size and rate, with an even number of pixels each way. */
export function specOf(job: Job, { probe }: Source, options: BuildOptions): ComposeSpec {
  const { sound = "keep", card_s = 1, max_side = null } = options;
  const { video } = probe;
  if (video === null) throw new Failure("no-video", `${job.video.name} has no video stream.`);
  const shrunk = Math.min(1, (max_side ?? Infinity) / Math.max(video.width, video.height));
  const even = (side: number) => Math.max(16, 2 * Math.round((side * shrunk) / 2));
  const [width, height] = [even(video.width), even(video.height)];
  const keeps = sound === "keep" && probe.audio.length > 0;
  const segments = job.shown.flatMap((place, index): Segment[] => [
    {
      kind: "card",
      text: `Clip ${index + 1}`,
      duration_s: card_s,
      size: CARD_SIZE * Math.min(1, width / height),
    },
    ...(job.clips[place] as ClipPlan).parts.map(({ from_s, to_s }): Segment => {
      const end_s = Math.min(to_s, video.end_s);
      if (end_s - from_s <= 0)
        throw new Failure(
          "data-malformed",
          `A step of ${job.video.name} begins at ${from_s} s, after the end of the video (${video.end_s.toFixed(1)} s).`,
          { video: job.video.name, from_s },
        );
      return { kind: "clip", file: job.video.file, from_s, to_s: end_s, sound: keeps };
    }),
  ]);
  return { width, height, fps: rateOf(video), silent: !keeps, segments };
}

function rateOf({ fps, frames, start_s, end_s }: NonNullable<Probe["video"]>): number {
  if (fps !== null) return Math.min(fps, FPS.most);
  const mean = (frames ?? 0) / (end_s - start_s);
  return mean >= 1 ? Math.min(Math.round(mean), FPS.most) : FPS.usual;
}

/** Segments without the source's path, which does not affect the result. */
export function withoutSource({ segments }: ComposeSpec) {
  return segments.map((segment) => ({ ...segment, file: undefined }));
}
