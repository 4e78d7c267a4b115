import type { Store } from "../../core/contracts.ts";
import type { RateTable } from "../../core/rate-table.ts";
import { connectionsOf, rateLimitsOf, type Settings } from "../../core/settings.ts";
import { AttemptError } from "../attempt.ts";
import { placesFor } from "../connection-limit.ts";
import { PATIENCE, type Patience } from "../patience.ts";
import { isOverload } from "../retry.ts";
import type { Target } from "../target.ts";
import { createMemoryTable } from "./memory-table.ts";
import { createRateLimiter, type RateLimiter, type RateView, type Start } from "./rate-limiter.ts";

/** One request to an endpoint. */
interface Request<T> {
  /** The tokens that it is expected to take. */
  tokens: number;
  /** The tokens that it took. */
  used(reply: T): number;
  signal: AbortSignal;
  /** Called from time to time while it waits for the rate limit, with the seconds so far. */
  onWait?: (seconds: number) => void;
}

/** Where requests are sent, within its limits. */
export interface Endpoint {
  /** Sends a request once its rate limit and a connection are free. */
  run<T>(request: Request<T>, send: () => Promise<T>): Promise<T>;
}

const ofThisProcess = createMemoryTable();
const limiters = new WeakMap<RateTable, Map<string, RateLimiter>>();

/** The limits of a model at its address: the rate over all processes of the store, the connections of this process. */
export function endpointOf(
  target: Pick<Target, "name" | "provider" | "baseUrl">,
  { runtime }: Settings,
  store: Pick<Store, "rates">,
  { longestRetryAfter }: Pick<Patience, "longestRetryAfter"> = PATIENCE,
): Endpoint {
  const places = placesFor(`${target.provider} ${target.baseUrl}`, connectionsOf(runtime));
  const limiter = limiterOf(store.rates ?? ofThisProcess, `${target.name} ${target.baseUrl}`);
  const limits = rateLimitsOf(runtime);
  return {
    async run({ tokens, used, signal, onWait }, send) {
      const start = await waiting(limiter.start(tokens, limits, signal), onWait);
      const once = async () => {
        start.begun();
        return send();
      };
      try {
        const reply = await places.run(once, isOverload, signal);
        start.settle(used(reply));
        return reply;
      } catch (error) {
        note(error, start, longestRetryAfter);
        throw error;
      } finally {
        start.begun();
      }
    },
  };
}

/** The rate limits of the endpoints that this process has called for a store, by model and address. */
export function rateViews({ rates }: Pick<Store, "rates">): [endpoint: string, RateView][] {
  const known = limiters.get(rates ?? ofThisProcess) ?? [];
  return [...known].map(([endpoint, limiter]) => [endpoint, limiter.view()]);
}

function limiterOf(table: RateTable, endpoint: string): RateLimiter {
  const known = limiters.get(table) ?? new Map<string, RateLimiter>();
  limiters.set(table, known);
  const limiter = known.get(endpoint) ?? createRateLimiter(table, endpoint);
  known.set(endpoint, limiter);
  return limiter;
}

function note(error: unknown, start: Start, longestPause: number): void {
  if (!(error instanceof AttemptError)) return;
  const { trouble } = error;
  // Other requests may have been processed, and count with the expected tokens.
  if (trouble.kind === "refused-connection" || trouble.kind === "status") start.settle(0);
  if (trouble.kind !== "status" || !isOverload(error)) return;
  start.refused(Math.min((trouble.retryAfter_s ?? 0) * 1000, longestPause));
}

/** Calls `onWait` after a second, and then ever more rarely. */
async function waiting<T>(work: Promise<T>, onWait: Request<T>["onWait"]): Promise<T> {
  if (onWait === undefined) return work;
  let seconds = 1;
  let timer = setTimeout(function tell() {
    onWait(seconds);
    const pause = seconds + 1;
    timer = setTimeout(tell, pause * 1000);
    seconds += pause;
  }, 1000);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
