import { Failure } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import type { AttemptReply } from "./attempt.ts";
import { placesFor } from "./connection-limit.ts";
import { providers } from "./define-provider.ts";
import { modelOf } from "./name.ts";
import { isOverload, type Patience, withRetry } from "./retry.ts";
import type { SpokenSegment, TranscriptionRequest } from "./speech.ts";
import { findTarget, type Target } from "./target.ts";

export type { SpokenSegment } from "./speech.ts";

export interface TranscribeOptions {
  /** Two-letter language of the speech, if it is known. */
  language?: string;
  /** Seconds one attempt may take. */
  timeout_s: number;
  /** Most calls in flight to this server. */
  connections: number;
  signal: AbortSignal;
  patience?: Patience;
}

/**
 * Where the model that `recognition.transcriber` names is served: at `runtime.transcriber_url`, else as other models.
 * `--header` belongs to the server of `--base-url` and is sent to no other. Throws `Failure` `unknown-model`,
 * `missing-key`, or `wrong-setting` if the provider has no transcription.
 */
export function transcriberTarget(settings: Settings): Target {
  const { runtime } = settings;
  const { transcriber_url: own } = runtime;
  const isElsewhere = own !== null && originOf(own) !== originOf(runtime.base_url ?? "");
  const target = findTarget(modelOf(settings, "transcriber"), {
    ...runtime,
    ...(own === null ? {} : { base_url: own, url_flag: "--transcriber-url" }),
    ...(isElsewhere ? { headers: null } : {}),
  });
  transcriptionOf(target);
  return target;
}

function originOf(url: string): string | null {
  return URL.parse(url)?.origin ?? null;
}

type Attempt = AttemptReply & { segments: SpokenSegment[] };

/**
 * Transcribes sound. Throws `Failure` `wrong-setting` if the provider has no transcription, else as model calls do (see
 * `withRetry`).
 */
export async function transcribeSound(
  target: Target,
  sound: TranscriptionRequest["sound"],
  { language, timeout_s, connections, signal, patience }: TranscribeOptions,
): Promise<SpokenSegment[]> {
  const transcribe = transcriptionOf(target);
  const places = placesFor(`${target.provider} ${target.baseUrl}`, connections);
  const attempt = async (): Promise<Attempt> => {
    const segments = await places.run(
      () => transcribe(target, { sound, language }, { timeout_s, signal }),
      isOverload,
      signal,
    );
    return { text: "", finish: "stop", toolCalls: [], tokens: null, segments };
  };
  return (await withRetry(attempt, target, signal, patience)).segments;
}

function transcriptionOf({ provider, name }: Target) {
  const { transcribe } = providers.get(provider);
  if (transcribe !== undefined) return transcribe;
  throw new Failure(
    "wrong-setting",
    `${name} cannot transcribe speech: use a model of ${transcribers().join(" or ")}.`,
    { model: name },
  );
}

function transcribers(): string[] {
  return providers
    .all()
    .flatMap(({ name, transcribe }) => (transcribe === undefined ? [] : [name]));
}
