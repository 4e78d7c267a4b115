import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch, request } from "undici";

/** A response whose body has not been read. */
export interface Received {
  status: number;
  statusText: string;
  /** Whoever receives it may change them. */
  headers: Headers;
  /** Decoded. */
  body: AsyncIterable<Uint8Array> | null;
  /** Ends the connection if the body has not been read to its end. */
  drop(): void;
}

type Init = RequestInit & { signal: AbortSignal };

/** Sends a request and does not follow a redirect. Throws as `fetch`. */
export type Send = (url: URL, init: Init) => Promise<Received>;

/** Sends requests over connections with these limits. */
export function createSend(limits: Agent.Options): Send {
  const dispatcher =
    process.env.NODE_USE_ENV_PROXY === "1" ? new EnvHttpProxyAgent(limits) : new Agent(limits);
  return (url, { body, ...init }) =>
    typeof body === "string" || body instanceof Uint8Array
      ? sendWhole(dispatcher, url, body, init)
      : sendAny(dispatcher, url, { ...init, ...(body == null ? {} : { body }) });
}

const DEFAULT_HEADERS = { accept: "*/*", "accept-encoding": "gzip, br", "user-agent": "undici" };

/** Without `fetch`, whose streams take half of the CPU time of a request with a short reply. */
async function sendWhole(
  dispatcher: Dispatcher,
  url: URL,
  body: string | Uint8Array,
  { method = "GET", signal, headers: given }: Init,
): Promise<Received> {
  signal.throwIfAborted();
  const headers = {
    ...DEFAULT_HEADERS,
    ...Object.fromEntries(given instanceof Headers ? given : new Headers(given)),
  };
  const sent = { dispatcher, method: method as Dispatcher.HttpMethod, headers, body, signal };
  const received = await request(url, sent).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : new TypeError("fetch failed", { cause: error });
  });
  const { statusCode: status, statusText } = received;
  const kept = new Headers();
  for (const [name, values] of Object.entries(received.headers))
    for (const value of [values ?? []].flat()) kept.append(name, value);
  // What fails after the body was dropped.
  received.body.on("error", () => undefined);
  const drop = () => void received.body.destroy();
  const encoding = NO_BODY.has(status) ? null : kept.get("content-encoding");
  return { status, statusText, headers: kept, body: decode(received.body, encoding), drop };
}

const NO_BODY = new Set([204, 205, 304]);

/** The most encodings of one body, one in another. */
const MOST_ENCODINGS = 5;

/** Reads what there is of a body whose end is missing, as curl does. */
const UNTIL_CUT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(UNTIL_CUT),
  "x-gzip": () => createGunzip(UNTIL_CUT),
  deflate: () => createInflate(UNTIL_CUT),
  br: () => createBrotliDecompress(),
};
/** The body without its encodings; as it is if one is unknown. */
function decode(body: Readable, encoding: string | null): Readable {
  if (encoding === null) return body;
  const names = encoding.toLowerCase().split(",").reverse();
  if (names.length > MOST_ENCODINGS)
    return body.destroy(new TypeError(`too many encodings of a body: ${names.length}`));
  const decoders = names.map((name) => DECODERS[name.trim()]);
  if (!decoders.every((decoder) => decoder !== undefined)) return body;
  return pipeline([body, ...decoders.map((create) => create())], () => {
    // Whoever reads the last one gets the error.
  }) as unknown as Readable;
}

/** Bodies in pieces, forms and the like. */
async function sendAny(dispatcher: Dispatcher, url: URL, init: Init): Promise<Received> {
  const stop = new AbortController();
  const signal = AbortSignal.any([init.signal, stop.signal]);
  // The two differ only in their types.
  const send = fetch as unknown as (url: URL, init: object) => Promise<Response>;
  const { status, statusText, headers, body } = await send(url, {
    ...{ ...init, signal, dispatcher },
    redirect: "manual",
  });
  return { status, statusText, headers: new Headers(headers), body, drop: () => stop.abort() };
}
