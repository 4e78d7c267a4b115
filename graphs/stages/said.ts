import { basename } from "node:path";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { SpokenSegment } from "../../src/models/speech.ts";
import { readSubtitles, subtitleEvidence } from "../../tools/speech/subtitles.ts";
import type { Transcriber } from "../../tools/speech/transcriber.ts";
import type { GraphContext } from "../context.ts";

/** Stage of the calls and the progress of a transcriber. */
const SPEECH = "speech";

/** What is said in a video, in order of time. */
export interface Said {
  /** Subtitles or transcribed speech. */
  evidence: Evidence[];
  /** Where the words come from: a file, a stream, an engine; null if there are none. */
  source: string | null;
  diagnostics: Record<string, unknown>;
}

/**
 * What is said in the video: its subtitles; without any, or with `--speech always`, its transcribed speech. Throws what
 * the transcriber throws.
 */
export async function whatIsSaid(context: GraphContext, stage: string): Promise<Said> {
  const { transcriber, settings } = context;
  if (settings.recognition.speech !== "always") {
    const subtitles = await subtitlesSaid(context, stage);
    if (subtitles.source !== null || transcriber === null) return subtitles;
  }
  return transcriber === null
    ? { evidence: [], source: null, diagnostics: {} }
    : speechHeard(transcriber, context, stage);
}

async function subtitlesSaid(context: GraphContext, stage: string): Promise<Said> {
  const { cues, source, refused, skipped } = await readSubtitles(
    context.video,
    {},
    context.job(stage),
  );
  for (const { what, why } of refused)
    context.emit(stage, { type: "note", text: `${what} was not read. ${why}` });
  const name = source?.name ?? null;
  const evidence =
    name === null ? [] : subtitleEvidence(context.video.hash, cues, { who: "file", name });
  return { evidence, source: name, diagnostics: { skipped_cues: skipped, subtitles: name } };
}

async function speechHeard(
  transcriber: Transcriber,
  context: GraphContext,
  stage: string,
): Promise<Said> {
  const { video } = context;
  const { audio, duration_s } = video.probe;
  const stream = audio[0]?.index;
  if (stream === undefined) {
    const text = `${basename(video.path)} has no sound: nothing was transcribed.`;
    context.emit(stage, { type: "note", text });
    return { evidence: [], source: null, diagnostics: {} };
  }
  const ranges = [{ from_s: 0, to_s: duration_s }];
  const track = { video, stream, ranges };
  const { segments } = await transcriber.transcribe(track, SPEECH, context.job(SPEECH));
  return {
    evidence: segments.map((segment) => speechEvidence(video.hash, segment, transcriber.by)),
    source: transcriber.name,
    diagnostics: { transcriber: transcriber.name },
  };
}

function speechEvidence(
  video: string,
  { start_s, end_s, text, confidence, speaker, words }: SpokenSegment,
  by: Evidence["by"],
): Evidence {
  const data = {
    ...(speaker === null ? {} : { speaker }),
    ...(words === undefined ? {} : { words }),
  };
  return makeEvidence({
    ...{ video, kind: "speech", start_s, end_s, text },
    ...(Object.keys(data).length === 0 ? {} : { data }),
    ...{ by, confidence, from: [] },
  });
}
