import { AttemptError, codeOf, unusable } from "./attempt.ts";
import { placeForLargeReply } from "./large-replies.ts";
import { checkShape, readBounded, tooLarge, tooManyHeaders } from "./reply-limits.ts";
import type { Received, Send } from "./send-request.ts";
import { storedResponse } from "./stored-response.ts";
import { secretsOf, type Target } from "./target.ts";

export type Fetch = typeof globalThis.fetch;

/** Redirects that repeat the request as it was. 303 would turn it into a GET. */
const REPEATED = new Set([301, 302, 307, 308]);
const MOST_REDIRECTS = 5;

/**
 * The fetch of all requests to a model server. It returns a reply once its body has arrived, so that the signal of the
 * request covers the body.
 * A redirect is followed within the same origin only: the key and the request go to no other server.
 * Throws `AttemptError` `redirected`, or `unusable` for a reply beyond `target.limits`.
 */
export function modelFetch(target: Pick<Target, "key" | "headers" | "limits">): Fetch {
  const { limits } = target;
  return async (input, init) => {
    const send = await connectionFor(limits.headerBytes, limits.bytes);
    const signal = init?.signal ?? new AbortController().signal;
    let release: (() => void) | null = null;
    let received: Received | undefined;
    let url = new URL(input instanceof Request ? input.url : input);
    try {
      for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
        received = await send(url, { ...init, signal });
        const next = redirectOf(received, url, target);
        if (next === null) {
          const body = await readBounded(received.body, limits, async () => {
            release = await placeForLargeReply(signal);
          });
          checkShape(body, limits);
          return replyOf(received, body);
        }
        received.drop();
        url = next;
      }
      throw unusable(`a redirect after ${MOST_REDIRECTS} others`);
    } catch (error) {
      received?.drop();
      const code = codeOf(error);
      if (code === "UND_ERR_HEADERS_OVERFLOW") throw tooManyHeaders(limits);
      if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") throw tooLarge(limits);
      throw error;
    } finally {
      // After the caller has parsed it.
      if (release !== null) setImmediate(release);
    }
  };
}

/** Senders by their limits: connections are kept and shared. */
const connections = new Map<string, Promise<Send>>();

/**
 * Undici's connections, which wait until the signal aborts: Node's own fetch gives up after 300 s without a byte, and a
 * large local model may think longer. Like Node's, it uses a proxy of the environment if NODE_USE_ENV_PROXY is set.
 */
function connectionFor(maxHeaderSize: number, maxResponseSize: number): Promise<Send> {
  const id = `${maxHeaderSize} ${maxResponseSize}`;
  const known = connections.get(id);
  if (known !== undefined) return known;
  // `maxResponseSize` counts the bytes on the wire, before they are decoded.
  const limits = { maxHeaderSize, maxResponseSize, headersTimeout: 0, bodyTimeout: 0 };
  const made = import("./send-request.ts").then(({ createSend }) => createSend(limits));
  connections.set(id, made);
  return made;
}

/** The address of a redirect; null if the reply is not a redirect that is followed. */
function redirectOf(response: Received, from: URL, target: Parameters<typeof modelFetch>[0]) {
  const location = response.headers.get("location");
  if (location === null || response.status < 300 || response.status > 399) return null;
  const to = URL.parse(location, from.href);
  if (to === null) throw unusable("a redirect without a readable address");
  checkOrigin(from, to, target);
  return REPEATED.has(response.status) ? to : null;
}

/** Throws `AttemptError` `redirected` for an address of another origin. */
export function checkOrigin(from: URL, to: URL, target: Pick<Target, "key" | "headers">): void {
  const [here, there] = [originOf(from), originOf(to)];
  if (here === there) return;
  const isSecret = secretsOf(target).some((secret) => there.includes(secret.toLowerCase()));
  const named = isSecret ? "another origin" : there.slice(0, 200);
  throw new AttemptError({ kind: "redirected", from: here, to: named }, `redirected to ${named}`);
}

/** `URL.origin` is "null" for anything that is not http. */
function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`.toLowerCase();
}

function replyOf({ status, statusText, headers }: Received, body: Uint8Array<ArrayBuffer>) {
  // The body is decoded.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return storedResponse(body, { status, statusText, headers });
}

/**
 * A fetch that sends further headers, and replaces those of the same names. They are added here, because LangChain
 * shows a client's configuration to its tracers.
 */
export function withHeaders(fetch: Fetch, more: Readonly<Record<string, string>>): Fetch {
  if (Object.keys(more).length === 0) return fetch;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}
