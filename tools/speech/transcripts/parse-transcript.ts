import { looksLikeJson } from "../subtitles/parse-json.ts";
import { parseSubtitles } from "../subtitles/parse-subtitles.ts";
import { plainText } from "../subtitles/plain-text.ts";
import { type ParsedTranscript, parseTranscriptJson } from "./parse-transcript-json.ts";

/** `[00:01.000 --> 00:02.500]  text`, as Whisper prints it. */
const PRINTED = /^[ \t]*\[([\d:.,]{1,20}) --> ([\d:.,]{1,20})\][ \t]*/gm;
/** `[SPEAKER_00]: text`, as WhisperX writes it, or a WebVTT voice. */
const SPEAKER = /^(?:\[([^\]]{1,80})\]|(SPEAKER_\d{1,4}|Speaker \d{1,4})): (.+)$/;
const VOICE = /^\s*<v(?:\.[^\s<>]*)?[ \t]+([^<>]{1,80})>/;

/**
 * Reads what a speech recogniser wrote: SRT, WebVTT, the lines that Whisper prints, or JSON of Whisper, whisper.cpp,
 * faster-whisper, WhisperX or Transformers. Null for any other text; a transcript of silence has no segments.
 * Never throws.
 */
export function parseTranscript(text: string): ParsedTranscript | null {
  const head = text.replace(/^\uFEFF/, "").trimStart();
  if (looksLikeJson(head) || head.startsWith("{}") || head.startsWith("[]"))
    return parseTranscriptJson(head);
  const { cues: raw, skipped } = parseSubtitles(
    head.replace(PRINTED, (_line, from, to) => `${from} --> ${to}\n`),
  );
  if (raw.length === 0 && !head.startsWith("WEBVTT") && head !== "") return null;
  const segments = raw.flatMap(({ start_s, end_s, lines }) => {
    const voice = VOICE.exec(lines[0] ?? "")?.[1]?.trim() ?? null;
    const said = plainText(voice === null ? lines : [lines.join("\n").replace(VOICE, "")]);
    const [, bracketed, named, words] = SPEAKER.exec(said) ?? [];
    const cue = {
      start_s,
      end_s,
      text: words ?? said,
      confidence: null,
      speaker: voice ?? bracketed ?? named ?? null,
    };
    return cue.text === "" ? [] : [cue];
  });
  return {
    segments: segments.toSorted((a, b) => a.start_s - b.start_s || a.end_s - b.end_s),
    skipped,
  };
}
