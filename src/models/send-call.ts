import type { Store } from "../core/contracts.ts";
import type { Emit } from "../core/events.ts";
import type { Settings } from "../core/settings.ts";
import { withPrivateTraces } from "../tracing/private-langsmith.ts";
import { AttemptError, type AttemptReply, type MediaSource } from "./attempt.ts";
import type { Batches } from "./batch/batches.ts";
import { estimateTokens } from "./call-key.ts";
import type { ChatReply, ChatRequest, Medium, TokenCount } from "./chat.ts";
import { checkReply } from "./check-reply.ts";
import { clientOf } from "./client.ts";
import { checkMediaBytes } from "./frame-limits.ts";
import { createMediaBody } from "./media-body.ts";
import { mediumPath, mediumSize, readMedium } from "./media-bytes.ts";
import { withMediaHint } from "./media-hint.ts";
import { mediaMemory } from "./media-memory.ts";
import type { Fetch } from "./model-fetch.ts";
import { patienceInBatches } from "./patience.ts";
import { endpointOf } from "./rate-limit/endpoint.ts";
import { type Patience, withRetry } from "./retry.ts";
import type { Target } from "./target.ts";
import { addTokens, completedTokens, NO_TOKENS } from "./tokens.ts";
import { withUploads } from "./uploads.ts";
import { pauseTeller, waitOf } from "./wait-events.ts";

const MEGABYTE = 2 ** 20;
const ESTIMATED = { estimated: true } as const;

/** What calls need of batches; `openBatches` makes it. */
export type CallBatches = Pick<Batches, "waiting" | "fetchFor" | "settle">;

/** What the requests of a call share with those of others. */
export interface SendContext {
  store: Pick<Store, "memo" | "blobs"> &
    Partial<Pick<Store, "catalogue" | "remoteFiles" | "rates">>;
  settings: Settings;
  emit: Emit;
  patience?: Patience;
  batches?: CallBatches;
}

/** Requests of one call, and the tokens billed for them. */
export interface Attempts extends TokenCount {
  requests: number;
}

/** A call as `sendCall` needs it. */
interface SentFor {
  stage: string;
  /** The memo key. */
  key: string;
  /** Tokens. */
  expected: number;
  signal: AbortSignal;
  /** Whether the budgets allow one more request, after those that were billed. */
  mayRepeat: () => Promise<boolean>;
}

export const noAttempts = (): Attempts => ({ ...NO_TOKENS, requests: 0 });

/**
 * Sends one call within the limits of rate and connections, or in a batch, and retries it if that may help. `billed` counts
 * what is sent and billed, also if it throws.
 */
export async function sendCall(
  target: Target,
  request: ChatRequest,
  billed: Attempts,
  { stage, key, expected, signal, mayRepeat }: SentFor,
  { store, settings, emit, patience, batches }: SendContext,
): Promise<ChatReply> {
  const { call_timeout_s } = settings.runtime;
  const client = await clientOf(target);
  const endpoint = endpointOf(target, settings, store, patience);
  const memory = mediaMemory(settings.runtime.media_memory_mb * MEGABYTE);
  const reader = {
    size: (hash: string) => mediumSize(hash, store),
    read: (hash: string) => readMedium(hash, store),
  };
  const ask = async (
    uri: MediaSource["uri"],
    inner: AbortSignal,
    fetch?: Fetch,
  ): Promise<AttemptReply> => {
    const { mark, fill, failure, close } = createMediaBody(reader, memory, inner, {
      check: (bytes) => checkMediaBytes(bytes, settings.runtime),
      // Bodies of a batch wait until they are written.
      atOnce: fetch === undefined,
    });
    try {
      const reply = await withPrivateTraces(
        () => client(request, { mark, fill, uri }, inner, fetch),
        { content: settings.runtime.trace_content },
      );
      checkReply(reply, target.provider);
      return reply;
    } catch (error) {
      // The failed fetch only reports a broken stream.
      throw failure() ?? error;
    } finally {
      close();
    }
  };
  const attempt = async (
    uri: MediaSource["uri"],
  ): Promise<AttemptReply & { tokens: ChatReply["tokens"] }> => {
    let sent = performance.now();
    const countTokens = (received: AttemptReply) =>
      completedTokens(received.tokens, received, () => estimateTokens(request, target.provider));
    const sendOnce = (work: () => Promise<AttemptReply>) => {
      sent = performance.now();
      billed.requests++;
      return work().catch((error) => {
        if (isUnreached(error)) billed.requests--;
        throw error;
      });
    };
    const direct = () =>
      endpoint.run(
        {
          tokens: expected,
          used: (reply) => sumOf(countTokens(reply).tokens),
          signal,
          onWait: (seconds) => emit(stage, waitOf(target, seconds)),
        },
        () => sendOnce(() => inTime(call_timeout_s, signal, (inner) => ask(uri, inner))),
      );
    const received =
      batches === undefined
        ? await direct()
        : await sendOnce(() => ask(uri, signal, batches.fetchFor(target, key, signal)));
    // The hours of a batch are not the time that the model takes.
    const timed =
      batches === undefined ? { seconds: Math.round(performance.now() - sent) / 1000 } : {};
    const { tokens, estimated } = countTokens(received);
    Object.assign(billed, addTokens(billed, tokens));
    return { ...received, tokens, ...timed, ...(estimated ? ESTIMATED : {}) };
  };
  const retries = {
    patience: batches === undefined ? patience : patienceInBatches(patience),
    mayRepeat,
    onPause: pauseTeller(target, (event) => emit(stage, event)),
  };
  const { memo, remoteFiles } = store;
  const retried = (uri: MediaSource["uri"]) =>
    withRetry(() => attempt(uri), target, signal, retries).then(
      (reply): ChatReply =>
        billed.requests < 2
          ? reply
          : { ...reply, retried: withoutReply(billed, billed.requests - 1, reply.tokens) },
      (error: unknown) => {
        throw withMediaHint(error, request);
      },
    );
  if (remoteFiles === undefined) return retried(() => null);
  const pathOf = ({ hash }: Medium) => mediumPath(hash, store);
  const uploads = {
    store: { memo, remoteFiles },
    pathOf,
    signal,
    timeout_s: call_timeout_s,
    patience,
    onSent: (sent: number, of: number) =>
      emit(stage, {
        type: "progress",
        done: Math.ceil(sent / MEGABYTE),
        total: Math.ceil(of / MEGABYTE),
        unit: "MB uploaded",
      }),
  };
  return withUploads(request, target, uploads, retried);
}

/** The requests that had no usable reply; `used` are the tokens of the one that had. */
export function withoutReply({ input, output }: Attempts, requests: number, used = NO_TOKENS) {
  return { requests, input: input - used.input, output: output - used.output };
}

export function sumOf({ input, output }: TokenCount): number {
  return input + output;
}

/** Nothing was sent: there was no connection. */
function isUnreached(error: unknown): boolean {
  return error instanceof AttemptError && error.trouble.kind === "refused-connection";
}

/** Aborts `work` after this many seconds, or when `outer` aborts. */
async function inTime<T>(
  seconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const inner = new AbortController();
  const onLate = () =>
    inner.abort(new AttemptError({ kind: "timeout" }, `no reply after ${seconds} s`));
  const timer = setTimeout(onLate, Math.min(seconds * 1000, 2 ** 31 - 1));
  const onAbort = () => inner.abort(outer.reason);
  outer.addEventListener("abort", onAbort, { once: true });
  try {
    return await work(inner.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", onAbort);
  }
}
