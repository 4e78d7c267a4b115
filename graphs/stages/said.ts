import { basename } from "node:path";
import { countOf } from "../../src/core/count-of.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { SpokenSegment } from "../../src/models/speech.ts";
import { hearSpeech } from "../../tools/speech/hear-speech.ts";
import type { CueReading } from "../../tools/speech/subtitles/read-source.ts";
import { readSubtitles, subtitleEvidence } from "../../tools/speech/subtitles.ts";
import type { Transcriber } from "../../tools/speech/transcriber.ts";
import type { GraphContext } from "../context.ts";
import { inOwnStage } from "../stage.ts";

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
export async function whatIsSaid(
  context: GraphContext,
  stage: string,
  reading: CueReading = {},
): Promise<Said> {
  const { transcriber, settings } = context;
  if (settings.recognition.speech !== "always") {
    const subtitles = await subtitlesSaid(context, stage, reading);
    if (subtitles.source !== null || transcriber === null) return subtitles;
  }
  return transcriber === null
    ? { evidence: [], source: null, diagnostics: {} }
    : speechHeard(transcriber, context, stage);
}

async function subtitlesSaid(
  context: GraphContext,
  stage: string,
  reading: CueReading,
): Promise<Said> {
  const { cues, source, refused, skipped } = await readSubtitles(
    context.video,
    reading,
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
  const note = (text: string) => context.emit(stage, { type: "note", text });
  if (video.probe.audio.length === 0) {
    note(`${basename(video.path)} has no audio track, so nothing was transcribed.`);
    return { evidence: [], source: null, diagnostics: {} };
  }
  const { segments, sound_s, unheard_s, invented } = await inOwnStage(SPEECH, context, () =>
    hearSpeech(video, transcriber, SPEECH, context.job(SPEECH)),
  );
  if (sound_s === 0) note(`The sound of ${basename(video.path)} is silent throughout.`);
  if (unheard_s > 0)
    note(
      `A limit of the budget was reached: ${Math.round(unheard_s)} of ${Math.round(sound_s)} seconds of sound were not transcribed.`,
    );
  if (invented > 0)
    note(
      `${countOf(invented, "phrase")} of ${transcriber.name} on near-silence ${invented === 1 ? "was" : "were"} left out as invented.`,
    );
  return {
    evidence: segments.map((segment) => speechEvidence(video.hash, segment, transcriber.by)),
    source: transcriber.name,
    diagnostics: {
      transcriber: transcriber.name,
      sound_s: Math.round(sound_s),
      ...(unheard_s > 0 ? { unheard_s: Math.round(unheard_s) } : {}),
      ...(invented > 0 ? { invented } : {}),
    },
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
