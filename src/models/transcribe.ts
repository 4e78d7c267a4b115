import { Failure } from "../core/errors.ts";
import type { AttemptReply } from "./attempt.ts";
import { placesFor } from "./connection-limit.ts";
import { providers } from "./define-provider.ts";
import { isOverload, type Patience, withRetry } from "./retry.ts";
import type { SpokenSegment, TranscriptionRequest } from "./speech.ts";
import type { Target } from "./target.ts";

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
  const { transcribe } = providers.get(target.provider);
  if (transcribe === undefined)
    throw new Failure(
      "wrong-setting",
      `${target.name} cannot transcribe speech: use a model of ${transcribers().join(" or ")}.`,
      { model: target.name },
    );
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

function transcribers(): string[] {
  return providers
    .all()
    .flatMap(({ name, transcribe }) => (transcribe === undefined ? [] : [name]));
}
