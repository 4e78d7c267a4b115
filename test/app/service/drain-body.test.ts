import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { drainBody } from "../../../src/app/service/drain-body.ts";

const BYTES = 32 * 2 ** 20;

/** Sends a body, whole or without its end, in a thread, and posts what fetch makes of the response. */
const CLIENT = `
const { parentPort, workerData } = require("node:worker_threads");
const { url, bytes, sends } = workerData;
const body = new ReadableStream({
  start(controller) {
    controller.enqueue(new Uint8Array(sends));
    if (sends === bytes) controller.close();
  },
});
const headers = { "content-length": String(bytes) };
fetch(url, { method: "POST", body, headers, duplex: "half" })
  .then(async (response) => parentPort.postMessage([response.status, await response.text()]))
  .catch((error) => parentPort.postMessage(String(error)));
`;

/** Refuses a body after it was drained, in a process that cannot read for longer than a body may be idle. */
async function refused(sends: number): Promise<{ seen: unknown; isComplete: boolean }> {
  const ended = Promise.withResolvers<boolean>();
  const server = createServer(async (incoming, outgoing) => {
    const draining = drainBody(incoming);
    incoming.once("data", () =>
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)),
    );
    await draining;
    ended.resolve(incoming.complete);
    outgoing.writeHead(507, { connection: "close" }).end("no space");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Worker(CLIENT, { eval: true, workerData: { url, bytes: BYTES, sends } });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await client.terminate();
  });
  const said = once(client, "message");
  const isComplete = await ended.promise;
  const [seen] = sends === BYTES ? await said : [null];
  return { seen, isComplete };
}

test("a body that arrives while the process is busy is drained, and the client gets the response", async () => {
  expect(await refused(BYTES)).toEqual({ seen: [507, "no space"], isComplete: true });
});

test("a body whose end does not come is waited for only briefly", async () => {
  expect(await refused(BYTES / 2)).toEqual({ seen: null, isComplete: false });
});
