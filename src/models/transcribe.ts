import { Failure, isFailure, toFailure } from "../core/errors.ts";
import type { CallRecord } from "../core/events.ts";
import { hashOf } from "../core/hash.ts";
import type { Settings } from "../core/settings.ts";
import { type Limit, NO_USAGE } from "../core/shapes.ts";
import type { AttemptReply } from "./attempt.ts";
import { providers } from "./define-provider.ts";
import { mediaMemory } from "./media-memory.ts";
import type { ModelsOptions } from "./models.ts";
import { modelOf, parseModelName } from "./name.ts";
import { costOfSound, type Prices, readPrices } from "./prices.ts";
import { endpointOf } from "./rate-limit/endpoint.ts";
import { withRetry } from "./retry.ts";
import type { TranscriptionReply, TranscriptionRequest } from "./speech.ts";
import { findTarget, type KeyPlace, type Target } from "./target.ts";
import { pauseTeller, waitOf } from "./wait-events.ts";

/** A part of a video's sound, to be transcribed in one request. */
export interface TranscribedPart {
  /** Hash of the video. */
  video: string;
  stage: string;
  /** For a person: `sound 0:00 to 3:00`. */
  label: string;
  /** Everything that the sound depends on, for the memo. */
  key: Readonly<Record<string, unknown>>;
  /** Its ranges in the video, in seconds. */
  ranges: readonly { from_s: number; to_s: number }[];
  /** Seconds and bytes of the sound that is sent. */
  seconds: number;
  bytes: number;
  /** Whether the caller sends smaller parts if the server refuses this one as too large. */
  isDivisible: boolean;
  /** Reads the sound when it is about to be sent. */
  read(signal: AbortSignal): Promise<TranscriptionRequest["sound"]>;
}

/** The result of a request for a transcription. */
export type TranscribeResult =
  | { status: "transcribed"; reply: TranscriptionReply }
  /** A budget did not allow the request; nothing was sent. */
  | { status: "limit"; limit: Limit };

/** Transcriptions through the same path as chat calls. */
export interface Transcription {
  target: Target;
  /** Throws `Failure` as chat calls do; `media-limit` if the server refuses the sound as too large. */
  transcribe(part: TranscribedPart): Promise<TranscribeResult>;
}

const MEGABYTE = 2 ** 20;
const TOO_LARGE = 413;

/**
 * Transcriptions of the model that `recognition.transcriber` names: each part stored before it returns, retried, limited
 * and billed like chat calls. They count towards the budgets of cost and seconds, stored or not, but not as calls,
 * neither for a budget nor in `usage.calls`. Throws as `transcriberTarget`.
 */
export function createTranscription(options: ModelsOptions): Transcription {
  const { store, settings, emit, ledger, run, patience } = options;
  const { call_timeout_s: timeout_s, media_memory_mb } = settings.runtime;
  const { speech_language } = settings.recognition;
  const spoken = speech_language === null ? {} : { language: speech_language };
  const target = transcriberTarget(settings);
  const stop = options.signal ?? new AbortController().signal;
  let prices: Promise<Prices> | undefined;

  async function transcribe(part: TranscribedPart): Promise<TranscribeResult> {
    prices ??= options.prices
      ? Promise.resolve(options.prices)
      : readPrices(settings.runtime.prices);
    const cost = costOfSound((await prices)[target.name], part.seconds);
    const booked = ledger.reserve({ calls: 0, frames: 0, tokens: 0, cost });
    if ("refused" in booked) return { status: "limit", limit: booked.refused };
    const key = hashOf({
      step: "transcription",
      model: target.name,
      base_url: target.baseUrl,
      ...part.key,
      ...spoken,
    });
    const began = performance.now();
    let model_s: number | null = null;
    let paid: number | null = 0;
    const record = (
      outcome: Pick<CallRecord, "finish" | "cached" | "usage" | "text" | "error">,
    ): void => {
      const seconds = (performance.now() - began) / 1000;
      const { label, ranges } = part;
      emit(part.stage, {
        type: "call",
        call: {
          ...{ key, role: "transcriber", model: target.name, prompts: {}, label, seconds, model_s },
          waited_s: outcome.cached ? 0 : Math.max(0, seconds - (model_s ?? 0)),
          frames: [],
          sound: [...ranges],
          ...outcome,
        },
      });
    };
    try {
      const { value: reply, cached } = await store.memo.once<TranscriptionReply>(
        { key, tags: [part.video], run, signal: stop },
        async (signal) => {
          const capped = await options.cap?.reserve(cost, { signal });
          try {
            const sent = await send(part, signal);
            model_s = sent.model_s;
            paid = cost;
            return sent.reply;
          } finally {
            await capped?.settle(paid);
          }
        },
      );
      booked.settle({ calls: 0, frames: 0, tokens: 0, cost });
      const usage = { ...NO_USAGE, cost, paid: cached ? 0 : paid };
      const text = reply.segments.map((segment) => segment.text).join(" ");
      record({ finish: "stop", cached, usage, text });
      return { status: "transcribed", reply };
    } catch (error) {
      booked.release();
      const failure = stop.aborted
        ? new Failure("cancelled", `Cancelled while calling ${target.name}.`)
        : tooLarge(toFailure(error, "model-unusable", `calling ${target.name}`), part, target);
      // Nothing was sent for a call that the cap refused; smaller parts are sent instead of one that is too large.
      const isSilent =
        failure.kind === "cancelled" ||
        failure.kind === "limit-met" ||
        (failure.kind === "media-limit" && part.isDivisible);
      if (!isSilent)
        record({
          finish: "failed",
          cached: false,
          usage: NO_USAGE,
          text: "",
          error: { kind: failure.kind, message: failure.message },
        });
      throw failure;
    }
  }

  async function send(
    part: TranscribedPart,
    signal: AbortSignal,
  ): Promise<{ reply: TranscriptionReply; model_s: number }> {
    const request = transcriptionOf(target);
    const memory = mediaMemory(media_memory_mb * MEGABYTE);
    const endpoint = endpointOf(target, settings, store, patience);
    const free = await memory.hold(part.bytes, signal);
    try {
      const sound = await part.read(signal);
      const attempt = async (): Promise<Attempt> => {
        let sent = performance.now();
        const transcription = await endpoint.run(
          {
            // Sound is billed and limited by its length; servers count no tokens.
            tokens: 0,
            used: () => 0,
            signal,
            onWait: (seconds) => emit(part.stage, waitOf(target, seconds)),
          },
          () => {
            sent = performance.now();
            return request(target, { sound, ...spoken }, { timeout_s, signal });
          },
        );
        const model_s = Math.round(performance.now() - sent) / 1000;
        return { text: "", finish: "stop", toolCalls: [], tokens: null, transcription, model_s };
      };
      const { transcription, model_s } = await withRetry(attempt, target, signal, {
        patience,
        onPause: pauseTeller(target, (event) => emit(part.stage, event)),
      });
      return { reply: transcription, model_s };
    } finally {
      free();
    }
  }

  return { target, transcribe };
}

type Attempt = AttemptReply & { transcription: TranscriptionReply; model_s: number };

/**
 * Where the model that `recognition.transcriber` names is served: at `runtime.transcriber_url`, else as other models.
 * Headers that are meant for the server of other models are not sent to that address. Throws `Failure` `unknown-model`,
 * `missing-key`, or `wrong-setting` if the provider has no transcription.
 */
export function transcriberTarget(settings: Settings, keys: KeyPlace = "here"): Target {
  const { runtime, model } = settings;
  const { transcriber_url: own, base_url } = runtime;
  const hasOther = base_url !== null || model !== null;
  const name = modelOf(settings, "transcriber");
  transcriptionOf({ ...parseModelName(name), name });
  const isElsewhere = own !== null && hasOther && originOf(own) !== originOf(base_url ?? "");
  const server = {
    ...runtime,
    ...(own === null ? {} : { base_url: own, url_flag: "--transcriber-url" }),
    ...(isElsewhere ? { headers: null } : {}),
  };
  return findTarget(name, server, process.env, keys);
}

function originOf(url: string): string | null {
  return URL.parse(url)?.origin ?? null;
}

function transcriptionOf({ provider, name }: Pick<Target, "provider" | "name">) {
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

function tooLarge(failure: Failure, { bytes, seconds }: TranscribedPart, target: Target): Failure {
  if (!isFailure(failure, "model-rejected") || failure.facts.status !== TOO_LARGE) return failure;
  const size = (bytes / MEGABYTE).toFixed(1);
  return new Failure(
    "media-limit",
    `${target.baseUrl} refused ${size} MB of sound (${Math.round(seconds)} s) as too large. Raise the upload limit of the server, or of the proxy before it.`,
    { ...failure.facts, bytes, seconds },
  );
}
