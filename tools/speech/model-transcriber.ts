import pLimit from "p-limit";
import { isFailure } from "../../src/core/errors.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { connectionsOf } from "../../src/core/settings.ts";
import { clock } from "../../src/core/time.ts";
import { readSoundRanges, wavBytes } from "../../src/media/read-sound.ts";
import { soundCut } from "../../src/media/sound-input.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import type { SpokenSegment, TranscriptionReply } from "../../src/models/speech.ts";
import { createTranscription } from "../../src/models/transcribe.ts";
import { cutParts, type PartLimits, rangesAfter, type SoundPart, secondsOf } from "./cut-parts.ts";
import { placeSegments } from "./place-segments.ts";
import { soundLevels } from "./sound-levels.ts";
import type { SoundTrack, Transcriber, Transcript } from "./transcriber.ts";

/**
 * Parts for a server that gives times: two windows of Whisper, or 1.9 MB. Short parts run in parallel, and less is sent
 * again after an interruption.
 */
const TIMED: PartLimits = { most_s: 60, gap_s: Number.POSITIVE_INFINITY };

/** Parts for a server without times, whose only times are those of the parts; and the first part, which shows which it is. */
const UNTIMED: PartLimits = { most_s: 15, gap_s: 1.5 };

/** A part of at most this length is not made smaller for a server that refuses it as too large. */
const SMALLEST_S = 10;

/** The model of a provider as an engine. Throws as `transcriberTarget`. */
export function modelTranscriber(options: ModelsOptions): Transcriber {
  const { target, transcribe } = createTranscription(options);
  const { max } = connectionsOf(options.settings.runtime);
  return {
    name: target.name,
    by: { who: "model", name: target.name },
    async transcribe(track, stage, job) {
      const levels = await soundLevels(track, job);
      const send = createSender(track, levels, stage, job);
      const [first] = cutParts(track.ranges, levels, UNTIMED);
      if (first === undefined) return { segments: [], unheard: [], silent: 0 };
      const begun = await send([first]);
      const isTimed = begun.replies[0]?.reply.isTimed ?? true;
      const rest = rangesAfter(track.ranges, first.at(-1)?.to_s ?? 0);
      const parts = cutParts(rest, levels, isTimed ? TIMED : UNTIMED);
      // A budget that refused the first part refuses the others too.
      const ended =
        begun.unheard.length > 0 ? { replies: [], unheard: parts.flat() } : await send(parts);
      return transcriptOf(
        [...begun.replies, ...ended.replies],
        [...begun.unheard, ...ended.unheard],
      );
    },
  };

  /** Sends parts within the connection limit, in order of time. A part that is refused as too large is divided. */
  function createSender(track: SoundTrack, levels: Int8Array, stage: string, job: JobContext) {
    const { video, stream } = track;
    const total_s = Math.ceil(secondsOf(track.ranges));
    let done_s = 0;
    let largest_s = TIMED.most_s;

    async function sendPart(part: SoundPart): Promise<Sent> {
      const seconds = secondsOf(part);
      const isDivisible = seconds > SMALLEST_S;
      if (isDivisible && seconds > largest_s) return divide(part);
      try {
        const result = await transcribe({
          ...{ video: video.hash, stage, label: labelOf(part), seconds, isDivisible },
          key: { video: video.hash, stream, ranges: part, ...cutOf(video.probe, stream) },
          ranges: part,
          bytes: wavBytes(seconds),
          read: async (signal) => {
            const sound = await readSoundRanges(video.path, video.probe, part, { stream, signal });
            return { ...sound, mime: "audio/wav", name: "sound.wav" };
          },
        });
        if (result.status === "limit") return { replies: [], unheard: part };
        done_s += seconds;
        job.progress?.(Math.round(done_s), total_s, "seconds of sound transcribed");
        return { replies: [{ part, reply: result.reply }], unheard: [] };
      } catch (error) {
        if (!isDivisible || !isFailure(error, "media-limit") || error.facts.status === undefined)
          throw error;
        largest_s = Math.min(largest_s, seconds / 2);
        return divide(part);
      }
    }

    /** Halves are cut in the same way each time, so that a repeated run sends the same parts. */
    async function divide(part: SoundPart): Promise<Sent> {
      const half = { ...TIMED, most_s: Math.max(SMALLEST_S, 0.55 * secondsOf(part)) };
      const sent: Sent[] = [];
      for (const smaller of cutParts(part, levels, half)) sent.push(await sendPart(smaller));
      return joined(sent);
    }

    return async (parts: readonly SoundPart[]): Promise<Sent> => {
      const limit = pLimit({ concurrency: max, rejectOnClear: true });
      const sending = parts.map((part) => limit(() => sendPart(part)));
      try {
        return joined(await Promise.all(sending));
      } catch (error) {
        limit.clearQueue();
        // Parts in flight are billed, so their results are stored.
        await Promise.allSettled(sending);
        throw error;
      }
    };
  }
}

function cutOf(probe: SoundTrack["video"]["probe"], stream: number): { cut?: number[] } {
  const cut = soundCut(probe, stream);
  return cut.length === 0 ? {} : { cut };
}

interface Sent {
  replies: { part: SoundPart; reply: TranscriptionReply }[];
  unheard: SoundPart;
}

function joined(sent: readonly Sent[]): Sent {
  return {
    replies: sent.flatMap(({ replies }) => replies),
    unheard: sent.flatMap(({ unheard }) => unheard),
  };
}

function transcriptOf(replies: Sent["replies"], unheard: SoundPart): Transcript {
  const segments = replies
    .flatMap(({ part, reply }) => placeSegments(reply.segments, part))
    .sort(byTime);
  return {
    segments,
    unheard,
    silent: replies.reduce((sum, { reply }) => sum + reply.silent, 0),
  };
}

function byTime(a: SpokenSegment, b: SpokenSegment): number {
  return a.start_s - b.start_s || a.end_s - b.end_s;
}

function labelOf(part: SoundPart): string {
  return `sound ${clock(part[0]?.from_s ?? 0)} to ${clock(part.at(-1)?.to_s ?? 0)}`;
}
