import { cutText } from "../core/cut-text.ts";
import { Failure, isFailure, toFailure } from "../core/errors.ts";
import type { CallRecord } from "../core/events.ts";
import { hashOf } from "../core/hash.ts";
import { type Limit, NO_USAGE, type Usage } from "../core/shapes.ts";
import { type AttemptReply, unusable } from "./attempt.ts";
import {
  type EmbeddingsReply,
  type ProviderDefinition,
  providers,
  type RequestLimits,
} from "./define-provider.ts";
import type { ModelsOptions } from "./models.ts";
import { embedderOf } from "./name.ts";
import { costOf, type Prices, readPrices } from "./prices.ts";
import { endpointOf } from "./rate-limit/endpoint.ts";
import { withRetry } from "./retry.ts";
import { findTarget, type Target } from "./target.ts";
import { pauseTeller, waitOf } from "./wait-events.ts";

/** The embedding of a text; compared by direction. */
export type Vector = Float32Array;

/** The result of a request for embeddings. */
export type EmbedResult =
  | { status: "embedded"; vectors: Vector[] }
  /** There is no such model, or its server has no such endpoint; `why` is one sentence. */
  | { status: "none"; why: string }
  /** A budget did not allow the request; nothing was sent. */
  | { status: "limit"; limit: Limit };

/** What the call is for: as a chat call's. */
export interface EmbedAbout {
  stage: string;
  /** For a person: `what was found`. */
  label: string;
  /** Hash of the video that the texts are about, for `forget`. */
  video: string;
}

/** Vectors of texts, through the same path as chat calls. */
export interface Embeddings {
  /** `provider:model`, or null if none is to be used. */
  name: string | null;
  /**
   * A vector for each text, in their order. Throws `Failure` as chat calls do, except for a server without embeddings.
   */
  embed(texts: readonly string[], about: EmbedAbout): Promise<EmbedResult>;
}

/** Longer texts are cut to this many characters: models accept about 8,000 tokens, and evidence is short. */
const LONGEST = 16_000;

/** Statuses for an endpoint or a model that a server does not have. */
const ABSENT = new Set([404, 405, 501]);

/** Statuses with which servers refuse a request of too many texts. */
const REFUSED = new Set([400, 413, 422]);

/** Most texts of a request, of models of servers that refused more. */
const mostTexts = new Map<string, number>();
const ANY_NUMBER = Number.POSITIVE_INFINITY;

/** Options of `createEmbeddings`: those of chat models, and whether a model may be called. */
export interface EmbeddingsOptions extends ModelsOptions {
  /** Default: any model may. */
  mayCall?: (model: string) => boolean;
}

/** What was sent and billed, and how long the requests with a reply took; of parallel ones, the longest. */
interface Sent {
  tokens: number;
  texts: number;
  model_s: number;
}

type Attempt = AttemptReply & { vectors: number[][]; counted: number };

/**
 * Embeddings for the searches of one question: stored per text, so that no text is billed twice on any video; retried,
 * limited and billed like chat calls. They count towards the budgets of tokens, cost and seconds, at one token per 4
 * characters, stored or not. They do not count as calls, neither for a budget nor in `usage.calls`.
 */
export function createEmbeddings(options: EmbeddingsOptions): Embeddings {
  const { store, settings, emit, ledger, run } = options;
  const { call_timeout_s: timeout_s } = settings.runtime;
  const name = embedderOf(settings);
  const stop = options.signal ?? new AbortController().signal;
  let prices: Promise<Prices> | undefined;
  let absent: string | undefined;

  async function embed(texts: readonly string[], about: EmbedAbout): Promise<EmbedResult> {
    if (name === null) return { status: "none", why: "No embeddings were requested." };
    if (options.mayCall?.(name) === false)
      return { status: "none", why: `${name} is not among the allowed models (--allow-model).` };
    if (absent !== undefined) return { status: "none", why: absent };
    if (texts.length === 0) return { status: "embedded", vectors: [] };
    const target = findTarget(name, settings.runtime);
    const { title, embeddings } = providers.get(target.provider);
    if (embeddings === undefined) return { status: "none", why: `${title} has no embeddings.` };
    prices ??= options.prices
      ? Promise.resolve(options.prices)
      : readPrices(settings.runtime.prices);
    const price = (await prices)[target.name];
    const cut = texts.map((text) => cutText(text, LONGEST));
    const wanted = [...new Set(cut)];
    const tokens = Math.ceil(charactersOf(wanted) / 4);
    const cost = costOf(price, { input: tokens, output: 0 });
    const booked = ledger.reserve({ calls: 0, frames: 0, tokens, cost });
    if ("refused" in booked) return { status: "limit", limit: booked.refused };

    const began = performance.now();
    const sent: Sent = { tokens: 0, texts: 0, model_s: 0 };
    const most = () => Math.min(embeddings.batch, mostTexts.get(serverOf(target)) ?? ANY_NUMBER);
    const batch = collect(most, async (missing) => {
      const foreseen = costOf(price, { input: charactersOf(missing) / 4, output: 0 });
      const capped = await options.cap?.reserve(foreseen, { signal: options.signal });
      const own: Sent = { tokens: 0, texts: 0, model_s: 0 };
      try {
        return await sendDivided(embeddings, target, missing, own, about.stage);
      } finally {
        sent.tokens += own.tokens;
        sent.texts += own.texts;
        sent.model_s = Math.max(sent.model_s, own.model_s);
        await capped?.settle(costOf(price, { input: own.tokens, output: 0 }));
      }
    });
    try {
      const stored = await Promise.all(
        wanted.map((text) =>
          store.memo.once<string>(
            { key: keyOf(target, text), tags: [about.video], run, signal: stop },
            () => batch(text),
          ),
        ),
      );
      booked.settle({ calls: 0, frames: 0, tokens, cost });
      record({
        finish: "stop",
        cached: sent.texts === 0,
        usage: {
          ...NO_USAGE,
          input: tokens,
          cost,
          paid: costOf(price, { input: sent.tokens, output: 0 }),
        },
      });
      const vectors = new Map(wanted.map((text, i) => [text, unpack(stored[i]?.value ?? "")]));
      return { status: "embedded", vectors: cut.map((text) => vectors.get(text) as Vector) };
    } catch (error) {
      booked.release();
      const failure = stop.aborted
        ? new Failure("cancelled", `Cancelled while calling ${target.name}.`)
        : toFailure(error, "model-unusable", `calling ${target.name}`);
      // Nothing was sent for a call that the cap refused.
      if (failure.kind !== "cancelled" && failure.kind !== "limit-met")
        record({
          finish: "failed",
          cached: false,
          usage: { ...NO_USAGE, paid: costOf(price, { input: sent.tokens, output: 0 }) },
          error: { kind: failure.kind, message: failure.message },
        });
      if (!isAbsence(failure)) throw failure;
      absent = failure.message;
      return { status: "none", why: absent };
    }

    function record(outcome: {
      finish: string;
      cached: boolean;
      usage: Usage;
      error?: CallRecord["error"];
    }) {
      const seconds = (performance.now() - began) / 1000;
      emit(about.stage, {
        type: "call",
        call: {
          key: hashOf(["embeddings", wanted.map((text) => keyOf(target, text))]),
          role: "embedder",
          model: target.name,
          prompts: {},
          label: about.label,
          seconds,
          // Texts are stored one by one, without the duration of their call.
          model_s: outcome.cached ? null : sent.model_s,
          waited_s: outcome.cached ? 0 : Math.max(0, seconds - sent.model_s),
          frames: [],
          text: "",
          ...outcome,
        },
      });
    }
  }

  /** One request, or several smaller ones if the server refuses so many texts at once. */
  async function sendDivided(
    embeddings: EmbeddingsOfProvider,
    target: Target,
    texts: readonly string[],
    sent: Sent,
    stage: string,
  ): Promise<string[]> {
    const server = serverOf(target);
    const inParts = async (size: number) => {
      const vectors: string[] = [];
      for (let from = 0; from < texts.length; from += size) {
        const part = texts.slice(from, from + size);
        vectors.push(...(await sendDivided(embeddings, target, part, sent, stage)));
      }
      return vectors;
    };
    const most = mostTexts.get(server) ?? ANY_NUMBER;
    // A request before this one may have learned it.
    if (texts.length > most) return inParts(most);
    try {
      return await send(embeddings, target, texts, sent, stage);
    } catch (error) {
      if (texts.length === 1 || !isOfTooMany(error)) throw error;
    }
    const half = Math.ceil(texts.length / 2);
    const vectors = await inParts(half);
    mostTexts.set(server, Math.min(half, mostTexts.get(server) ?? half));
    return vectors;
  }

  async function send(
    { embed: embedOnce }: EmbeddingsOfProvider,
    target: Target,
    texts: readonly string[],
    sent: Sent,
    stage: string,
  ): Promise<string[]> {
    const endpoint = endpointOf(target, settings, store, options.patience);
    const characters = charactersOf(texts);
    const attempt = async (): Promise<Attempt> => {
      const tokensOf = ({ tokens }: EmbeddingsReply) => tokens ?? Math.ceil(characters / 4);
      let began = 0;
      const reply = await endpoint.run(
        {
          tokens: Math.ceil(characters / 4),
          used: tokensOf,
          signal: stop,
          onWait: (seconds) => emit(stage, waitOf(target, seconds)),
        },
        () => {
          began = performance.now();
          return requestVectors(embedOnce, target, texts, { timeout_s, signal: stop });
        },
      );
      sent.model_s += (performance.now() - began) / 1000;
      const { vectors } = reply;
      const counted = tokensOf(reply);
      return { text: "", finish: "stop", toolCalls: [], tokens: null, vectors, counted };
    };
    const { vectors, counted } = await withRetry(attempt, target, stop, {
      patience: options.patience,
      onPause: pauseTeller(target, (event) => emit(stage, event)),
    });
    sent.tokens += counted;
    sent.texts += texts.length;
    return vectors.map(pack);
  }

  return { name, embed };
}

type EmbeddingsOfProvider = NonNullable<ProviderDefinition["embeddings"]>;

/** One request. Throws `AttemptError` `unusable` unless each text has a vector, all of one length. */
async function requestVectors(
  embedOnce: EmbeddingsOfProvider["embed"],
  target: Target,
  texts: readonly string[],
  limits: RequestLimits,
): Promise<EmbeddingsReply> {
  const embedded = await embedOnce(target, texts, limits);
  const [first] = embedded.vectors;
  const isWhole =
    embedded.vectors.length === texts.length &&
    embedded.vectors.every((vector) => vector.length === first?.length);
  if (!isWhole) throw unusable(`no embedding of one length for each of ${texts.length} texts`);
  return embedded;
}

function charactersOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function keyOf({ name, baseUrl }: Target, text: string): string {
  return hashOf({ step: "embedding", model: name, base_url: baseUrl, text });
}

function serverOf({ name, baseUrl }: Target): string {
  return `${baseUrl} ${name}`;
}

function isOfTooMany(error: unknown): boolean {
  if (!isFailure(error, "model-rejected") || error.facts.tooMany !== true) return false;
  return REFUSED.has(Number(error.facts.status));
}

function isAbsence(failure: Failure): boolean {
  return isFailure(failure, "model-rejected") && ABSENT.has(Number(failure.facts.status));
}

/**
 * Batches the texts that are requested one by one within a turn of the event loop, as the memo does for each missing
 * text. `most`: texts of one batch.
 */
function collect(
  most: () => number,
  send: (texts: readonly string[]) => Promise<string[]>,
): (text: string) => Promise<string> {
  let waiting: { text: string; done: PromiseWithResolvers<string> }[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    const size = most();
    for (let from = 0; from < batch.length; from += size) {
      const part = batch.slice(from, from + size);
      send(part.map(({ text }) => text)).then(
        (vectors) => {
          for (const [i, { done }] of part.entries()) done.resolve(vectors[i] ?? "");
        },
        (error: unknown) => {
          for (const { done } of part) done.reject(error);
        },
      );
    }
  };
  return (text) => {
    if (waiting.length === 0) setImmediate(flush);
    const done = Promise.withResolvers<string>();
    waiting.push({ text, done });
    return done.promise;
  };
}

/** Four bytes per number in base64, a fifth of its JSON. */
function pack(vector: readonly number[]): string {
  const floats = Float32Array.from(vector);
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString("base64");
}

function unpack(text: string): Vector {
  const bytes = Buffer.from(text, "base64");
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}
