import type { JobContext } from "../../src/core/job-context.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { Probe } from "../../src/media/probe.ts";
import type { SpokenSegment } from "../../src/models/speech.ts";

/** A range of a video's sound. Seconds count from the start of the container. */
export interface SoundRange {
  from_s: number;
  to_s: number;
}

/** Sound to be transcribed. */
export interface SoundTrack {
  video: {
    hash: string;
    path: string;
    probe: Pick<Probe, "audio" | "container" | "duration_s" | "origin_s" | "video">;
  };
  /** Index of the audio stream among all streams of the file. */
  stream: number;
  /** The ranges that are not silent, in order and apart. An engine need not listen to anything else. */
  ranges: readonly SoundRange[];
}

/** What an engine heard. */
export interface Transcript {
  /** In order of time. Seconds count from the start of the container. */
  segments: SpokenSegment[];
  /** Ranges that were not transcribed, because a limit of the budget was reached. */
  unheard: SoundRange[];
  /** Segments that were left out because the engine itself marks them as silence. Default: 0. */
  silent?: number;
}

/** An engine that transcribes speech: the model of a provider, or a program. */
export interface Transcriber {
  /** As `--transcriber` names it. */
  name: string;
  /** The source of the evidence that it makes. */
  by: Evidence["by"];
  /**
   * Transcribes the ranges of a sound track. What it stores carries the video's hash as its tag. `stage` is the stage
   * to which its calls and progress belong. Throws the failures of model calls, `damaged`, `media-limit`, `cancelled`.
   */
  transcribe(track: SoundTrack, stage: string, job: JobContext): Promise<Transcript>;
}
