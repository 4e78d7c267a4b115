import { z } from "zod";
import { AttemptError, type Received } from "./attempt.ts";
import { jsonOrText } from "./json.ts";
import { placesFor } from "./limit.ts";
import { postOnce } from "./post.ts";
import { isOverload, type Patience, withRetry } from "./retry.ts";
import type { Target } from "./target.ts";

/** Something said. Seconds count from the start of the sound that was sent. */
export interface SpokenSegment {
  start_s: number;
  end_s: number;
  text: string;
}

export interface TranscribeOptions {
  /** Two-letter language of the speech, where it is known. */
  language?: string;
  /** Seconds one attempt may take. */
  timeout_s: number;
  /** Calls in flight to this server at most. */
  connections: number;
  signal: AbortSignal;
  patience?: Patience;
}

/** Whisper's own rule for what it heard in silence: `no_speech_threshold` and `logprob_threshold` of its released code. */
const SILENCE = { noSpeech: 0.6, logProbability: -1 };

const Segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  no_speech_prob: z.number().nullish(),
  avg_logprob: z.number().nullish(),
});

const Transcription = z.object({ text: z.string(), segments: z.array(Segment).nullish() });

type Attempt = Received & { segments: SpokenSegment[] };

/**
 * What is said in a sound of `seconds` length, by OpenAI's `/audio/transcriptions` (also whisper.cpp, faster-whisper,
 * vLLM). A server that gives no segments gives one over the whole length. Silence gives none.
 * Throws `Failure` as model calls do (see `withRetry`).
 */
export async function transcribeSound(
  target: Target,
  sound: { bytes: Uint8Array; mime: string; name: string; seconds: number },
  options: TranscribeOptions,
): Promise<SpokenSegment[]> {
  const places = placesFor(`${target.provider} ${target.baseUrl}`, options.connections);
  const attempt = () => places.run(() => send(target, sound, options), isOverload, options.signal);
  return (await withRetry(attempt, target, options.signal, options.patience)).segments;
}

async function send(
  target: Target,
  sound: { bytes: Uint8Array; mime: string; name: string; seconds: number },
  { language, timeout_s, signal }: TranscribeOptions,
): Promise<Attempt> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(sound.bytes)], { type: sound.mime }), sound.name);
  form.set("model", target.model);
  form.set("response_format", "verbose_json");
  form.set("temperature", "0");
  if (language !== undefined) form.set("language", language);
  // Encoded here: undici's fetch takes Node's own FormData for no form.
  const encoded = new Response(form);
  const body = await postOnce(`${target.baseUrl}/audio/transcriptions`, {
    headers: {
      authorization: `Bearer ${target.key}`,
      ...target.headers,
      "content-type": encoded.headers.get("content-type") ?? "",
    },
    body: await encoded.arrayBuffer(),
    target,
    timeout_s,
    signal,
  });
  return readTranscription(body, sound.seconds);
}

function readTranscription(body: string, seconds: number): Attempt {
  const read = Transcription.safeParse(jsonOrText(body));
  if (!read.success)
    throw new AttemptError({ kind: "unusable" }, "a body that is no transcription");
  const { text, segments } = read.data;
  const said: z.infer<typeof Segment>[] = segments ?? [{ start: 0, end: seconds, text }];
  const spoken = said
    .filter((segment) => !isSilence(segment))
    .map(({ start, end, text }) => ({
      start_s: Math.min(Math.max(0, start), seconds),
      end_s: Math.min(Math.max(0, start, end), seconds),
      text: text.replace(/\s+/g, " ").trim(),
    }))
    .filter((segment) => segment.text !== "");
  return { text, finish: "stop", toolCalls: [], tokens: null, segments: spoken };
}

function isSilence({ no_speech_prob, avg_logprob }: z.infer<typeof Segment>): boolean {
  return (no_speech_prob ?? 0) > SILENCE.noSpeech && (avg_logprob ?? 0) < SILENCE.logProbability;
}
