import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { closeIdleConnections } from "../../../src/app/service/idle-connections.ts";

const IDLE_MS = 200;
const LONG_MS = 700;
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler);
  closeIdleConnections(server, IDLE_MS);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends bytes and reads whatever comes until the connection is closed. */
async function exchange(port: number, bytes: string) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  ends.push(() => socket.destroy());
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.write(bytes);
  const began = performance.now();
  await once(socket, "close");
  return { text, ms: performance.now() - began };
}

const slow: RequestListener = async (request, response) => {
  request.resume();
  await once(request, "end").catch(() => {}); // the client may be gone
  await wait(LONG_MS);
  response.end("done");
};

test("a client that has sent its request gets the response, however long it takes", async () => {
  const port = await listen(slow);
  const sent = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "x".repeat(1000) });
  expect([sent.status, await sent.text()]).toEqual([200, "done"]);
  const whole = await exchange(port, GET.replace("Host", "Connection: close\r\nHost"));
  expect(whole.text).toMatch(/\r\n\r\ndone$/);
  expect(whole.ms).toBeGreaterThan(LONG_MS);
});

test("a client that stops sending is disconnected", async () => {
  const port = await listen(slow);
  const { text, ms } = await exchange(
    port,
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
  );
  expect(text).toBe("");
  expect(ms).toBeGreaterThanOrEqual(IDLE_MS - 5);
  expect(ms).toBeLessThan(LONG_MS);
  expect((await exchange(port, "")).ms).toBeLessThan(LONG_MS);
});

test.each([
  ["", ""],
  [", with its next request sent already", GET],
])("a client that stops reading a response is disconnected%s", async (_what, more) => {
  let gone = () => {};
  const closed = new Promise<void>((done) => {
    gone = done;
  });
  const port = await listen((request, response) => {
    request.socket.once("close", gone);
    response.write(Buffer.alloc(32 * 2 ** 20));
  });
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  ends.push(() => socket.destroy());
  socket.pause();
  socket.write(`${GET}${more}`);
  await closed;
});
