import { randomUUID } from "node:crypto";
import type { MediaMemory } from "./media-memory.ts";
import { encoded } from "./media-support.ts";

/**
 * A body that undici's fetch reads piece by piece, from its beginning each time it is sent (again after a redirect).
 */
export type PiecedBody = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** A body, with the headers that go with it. */
export interface SentBody {
  body: string | PiecedBody;
  headers: Record<string, string>;
}

/**
 * The media of one request. A client writes a mark instead of each medium's base64. The marks are replaced by the bytes
 * while the body is sent, so that one medium at a time is in memory.
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

/** Bytes encoded at once: a multiple of 3, so that base64 of the pieces is base64 of the whole. */
const PIECE = 3 * 2 ** 16;

export function createMediaBody(
  { size, read }: MediaReader,
  memory: MediaMemory,
  signal: AbortSignal,
  /** Throws if a request may not have this many bytes of media. */
  check: (bytes: number) => void,
): MediaBody {
  let nonce: string | undefined;
  let failure: unknown;
  const held = new Set<() => void>();

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
    const release = await memory.hold(await size(hash), signal);
    held.add(release);
    try {
      const bytes = await read(hash);
      for (let at = 0; at < bytes.byteLength; at += PIECE) {
        const piece = bytes.subarray(at, at + PIECE);
        const view = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
        yield Buffer.from(view.toString("base64"), "latin1");
      }
    } finally {
      release();
      held.delete(release);
    }
  }

  const bodyOf = (parts: readonly string[]): PiecedBody => ({
    [Symbol.asyncIterator]: () => pieces(parts),
  });

  async function length(parts: readonly string[]): Promise<number> {
    let total = 0;
    let media = 0;
    for (const [i, part] of parts.entries()) {
      const bytes = i % 2 === 0 ? Buffer.byteLength(part) : await size(part);
      total += i % 2 === 0 ? bytes : encoded(bytes);
      media += i % 2 === 0 ? 0 : bytes;
    }
    check(media);
    return total;
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
        return { body: bodyOf(parts), headers: { "content-length": String(await length(parts)) } };
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
    if (typeof body === "string") return fetch(input, init);
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return fetch(input, { ...init, headers, ...piecedInit(body) });
  };
}
