import { basename } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { bestAudio } from "../../src/media/container-header.ts";
import type { SpokenSegment } from "../../src/models/speech.ts";
import { audibleRanges } from "./audible-ranges.ts";
import { secondsOf } from "./cut-parts.ts";
import { dropInvented } from "./drop-invented.ts";
import { soundLevels } from "./sound-levels.ts";
import type { SoundTrack, Transcriber } from "./transcriber.ts";

/** What is said in the sound of a video. */
export interface HeardSpeech {
  /** In order of time; seconds from the start of the container. */
  segments: SpokenSegment[];
  /** Seconds of sound that are not silent, and of those how many were not transcribed because a limit was reached. */
  sound_s: number;
  unheard_s: number;
  /** Segments that were left out as invented: on near-silence and repeated, or marked as silence by the engine. */
  invented: number;
}

/**
 * Transcribes the default sound track of a video with an engine. Silence is left out. Throws `Failure` `no-audio`, and
 * what the engine throws.
 */
export async function hearSpeech(
  video: SoundTrack["video"],
  transcriber: Transcriber,
  stage: string,
  job: JobContext,
): Promise<HeardSpeech> {
  const stream = bestAudio(video.probe.audio)?.index;
  if (stream === undefined)
    throw new Failure(
      "no-audio",
      `Cannot transcribe ${basename(video.path)}: it has no audio track.`,
      { path: video.path },
    );
  const levels = await soundLevels({ video, stream }, job);
  const ranges = audibleRanges(levels);
  const heard =
    ranges.length === 0
      ? { segments: [], unheard: [], silent: 0 }
      : await transcriber.transcribe({ video, stream, ranges }, stage, job);
  const { segments, invented } = dropInvented(heard.segments, levels);
  return {
    segments,
    sound_s: secondsOf(ranges),
    unheard_s: secondsOf(heard.unheard),
    invented: invented + (heard.silent ?? 0),
  };
}
