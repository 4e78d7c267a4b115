import pLimit from "p-limit";
import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Probe } from "../../src/media/probe.ts";
import { readSound } from "../../src/media/read-sound.ts";
import { findTarget } from "../../src/models/target.ts";
import { type SpokenSegment, transcribeSound } from "../../src/models/transcribe.ts";
import type { Cue } from "./subtitles/cue.ts";

/** Which model transcribes, and where it is served. */
export interface TranscribeSpec {
  /** `openai:whisper-1`, or a model of another server with `/audio/transcriptions`. */
  model: string;
  /** The base URL of the server; null for the default of the provider. */
  base_url: string | null;
  /** As the setting `runtime.headers`. */
  headers?: string | null;
  /** As the settings `runtime.max_reply_mb` and `runtime.max_reply_header_kb`. */
  max_reply_mb?: number;
  max_reply_header_kb?: number;
  /** Language of the speech, if known. */
  language?: string;
  /** Time limit for one segment, in seconds. */
  timeout_s: number;
  /** Most segments in flight. */
  connections: number;
}

/** A segment is 10 MB of sound: servers accept at most 25 MB, and a short request avoids idle timeouts. */
const PIECE_S = 300;
/** Seconds of the next segment that a segment includes, so that a sentence on the border is complete. */
const OVERLAP_S = 5;

/**
 * Transcribes the speech of a video as cues in order. The sound is sent to the server in segments. Each result is
 * stored by the content of the video, so that a stopped run continues with the next segment.
 * Throws `Failure` `no-audio`, and the failures of model calls.
 */
export async function transcribe(
  video: { hash: string; path: string; probe: Pick<Probe, "audio" | "duration_s"> },
  spec: TranscribeSpec,
  job: JobContext,
): Promise<Cue[]> {
  const { duration_s, audio } = video.probe;
  const stream = audio[0]?.index;
  if (stream === undefined)
    throw new Failure("no-audio", `Cannot transcribe ${video.path}: it has no audio track.`, {
      path: video.path,
    });
  const target = findTarget(spec.model, spec);
  const limit = pLimit({ concurrency: spec.connections, rejectOnClear: true });
  let done = 0;
  const pieces = piecesOf(duration_s);
  const heard = await Promise.all(
    pieces.map((piece) =>
      limit(async () => {
        const { model, language } = spec;
        const server = target.baseUrl;
        const step = { step: "transcribe", video: video.hash, model, server, language, ...piece };
        const { value } = await job.store.memo.once(
          { key: hashOf(step), tags: [video.hash], run: job.run, signal: job.signal },
          async (signal) => {
            const { bytes, seconds } = await readSound(video.path, { ...piece, stream, signal });
            if (seconds === 0) return [];
            const sound = { bytes, seconds, mime: "audio/wav", name: "sound.wav" };
            return transcribeSound(target, sound, { ...spec, signal });
          },
        );
        job.progress?.(++done, pieces.length, "segments of sound");
        return value;
      }),
    ),
  ).catch((error: unknown) => {
    limit.clearQueue();
    throw error;
  });
  return joinPieces(
    pieces.map(({ from_s, to_s }, index) => ({ from_s, to_s, said: heard[index] ?? [] })),
  );
}

interface Piece {
  from_s: number;
  to_s: number;
}

function piecesOf(duration_s: number): Piece[] {
  const count = Math.max(1, Math.ceil((duration_s - OVERLAP_S) / PIECE_S));
  return Array.from({ length: count }, (_, index) => ({
    from_s: index * PIECE_S,
    to_s: index === count - 1 ? duration_s : (index + 1) * PIECE_S + OVERLAP_S,
  }));
}

/**
 * Joins the transcripts of overlapping segments. The earlier one is used up to the end of its last sentence before the
 * border.
 */
export function joinPieces(pieces: readonly (Piece & { said: readonly SpokenSegment[] })[]): Cue[] {
  const cues: Cue[] = [];
  let until = 0;
  for (const [index, { from_s, said }] of pieces.entries()) {
    const border = pieces[index + 1]?.from_s ?? Number.POSITIVE_INFINITY;
    const here = said
      .map(({ start_s, end_s, text }) => ({
        start_s: start_s + from_s,
        end_s: end_s + from_s,
        text,
      }))
      .filter(({ start_s, end_s }) => (start_s + end_s) / 2 >= until && start_s < border);
    cues.push(...here);
    until = Math.max(until, ...here.map((cue) => cue.end_s));
  }
  return cues.sort((a, b) => a.start_s - b.start_s);
}
