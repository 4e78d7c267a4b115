import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import type { MediaMemory } from "./media-memory.ts";
import { encoded } from "./media-support.ts";

/**
 * A body that undici's fetch reads piece by piece, from its beginning each time it is sent (again after a redirect).
 */
export type PiecedBody = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** A body, with the headers that go with it. */
export interface SentBody {
  body: string | Uint8Array<ArrayBuffer> | PiecedBody;
  headers: Record<string, string>;
}

/**
 * The media of one request. A client writes a mark instead of each medium's base64. The marks are replaced by the bytes
 * while the body is sent, so that one medium at a time is in memory; a small body is made at once.
 */
export interface MediaBody {
  /** The mark of a medium. No text of a request can contain it by chance or intent. */
  mark(hash: string): string;
  /** The body with base64 for marks. Throws what `size` and `check` throw. */
  fill(json: string): Promise<SentBody>;
  /** The error that stopped the reading of a medium while the body was sent; the failed fetch hides it. */
  failure(): unknown;
  /** Frees the memory of a body that was not sent to its end. */
  close(): void;
}

export interface MediaReader {
  /** Bytes of a medium. */
  size(hash: string): Promise<number>;
  read(hash: string): Promise<Uint8Array>;
}

/** Bytes of media up to which a body is made at once, in less CPU time. */
const SMALL = 2 ** 18;
/**
 * Small bodies that are made at the same time. Where many replies arrive together, those who came first send their next
 * request first; otherwise all would be sent when the last one is ready.
 */
const inTurn = pLimit(2);

/** Bytes encoded at once: a multiple of 3, so that base64 of the pieces is base64 of the whole. */
const PIECE = 3 * 2 ** 16;

export function createMediaBody(
  { size, read }: MediaReader,
  memory: MediaMemory,
  signal: AbortSignal,
  {
    check,
    atOnce,
  }: {
    /** Throws if a request may not have this many bytes of media. */
    check: (bytes: number) => void;
    /** Whether small bodies are made at once; not those that wait before they are sent. */
    atOnce: boolean;
  },
): MediaBody {
  let nonce: string | undefined;
  let failure: unknown;
  const held = new Set<() => void>();
  const sizes = new Map<string, Promise<number>>();

  function sizeOf(hash: string): Promise<number> {
    const known = sizes.get(hash) ?? size(hash);
    sizes.set(hash, known);
    return known;
  }

  async function* pieces(parts: readonly string[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      for (const [i, part] of parts.entries()) {
        if (i % 2 === 0) yield Buffer.from(part);
        else yield* base64Of(part);
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  async function* base64Of(hash: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const release = await memory.hold(await sizeOf(hash), signal);
    held.add(release);
    try {
      const bytes = await read(hash);
      for (let at = 0; at < bytes.byteLength; at += PIECE) {
        yield Buffer.from(base64(bytes.subarray(at, at + PIECE)), "latin1");
      }
    } finally {
      release();
      held.delete(release);
    }
  }

  const bodyOf = (parts: readonly string[]): PiecedBody => ({
    [Symbol.asyncIterator]: () => pieces(parts),
  });

  /** The whole body of a request with few bytes of media; null if it is sent in pieces. */
  async function small(parts: readonly string[], length: number): Promise<SentBody["body"] | null> {
    const bytes = sum(await Promise.all(hashesIn(parts).map(sizeOf)));
    if (!atOnce || bytes > SMALL) return null;
    return inTurn(async () => {
      const release = await memory.hold(bytes, signal);
      try {
        const media = await Promise.all(hashesIn(parts).map(read));
        const whole = Buffer.allocUnsafeSlow(length);
        let at = 0;
        for (const [i, part] of parts.entries()) {
          const medium = media[(i - 1) / 2];
          at +=
            medium === undefined
              ? whole.write(part, at)
              : whole.write(base64(medium), at, "latin1");
        }
        return at === length ? whole : null;
      } finally {
        release();
      }
    });
  }

  async function length(parts: readonly string[]): Promise<number> {
    const texts = parts.filter((_, i) => i % 2 === 0).map((text) => Buffer.byteLength(text));
    const media = await Promise.all(hashesIn(parts).map(sizeOf));
    check(sum(media));
    return sum(texts) + sum(media.map(encoded));
  }

  return {
    mark(hash) {
      nonce ??= randomUUID();
      return `medium:${nonce}:${hash}`;
    },
    async fill(json): Promise<SentBody> {
      if (nonce === undefined) return { body: json, headers: {} };
      // Texts at even places, hashes at odd ones.
      const parts = json.split(new RegExp(`medium:${nonce}:([0-9a-z]+)`));
      if (parts.length === 1) return { body: json, headers: {} };
      try {
        const bytes = await length(parts);
        const body = (await small(parts, bytes)) ?? bodyOf(parts);
        return { body, headers: { "content-length": String(bytes) } };
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    failure: () => failure,
    close() {
      for (const release of held) release();
    },
  };
}

export function isPieced(body: unknown): body is PiecedBody {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function hashesIn(parts: readonly string[]): string[] {
  return parts.filter((_, i) => i % 2 === 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** `body` as an option of fetch, whose types do not know undici's iterable bodies. */
export function piecedInit(body: PiecedBody): Pick<RequestInit, "body" | "duplex"> {
  return { body: body as unknown as ReadableStream, duplex: "half" };
}

/** A fetch that sends the media of a request instead of their marks. */
export function withMedia(
  fetch: typeof globalThis.fetch,
  fill: MediaBody["fill"],
): typeof globalThis.fetch {
  return async (input, init) => {
    if (typeof init?.body !== "string") return fetch(input, init);
    const { body, headers: more } = await fill(init.body);
    if (body === init.body) return fetch(input, init);
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return fetch(input, { ...init, headers, ...(isPieced(body) ? piecedInit(body) : { body }) });
  };
}
