import { z } from "zod";
import { AttemptError } from "../../attempt.ts";
import type { RequestLimits } from "../../define-provider.ts";
import { jsonOrText } from "../../json.ts";
import { postOnce } from "../../post.ts";
import type { SpokenSegment, TranscriptionRequest } from "../../speech.ts";
import type { Target } from "../../target.ts";

/**
 * Whisper's own rule for text that it reports for silence: `no_speech_threshold` and `logprob_threshold` of its
 * released code.
 */
const SILENCE = { noSpeech: 0.6, logProbability: -1 };

const Segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  no_speech_prob: z.number().nullish(),
  avg_logprob: z.number().nullish(),
});

const Transcription = z.object({ text: z.string(), segments: z.array(Segment).nullish() });

/**
 * One request to `/audio/transcriptions`, which whisper.cpp, faster-whisper and vLLM have as well. Without segments in
 * the reply, one segment covers the whole length. Silence gives no segment.
 */
export async function openaiTranscription(
  target: Target,
  { sound, language }: TranscriptionRequest,
  limits: RequestLimits,
): Promise<SpokenSegment[]> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(sound.bytes)], { type: sound.mime }), sound.name);
  form.set("model", target.model);
  form.set("response_format", "verbose_json");
  form.set("temperature", "0");
  if (language !== undefined) form.set("language", language);
  // Encoded here, because undici's fetch does not accept Node's own FormData.
  const encoded = new Response(form);
  const body = await postOnce(`${target.baseUrl}/audio/transcriptions`, {
    headers: {
      authorization: `Bearer ${target.key}`,
      ...target.headers,
      "content-type": encoded.headers.get("content-type") ?? "",
    },
    body: await encoded.arrayBuffer(),
    target,
    ...limits,
  });
  return readTranscription(body, sound.seconds);
}

function readTranscription(body: string, seconds: number): SpokenSegment[] {
  const read = Transcription.safeParse(jsonOrText(body));
  if (!read.success)
    throw new AttemptError({ kind: "unusable" }, "a body that is not a transcription");
  const { text, segments } = read.data;
  const said: z.infer<typeof Segment>[] = segments ?? [{ start: 0, end: seconds, text }];
  return said
    .filter((segment) => !isSilence(segment))
    .map(({ start, end, text }) => ({
      start_s: Math.min(Math.max(0, start), seconds),
      end_s: Math.min(Math.max(0, start, end), seconds),
      text: text.replace(/\s+/g, " ").trim(),
      confidence: null,
      speaker: null,
    }))
    .filter((segment) => segment.text !== "");
}

function isSilence({ no_speech_prob, avg_logprob }: z.infer<typeof Segment>): boolean {
  return (no_speech_prob ?? 0) > SILENCE.noSpeech && (avg_logprob ?? 0) < SILENCE.logProbability;
}
