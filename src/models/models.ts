import type { Store } from "../core/contracts.ts";
import { Failure, toFailure } from "../core/errors.ts";
import type { CallRecord, Emit } from "../core/events.ts";
import type { Ledger, Spend } from "../core/ledger.ts";
import { expectedOutput, type Settings } from "../core/settings.ts";
import { NO_USAGE, type Usage } from "../core/shapes.ts";
import type { SpendingCap } from "../core/spending-cap.ts";
import { callKey, footageOf, framesOf, reservedInput } from "./call-key.ts";
import { capRequests } from "./capped-requests.ts";
import type { Call, CallResult, ChatReply, ChatRequest, Models, TokenCount } from "./chat.ts";
import { chatTarget } from "./chat-target.ts";
import { checkFrameTotals, frameTotals } from "./frame-limits.ts";
import { sentSeed, withGeneration } from "./generation.ts";
import { modelOf, nameOf, parseModelName } from "./name.ts";
import { batchPrice, costOf, type Price, type Prices, readPrices } from "./prices.ts";
import type { Patience } from "./retry.ts";
import { type CallBatches, noAttempts, sendCall, sumOf, withoutReply } from "./send-call.ts";
import { NO_TOKENS } from "./tokens.ts";

export type { CallBatches } from "./send-call.ts";

/** What the calls of one question share. */
export interface ModelsOptions {
  store: Pick<Store, "memo" | "blobs"> &
    Partial<Pick<Store, "catalogue" | "remoteFiles" | "rates">>;
  settings: Settings;
  emit: Emit;
  ledger: Ledger;
  /** What all questions of a run may cost together; default: no limit. */
  cap?: SpendingCap;
  /** The run to which the calls belong. */
  run: string;
  signal?: AbortSignal;
  /** Default: the built-in table, extended by the file of `settings.runtime.prices`. */
  prices?: Prices;
  patience?: Patience;
  /** Keeps what is sent, for a trace; returns the id of the blob, or undefined if it was not kept. */
  keepRequest?: KeepRequest;
  /** Sends the calls in batches, at the price of batches. Default: each call is sent at once. */
  batches?: CallBatches;
  /** Called after each call, before its event. */
  onExchange?: (exchange: Exchange) => void;
}

/** A request as it was sent, and its reply. */
export interface Exchange {
  /** The memo key, as in the call's event. */
  key: string;
  /** Hash of the video's file. */
  video: string;
  request: ChatRequest;
  /** Null for a call that failed. */
  reply: ChatReply | null;
}

/** Keeps a request about a video, by the hash of the video's file. */
export type KeepRequest = (video: string, request: ChatRequest) => Promise<string | undefined>;

/**
 * Chat models for the calls of one question (or one run): memo, budget, limit in flight, retry and usage in one place.
 *
 * A call that the memo answers counts for the budget and for `Usage` as if it had been sent; only `paid` is 0. So a
 * resumed run reaches its limits at the same calls as one that was never stopped.
 */
export function createModels(options: ModelsOptions): Models {
  const { store, settings, emit, ledger, run, batches } = options;
  const stop = options.signal ?? new AbortController().signal;
  let prices: Promise<Prices> | undefined;

  async function priceOf(name: string): Promise<Price | undefined> {
    prices ??= options.prices
      ? Promise.resolve(options.prices)
      : readPrices(settings.runtime.prices);
    const price = (await prices)[name];
    return batches === undefined ? price : batchPrice(name, price);
  }

  async function foresee(
    { role, request, shown }: Pick<Call, "role" | "request" | "shown">,
    more = 0,
  ): Promise<Spend> {
    const name = modelOf(settings, role);
    const input = reservedInput(request, parseModelName(name).provider) + more;
    const output = expectedOutput(settings, role, request.maxTokens);
    return {
      calls: 1,
      frames: (shown ?? framesOf(request)).length,
      tokens: input + output,
      cost: costOf(await priceOf(name), { input, output }),
    };
  }

  async function call(call: Call): Promise<CallResult> {
    const began = performance.now();
    const target = chatTarget(settings, call.role);
    const price = await priceOf(target.name);
    const request = withGeneration(call.request, settings);
    checkFrameTotals(frameTotals(request), settings.runtime);
    const frames = [...(call.shown ?? framesOf(request))];
    const footage = footageOf(request);
    const foreseen = await foresee(call);
    const booked = ledger.reserve(foreseen);
    if ("refused" in booked) return { status: "limit", limit: booked.refused };

    const key = callKey(target, request, call.epoch, call.draw ?? 0);
    /** What was sent and billed by attempts of this process, incomplete replies included. */
    const billed = noAttempts();
    const pictures = framesOf(request).length;
    const kept = await options.keepRequest?.(call.video, request);
    const record = (
      outcome: Pick<CallRecord, "finish" | "cached" | "usage" | "text" | "tools" | "error">,
      model_s: number | null,
      retried: ChatReply["retried"],
    ) => {
      const seconds = (performance.now() - began) / 1000;
      emit(call.stage, {
        type: "call",
        call: {
          key,
          role: call.role,
          model: target.name,
          prompts: call.prompts,
          label: call.label,
          seconds,
          model_s,
          // A reply from the memo, or from another caller's call in flight, has no waiting time of its own.
          waited_s: outcome.cached ? 0 : Math.max(0, seconds - (model_s ?? 0)),
          frames,
          ...(pictures === frames.length ? {} : { pictures }),
          ...(retried === undefined
            ? {}
            : { retried: { ...retried, cost: costOf(price, retried) } }),
          ...(call.evidence === undefined ? {} : { evidence: [...call.evidence] }),
          ...(footage.length === 0 ? {} : { footage }),
          ...(kept === undefined ? {} : { request: kept }),
          ...outcome,
        },
      });
    };

    /** Settles the call and emits its event. */
    const settle = (reply: ChatReply, cached: boolean): Usage => {
      const usage = {
        calls: 1,
        frames: frames.length,
        ...reply.tokens,
        cost: costOf(price, reply.tokens),
        paid: cached ? 0 : costOf(price, billed),
        ...(reply.estimated ? { estimated: 1 } : {}),
      };
      booked.settle({
        calls: 1,
        frames: frames.length,
        ...amountsOf(price, reply.tokens, reply.retried),
      });
      // Without tools on offer, nothing runs what a reply calls.
      const tools = (request.tools === undefined ? [] : reply.toolCalls).map(
        ({ name, arguments: given }) => ({ name, arguments: given }),
      );
      const { finish, text } = reply;
      options.onExchange?.({ key, video: call.video, request, reply });
      record(
        { finish, cached, usage, text, ...(tools.length > 0 ? { tools } : {}) },
        reply.seconds ?? null,
        reply.retried,
      );
      return usage;
    };
    let made: ChatReply | undefined;
    let settled: Usage | undefined;
    // With the reply in one transaction: a killed process leaves no stored reply without the event that says who paid.
    const onStoring = () => {
      if (made !== undefined && !stop.aborted) settled = settle(made, false);
    };

    try {
      const once = store.memo.once<ChatReply>(
        { key, tags: [call.video], run, reusable: isReusable, signal: stop, onStoring },
        async (signal) => {
          const waiting = { waits: batches === undefined, signal };
          const paid = () => costOf(price, billed);
          const capped = await capRequests(options.cap, foreseen.cost, paid, waiting);
          try {
            const sent = { ...request, ...seedFor(request, call) };
            const about = {
              ...{ stage: call.stage, key, expected: foreseen.tokens, signal },
              mayRepeat: async () =>
                ledger.fits({ calls: 0, frames: 0, ...amountsOf(price, billed) }) &&
                (await capped.again()),
            };
            made = await sendCall(target, sent, billed, about, options);
            return made;
          } finally {
            await capped.settle();
          }
        },
      );
      const { value: reply, cached } = await (batches?.waiting(once) ?? once);
      batches?.settle(key);
      return { status: "replied", reply, usage: settled ?? settle(reply, cached), cached };
    } catch (error) {
      booked.release();
      const failure = stop.aborted
        ? new Failure("cancelled", `Cancelled while calling ${target.name}.`)
        : toFailure(error, "model-unusable", `calling ${target.name}`);
      // Nothing was sent for a call that the cap refused.
      if (failure.kind !== "cancelled" && failure.kind !== "limit-met") {
        batches?.settle(key);
        // A reply that could not be stored has its event.
        if (settled === undefined) {
          options.onExchange?.({ key, video: call.video, request, reply: null });
          record(
            {
              finish: "failed",
              cached: false,
              usage: { ...NO_USAGE, paid: costOf(price, billed) },
              text: "",
              error: { kind: failure.kind, message: failure.message },
            },
            null,
            billed.requests === 0 ? undefined : withoutReply(billed, billed.requests),
          );
        }
      }
      throw failure;
    }
  }

  return { call, foresee, nameOf: (role) => nameOf(settings, role) };
}

/** The tokens and the price of a reply, with those of earlier requests without a usable one. */
function amountsOf(price: Price | undefined, tokens: TokenCount, retried: TokenCount = NO_TOKENS) {
  const cost = costOf(price, tokens);
  return {
    tokens: sumOf(tokens) + sumOf(retried),
    cost: cost === null ? null : cost + (costOf(price, retried) ?? 0),
  };
}

function seedFor(request: ChatRequest, call: Call): Pick<ChatRequest, "seed"> {
  const seed = sentSeed(request, call);
  return seed === undefined ? {} : { seed };
}

function isReusable({ finish }: ChatReply): boolean {
  return finish === "stop" || finish === "length" || finish === "tool-calls";
}
