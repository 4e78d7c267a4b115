import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { Failure } from "../../src/core/errors.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { createMediaMemory } from "../../src/models/media-memory.ts";
import { ask, BOTH, memoryStore, rig, VIDEO } from "./setup.ts";

const REPLIES = {
  openai: { choices: [{ finish_reason: "stop", message: { role: "assistant", content: "B" } }] },
  google: { candidates: [{ finishReason: "STOP", content: { parts: [{ text: "B" }] } }] },
};

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ url: string }> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const json = (response: ServerResponse, body: unknown) =>
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));

async function putBytes(
  store: ReturnType<typeof memoryStore>,
  bytes: Uint8Array,
  t_s: number,
): Promise<FrameRef> {
  const { hash } = await store.blobs.put(VIDEO, bytes, "jpg");
  return { hash, video: VIDEO, t_s, width: 640, height: 360 };
}

/** Bytes of any length, so that base64 ends in each of its ways: of a body made at once, and of one sent in pieces. */
const LENGTHS = {
  "few bytes": [1, 2, 3, 100_000],
  "many bytes": [1, 2, 3, 196_607, 196_608, 500_000],
};

for (const { protocol, model } of BOTH) {
  test.each(Object.entries(LENGTHS))(
    `${model}: %s of media arrive in a body of a stated length`,
    async (_, lengths) => {
      const seen: { headers: IncomingMessage["headers"]; body: string }[] = [];
      const server = await serve(async (request, response) => {
        seen.push({ headers: request.headers, body: await text(request) });
        json(response, REPLIES[protocol]);
      });
      const store = memoryStore();
      const files = lengths.map((length, i) => Buffer.alloc(length, i + 1));
      const frames = await Promise.all(files.map((file, i) => putBytes(store, file, i)));
      const { models } = rig(server, model, { store });
      const result = await models.call(
        ask([`${"é".repeat(40)} medium:0:${frames[0]?.hash}`, ...frames]),
      );
      expect(result).toMatchObject({ status: "replied", reply: { text: "B" } });
      const [{ headers, body } = { headers: {}, body: "" }] = seen;
      expect(headers["transfer-encoding"]).toBeUndefined();
      expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
      expect(() => JSON.parse(body)).not.toThrow();
      for (const file of files) expect(body).toContain(`${file.toString("base64")}"`);
      expect(body).toContain(`medium:0:${frames[0]?.hash}`);
    },
  );

  test(`${model}: a file that cannot be read while it is sent is named, and frees its memory`, async () => {
    const server = await serve(async (request, response) => {
      await text(request).catch(() => "");
      json(response, REPLIES[protocol]);
    });
    const store = memoryStore();
    const good = await putBytes(store, Buffer.alloc(300_000, 1), 0);
    const bad = await putBytes(store, Buffer.alloc(300_000, 2), 1);
    const { read } = store.blobs;
    let reads = 0;
    store.blobs.read = async (hash) => {
      // The first reading finds its size.
      if (hash === bad.hash && ++reads > 1)
        throw new Failure("store-damaged", "The blob has changed.", { hash });
      return read(hash);
    };
    const { models } = rig(server, model, { store, runtime: { media_memory_mb: 0.1 } });
    await expect(models.call(ask(["Which?", good, bad]))).rejects.toMatchObject({
      kind: "store-damaged",
    });
    expect(await models.call(ask(["Which?", good]))).toMatchObject({ status: "replied" });
  });

  test(`${model}: a connection that ends in the middle of a file frees its memory`, async () => {
    let requests = 0;
    const server = await serve(async (request, response) => {
      if (++requests <= 3) request.once("data", () => request.socket.destroy());
      else {
        await text(request);
        json(response, REPLIES[protocol]);
      }
    });
    const store = memoryStore();
    const frame = await putBytes(store, Buffer.alloc(4_000_000, 7), 0);
    const { models } = rig(server, model, { store, runtime: { media_memory_mb: 0.1 } });
    expect(await models.call(ask(["Which?", frame]))).toMatchObject({ status: "replied" });
    expect(requests).toBe(4);
  });
}

for (const { protocol, model } of BOTH)
  test(`${model}: a redirect within the server is sent the media again`, async () => {
    const bodies: string[] = [];
    const server = await serve(async (request, response) => {
      bodies.push(await text(request));
      if (bodies.length === 1) response.writeHead(307, { location: `/moved${request.url}` }).end();
      else json(response, REPLIES[protocol]);
    });
    const store = memoryStore();
    const file = Buffer.alloc(250_000, 9);
    const frame = await putBytes(store, file, 0);
    const { models } = rig(server, model, { store });
    expect(await models.call(ask(["Which?", frame]))).toMatchObject({ status: "replied" });
    expect(bodies.length).toBe(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(bodies[1]).toContain(file.toString("base64"));
  });

test("memory stays within the limit, except for one larger file, and no request waits forever", async () => {
  const requests = fc.array(
    fc.record({ bytes: fc.nat({ max: 150 }), ms: fc.nat({ max: 3 }), leaves: fc.boolean() }),
    { minLength: 1, maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(requests, async (all) => {
      const memory = createMediaMemory(100);
      let held = 0;
      let holders = 0;
      const outcomes = await Promise.all(
        all.map(async ({ bytes, ms, leaves }) => {
          const controller = new AbortController();
          if (leaves) setTimeout(() => controller.abort(new Error("left")), ms);
          try {
            const release = await memory.hold(bytes, controller.signal);
            held += bytes;
            holders++;
            expect(held <= 100 || held === bytes).toBe(true);
            await new Promise((resolve) => setTimeout(resolve, ms));
            held -= bytes;
            holders--;
            release();
            release();
            return "held";
          } catch (error) {
            if (!leaves) throw error;
            return "left";
          }
        }),
      );
      expect(outcomes.length).toBe(all.length);
      expect([held, holders]).toEqual([0, 0]);
    }),
    { numRuns: 30 },
  );
});
