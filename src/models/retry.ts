import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import { Failure } from "../core/errors.ts";
import { AttemptError, type AttemptReply } from "./attempt.ts";
import { serviceName, serviceOf } from "./name.ts";
import { PATIENCE, type Patience } from "./patience.ts";
import type { Target } from "./target.ts";

export { PATIENCE, type Patience } from "./patience.ts";

/**
 * Fewer retries if another attempt is unlikely to help or is expensive: a server that was never reached is more likely
 * down or misspelt than busy, a late reply takes the whole time limit again, an unreadable body more likely means a
 * wrong address, and an empty reply is billed each time.
 */
const MOST_RETRIES = { unreached: 2, late: 2, unusable: 3, incomplete: 5 };

/** Base URLs of the servers that answered this process: one that cannot be reached any more is probably restarting. */
const reached = new Set<string>();

export interface RetryOptions {
  patience?: Patience;
  /** Whether an empty or broken reply, which is billed, may be requested again. Default: always. */
  mayRepeat?: () => Promise<boolean>;
  /** Called before each pause. */
  onPause?: (pause: Pause) => void;
}

/** The time until the next attempt. */
export interface Pause {
  seconds: number;
  /** Why the last attempt failed, in a few words. */
  why: string;
}

/** An empty or broken reply: retried, and returned if all attempts end so. */
class IncompleteReply<T extends AttemptReply> extends Error {
  readonly reply: T;

  constructor(reply: T) {
    super(reply.finish);
    this.reply = reply;
  }
}

/**
 * The only place that retries a model call: on 408, 409, 429 (but not for a quota that is used up), 5xx, dropped
 * connections, timeouts, bodies that cannot be read, and replies that are empty or broken off. Any other status is an
 * error in the request and is not retried. After the last attempt an empty or broken reply is returned as it is;
 * anything else throws `Failure` `model-overloaded`, `model-unreachable`, `model-rejected`, `model-unusable`, or
 * `cancelled`.
 */
export async function withRetry<T extends AttemptReply>(
  attempt: () => Promise<T>,
  target: Target,
  signal: AbortSignal,
  { patience = PATIENCE, mayRepeat = async () => true, onPause }: RetryOptions = {},
): Promise<T> {
  const seen = { unreached: 0, late: 0, unusable: 0, incomplete: 0 };
  const again = (why: keyof typeof seen) => ++seen[why] <= MOST_RETRIES[why];
  const mayHelp = async (error: Error): Promise<boolean> => {
    if (error instanceof IncompleteReply) return again("incomplete") && (await mayRepeat());
    if (!(error instanceof AttemptError)) return false;
    const { trouble } = error;
    switch (trouble.kind) {
      case "unusable":
        return again("unusable");
      case "redirected":
        return false;
      case "refused-connection":
        return reached.has(target.baseUrl) || again("unreached");
      case "timeout":
        return again("late");
      case "status":
        return isTemporary(trouble);
      case "dropped":
        return true;
    }
  };
  try {
    return await pRetry(
      async () => {
        const reply = await attempt().catch((error: unknown) => {
          if (hasAnswered(error)) reached.add(target.baseUrl);
          throw error;
        });
        reached.add(target.baseUrl);
        if (reply.finish === "empty" || reply.finish === "broken") throw new IncompleteReply(reply);
        return reply;
      },
      {
        retries: patience.retries,
        minTimeout: patience.pause,
        maxTimeout: patience.longestPause,
        randomize: true,
        signal,
        shouldRetry: async ({ error, retryDelay }) => {
          if (!(await mayHelp(error))) return false;
          const asked = Math.min(askedFor(error) * 1000, patience.longestRetryAfter);
          onPause?.({ seconds: Math.max(asked, retryDelay) / 1000, why: reasonOf(error) });
          if (asked > retryDelay) await sleep(asked - retryDelay, undefined, { signal });
          return true;
        },
      },
    );
  } catch (error) {
    if (error instanceof IncompleteReply) return error.reply as T;
    if (signal.aborted)
      throw new Failure("cancelled", `Cancelled while waiting for ${target.name}.`, {
        model: target.name,
      });
    if (!(error instanceof AttemptError)) throw error;
    // It was waited for in vain: the next calls report it soon.
    if (error.trouble.kind === "refused-connection") reached.delete(target.baseUrl);
    throw failureOf(error, target);
  }
}

function hasAnswered(error: unknown): boolean {
  return error instanceof AttemptError && error.trouble.kind === "status";
}

/** Seconds that the server asked to wait. */
function askedFor(error: Error): number {
  if (!(error instanceof AttemptError) || error.trouble.kind !== "status") return 0;
  return error.trouble.retryAfter_s ?? 0;
}

function reasonOf(error: Error): string {
  if (!(error instanceof AttemptError)) return `${error.message} reply`;
  const { trouble } = error;
  return trouble.kind === "status" ? `status ${trouble.status}` : REASONS[trouble.kind];
}

const REASONS = {
  "refused-connection": "no connection",
  dropped: "the connection was dropped",
  timeout: "no reply in time",
  unusable: "an unreadable reply",
  redirected: "redirected",
} as const;

type Refusal = Extract<AttemptError["trouble"], { kind: "status" }>;

/** Whether a retry may help. Not for 501: a missing endpoint stays missing. */
function isTemporary({ status, spent, permanent }: Refusal): boolean {
  if (spent || permanent) return false;
  return [408, 409, 429].includes(status) || (status >= 500 && status !== 501);
}

/** Whether the same request may succeed later. */
export function isPassing({ trouble }: AttemptError): boolean {
  if (trouble.kind === "status") return isTemporary(trouble);
  return trouble.kind !== "unusable" && trouble.kind !== "redirected";
}

/** Whether an error says that the server is overloaded. */
export function isOverload(error: unknown): boolean {
  if (!(error instanceof AttemptError) || error.trouble.kind !== "status") return false;
  return error.trouble.status === 429 && !error.trouble.spent;
}

/** The failure of a call whose last attempt failed. */
export function failureOf({ trouble, message }: AttemptError, target: Target): Failure {
  const { name, baseUrl } = target;
  const facts = { model: name, base_url: baseUrl, ...trouble };
  switch (trouble.kind) {
    case "refused-connection":
      return new Failure(
        "model-unreachable",
        `Cannot connect to the model server at ${baseUrl} (${message}). Check that it runs and that the address is right.`,
        facts,
      );
    case "dropped":
      return new Failure(
        "model-unreachable",
        `The connection to ${baseUrl} failed or ended early (${message}); no reply of ${name}.`,
        facts,
      );
    case "timeout":
      return new Failure(
        "model-unreachable",
        `No reply of ${name} from ${baseUrl} in time: ${message}. Allow more with --call-timeout.`,
        facts,
      );
    case "unusable":
      return new Failure(
        "model-unusable",
        `${baseUrl} does not speak the protocol of ${serviceName(target)}: it sent ${message}. Check the base URL${hintOf(target, (hint) => ` (${hint})`)}.`,
        facts,
      );
    case "redirected":
      return new Failure(
        "model-rejected",
        `${trouble.from} redirects requests for ${name} to ${trouble.to}, which is not followed because the key and the request would go to another server. Use the final address as ${target.urlFlag ?? "--base-url"}.`,
        facts,
      );
    case "status":
      return isTemporary(trouble)
        ? new Failure(
            "model-overloaded",
            `${name} did not answer: ${baseUrl} still returned status ${trouble.status} after the last attempt. Server response: ${message || "(empty)"}`,
            facts,
          )
        : new Failure(
            "model-rejected",
            `${name} refused the request: ${baseUrl} returned status ${trouble.status}. Server response: ${message || "(empty)"}${hint(trouble, message, target)}`,
            facts,
          );
  }
}

/** Gemini refuses a wrong key by status 400. */
const API_KEY = /\bapi key\b/i;

function hint({ status, spent, advice }: Refusal, message: string, target: Target): string {
  const { keyVariable } = target;
  if (advice !== undefined) return ` (${advice})`;
  if (spent && keyVariable !== null) return ` (the quota of the key in ${keyVariable} is used up)`;
  const isAboutKey = status === 400 && API_KEY.test(message);
  if ((status === 401 || status === 403 || isAboutKey) && keyVariable !== null)
    return ` (the key is read from ${keyVariable})`;
  if (status === 404)
    return ` (check the model's name${hintOf(target, (words) => ` and the base URL: ${words}`)})`;
  return "";
}

/** The service's hint about its addresses, put into words; empty if it has none. */
function hintOf(target: Target, inWords: (hint: string) => string): string {
  const { hint } = serviceOf(target).server;
  return hint === undefined ? "" : inWords(hint);
}
