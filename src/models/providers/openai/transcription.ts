import { AttemptError } from "../../attempt.ts";
import type { RequestLimits } from "../../define-provider.ts";
import { postOnce } from "../../post.ts";
import type { TranscriptionReply, TranscriptionRequest } from "../../speech.ts";
import type { Target } from "../../target.ts";
import { readTranscription } from "./read-transcription.ts";

/** Fields of a form that ask for one format of the reply. */
type Format = readonly (readonly [name: string, value: string])[];

/** With times of segments and words, of segments, and without times. */
const FORMATS: readonly Format[] = [
  [
    ["response_format", "verbose_json"],
    ["timestamp_granularities[]", "segment"],
    ["timestamp_granularities[]", "word"],
  ],
  [["response_format", "verbose_json"]],
  [["response_format", "json"]],
];

/** For models that tell speakers apart; OpenAI's refuses longer sound without a `chunking_strategy`. */
const DIARIZED: Format = [
  ["response_format", "diarized_json"],
  ["chunking_strategy", "auto"],
];

/** Statuses with which servers refuse a format that they do not have. */
const REFUSED_FORMAT: ReadonlySet<number> = new Set([400, 415, 422]);

/** Index of the first format that a model of a server has not refused. */
const accepted = new Map<string, number>();

/**
 * One sound to `/audio/transcriptions`, which vLLM, speaches, LocalAI and whisper.cpp have as well. Asks for the most
 * detailed format that the server has: a refused format is not billed, and not asked for again in this process.
 */
export async function openaiTranscription(
  target: Target,
  request: TranscriptionRequest,
  limits: RequestLimits,
): Promise<TranscriptionReply> {
  const formats = /diari[sz]e/i.test(target.model) ? [DIARIZED, ...FORMATS] : FORMATS;
  const server = `${target.baseUrl} ${target.model}`;
  for (let index = accepted.get(server) ?? 0; ; index++) {
    try {
      const body = await post(target, request, formats[index] ?? [], limits);
      accepted.set(server, index);
      return readTranscription(body, request.sound.seconds);
    } catch (error) {
      if (index === formats.length - 1 || !isRefusal(error)) throw error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof AttemptError) || error.trouble.kind !== "status") return false;
  return REFUSED_FORMAT.has(error.trouble.status);
}

async function post(
  target: Target,
  { sound, language }: TranscriptionRequest,
  format: Format,
  limits: RequestLimits,
): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(sound.bytes)], { type: sound.mime }), sound.name);
  form.set("model", target.model);
  form.set("temperature", "0");
  for (const [name, value] of format) form.append(name, value);
  if (language !== undefined) form.set("language", language);
  // Encoded here, because undici's fetch does not accept Node's own FormData.
  const encoded = new Response(form);
  return postOnce(`${target.baseUrl}/audio/transcriptions`, {
    headers: {
      authorization: `Bearer ${target.key}`,
      ...target.headers,
      "content-type": encoded.headers.get("content-type") ?? "",
    },
    body: await encoded.arrayBuffer(),
    target,
    ...limits,
  });
}
