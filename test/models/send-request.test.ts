import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { modelFetch } from "../../src/models/model-fetch.ts";

/* A server whose replies are encoded as their path says, one encoding in another. */

const ENCODERS: Record<string, (body: Uint8Array) => Uint8Array> = {
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body),
};
const TEXT = '\ufeff{"grüße": 1}';

const server = createServer((request, response) => {
  const encodings = (request.url ?? "/").slice(1).split(",").filter(Boolean);
  const body = encodings.reduce<Uint8Array>(
    (bytes, name) => ENCODERS[name]?.(bytes) ?? bytes,
    Buffer.from(TEXT),
  );
  const named = encodings.length === 0 ? {} : { "content-encoding": encodings.join(", ") };
  response.writeHead(200, { "content-type": "application/json", "x-two": ["a", "b"], ...named });
  response.end(body);
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
const { port } = server.address() as AddressInfo;

const limits = { headerBytes: 16_384, bytes: 2 ** 20 };
const send = modelFetch({ key: null, headers: {}, limits } as never);
const post = (path: string) =>
  send(`http://127.0.0.1:${port}/${path}`, { method: "POST", body: "{}" });

test.each(["", "gzip", "deflate", "br", "gzip,br", "unknown"])(
  "a reply encoded as %j is read",
  async (path) => {
    const response = await post(path);
    expect(response.headers.get("x-two")).toBe("a, b");
    expect(await response.text()).toBe(TEXT.slice(1));
    // The body can be read again, as each kind.
    expect(await response.json()).toEqual({ grüße: 1 });
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(TEXT);
    expect(await new Response(response.body).text()).toBe(TEXT.slice(1));
  },
);

test("a reply with six encodings is refused", async () => {
  await expect(post("gzip,gzip,gzip,gzip,gzip,gzip")).rejects.toThrow("too many encodings");
});

test("a request that is aborted ends with the reason of its signal", async () => {
  const stop = new AbortController();
  const sent = send(`http://127.0.0.1:${port}/`, {
    method: "POST",
    body: "{}",
    signal: stop.signal,
  });
  const reason = new Error("enough");
  stop.abort(reason);
  await expect(sent).rejects.toBe(reason);
});
