import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UploadView } from "../../../src/app/service/api.ts";
import { DEFAULT_TIMEOUTS } from "../../../src/app/service/options.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

let rig: Rig;
let bytes: Buffer;

beforeAll(async () => {
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  bytes = await readFile(file);
  const timeouts = {
    ...DEFAULT_TIMEOUTS,
    idle_ms: 400,
    slow_after_ms: 500,
    min_rate: 1000,
    json_ms: 400,
  };
  rig = await startRig({ timeouts, hosts: ["localhost", "127.0.0.1", "[::1]"] });
});
afterAll(() => rig.stop());

const post = (body: Buffer | string, name = "a.mp4") =>
  fetch(`${rig.url}/api/v1/videos`, {
    method: "POST",
    headers: {
      "x-file-name": encodeURIComponent(name),
      "content-type": "application/octet-stream",
    },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const files = async () =>
  (await readdir(rig.data, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith("store.db"))
    .map((entry) => entry.name);

/** Sends raw text and returns everything received until the connection closes. */
function raw(text: string, { every_ms = 0 } = {}): Promise<{ text: string; ms: number }> {
  const began = performance.now();
  return new Promise((done) => {
    const socket = connect(Number(new URL(rig.url).port), "127.0.0.1");
    let heard = "";
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearInterval(timer);
      socket.destroy();
      done({ text: heard, ms: performance.now() - began });
    };
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.once("close", end).once("error", end);
    socket.write(text);
    if (every_ms > 0) timer = setInterval(() => socket.write("x"), every_ms);
    setTimeout(end, 8_000);
  });
}

test.each([
  [
    "an HLS playlist",
    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
  ],
  ["a concat script", "ffconcat version 1.0\nfile /etc/passwd\n"],
  [
    "a DASH manifest",
    '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"/>',
  ],
  [
    "a session description",
    "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5000 RTP/AVP 96\n",
  ],
  ["a shell script", "#!/bin/sh\nrm -rf /\n"],
  ["a page", "<!doctype html><script>alert(1)</script>"],
  ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ["subtitles alone", "1\n00:00:00,000 --> 00:00:01,000\nhello\n"],
  ["a gzip archive", gzipSync("x".repeat(5000))],
  ["a zip archive", Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(400, 7)])],
  ["an empty file's neighbour", Buffer.alloc(1)],
  ["a video without its head", "bytes"],
])("%s is refused by its content under any name, and leaves nothing behind", async (what, body) => {
  const before = await files();
  const content = what === "a video without its head" ? bytes.subarray(500) : body;
  const answer = await post(content, "../../harmless.mp4");
  const problem = (await answer.json()) as { detail: string };
  expect([what, answer.status]).toEqual([what, 415]);
  expect(problem.detail).toContain("../../harmless.mp4");
  expect(problem.detail).not.toContain(rig.data);
  expect(await files()).toEqual(before);
});

test("external names are shown as text and reach neither the disk nor a header", async () => {
  for (const name of [
    "../../../etc/passwd",
    "a\u0000b.mp4",
    "CON",
    "<script>alert(1)</script>.mp4",
    "ü".repeat(300),
  ]) {
    const answer = await post(bytes, name);
    const video = (await answer.json()) as { id: string; name: string };
    expect([answer.status, video.name]).toEqual([201, name.slice(0, 300)]);
    expect(await files()).toContain(video.id);
    expect((await files()).join()).not.toMatch(/passwd|CON|script|ü/);
    await rig.json(204, "DELETE", `/api/v1/videos/${video.id}`);
  }
  expect((await post(bytes, "%").then((answer) => answer)).status).toBe(201);
  const broken = await fetch(`${rig.url}/api/v1/videos`, {
    method: "POST",
    headers: { "x-file-name": "%" },
    body: "x",
  });
  expect([broken.status, ((await broken.json()) as { kind: string }).kind]).toEqual([
    400,
    "wrong-name",
  ]);
});

test("no path of a request reaches the disk", async () => {
  const hidden = [
    "..%2f..%2fstore.db",
    "%2e%2e%2f%2e%2e%2fstore.db",
    "..\\..\\store.db",
    "%00",
    "....//store.db",
    "store.db",
  ];
  for (const path of hidden.flatMap((name) => [
    `/assets/${name}`,
    `/reports/${name}`,
    `/api/v1/frames/${name}`,
    `/api/v1/videos/${name}`,
    `/api/v1/videos/${name}/media`,
    `/api/v1/uploads/${name}`,
  ])) {
    const heard = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect([path, heard.text.slice(9, 12)]).toEqual([path, expect.stringMatching(/40[04]|422/)]);
    expect(heard.text).not.toContain("SQLite");
  }
});

test("every answer forbids scripts, framing and guessing of types", async () => {
  for (const path of ["/", "/docs", "/api/v1/videos", "/nowhere", "/openapi.json"]) {
    const { headers } = await rig.send("GET", path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*'unsafe/);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("a client that sends nothing, or one byte at a time, is disconnected", async () => {
  const { id } = await rig.json<UploadView>(201, "POST", "/api/v1/uploads", {
    name: "x",
    size: 100_000,
  });
  const head = (length: string) =>
    `PATCH /api/v1/uploads/${id} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes 0-99999/100000\r\n${length}\r\n\r\n`;
  const silent = await raw(head("Content-Length: 100000"));
  expect(silent.text).toContain(" 408 ");
  expect(silent.ms).toBeLessThan(4_000);
  const { offset } = await rig.json<UploadView>(200, "GET", `/api/v1/uploads/${id}`);
  expect(offset).toBe(0);
  const drip = await raw(head("Content-Length: 100000"), { every_ms: 50 });
  expect(drip.text).toContain(" 408 ");
  expect(drip.ms).toBeLessThan(6_000);
  const json = await raw(
    "POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
    { every_ms: 100 },
  );
  expect(json.text).toContain(" 408 ");
  await rig.json(204, "DELETE", `/api/v1/uploads/${id}`);
});

test("a body above its limit is refused", async () => {
  const big = JSON.stringify({ name: "x".repeat(2_000_000), size: 1 });
  const announced = await rig.send("POST", "/api/v1/uploads", big);
  expect(announced.status).toBe(413);
  const chunked = await fetch(`${rig.url}/api/v1/uploads`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Blob([big]).stream(),
    duplex: "half",
  } as RequestInit);
  expect(chunked.status).toBe(413);
  const deep = await rig.send("POST", "/api/v1/uploads", `{"name":${nested(200_000)},"size":1}`);
  expect(deep.status).toBe(422);
  expect((await rig.send("POST", "/api/v1/uploads", "{broken")).status).toBe(400);
});

test.each([
  [
    "a setting nested 100,000 deep",
    `{"text":"x","settings":{"model":${nested(100_000)}}}`,
    "too-deep",
  ],
  [
    "a budget nested 20,000 deep",
    `{"text":"x","settings":{"budget":{"calls":${nested(20_000)}}}}`,
    "too-deep",
  ],
  [
    "objects nested deep",
    `{"text":"x","settings":${'{"a":'.repeat(9999)}1${"}".repeat(9999)}}`,
    "too-deep",
  ],
  [
    "many values",
    `{"text":"x","settings":{"model":[${"{},".repeat(300_000)}{}]}}`,
    "too-many-values",
  ],
  ["__proto__ as a setting", '{"text":"x","settings":{"__proto__":{"calls":1}}}', "wrong-request"],
  [
    "an escaped __proto__",
    '{"text":"x","settings":{"\\u005f_proto__":{"calls":1}}}',
    "wrong-request",
  ],
  [
    "__proto__ in a group",
    '{"text":"x","settings":{"budget":{"__proto__":{"calls":1}}}}',
    "wrong-request",
  ],
])("%s is refused in one sentence", async (_what, body, kind) => {
  const { id } = (await (await post(bytes)).json()) as { id: string };
  const refused = await rig.send("POST", `/api/v1/videos/${id}/questions`, body);
  expect([refused.status, await refused.json()]).toEqual([422, expect.objectContaining({ kind })]);
  await rig.json(204, "DELETE", `/api/v1/videos/${id}`);
});

test("a client that is still sending can read why it was refused", async () => {
  const full = await startRig({ quota: 1000 });
  const size = 24 * 2 ** 20;
  const heard = await new Promise<string>((done, failed) => {
    const socket = connect(Number(new URL(full.url).port), "127.0.0.1");
    let text = "";
    socket.once("error", failed);
    socket.write(
      `POST /api/v1/videos HTTP/1.1\r\nHost: localhost\r\nX-File-Name: a.mp4\r\nContent-Length: ${size}\r\n\r\n`,
    );
    // Like slow clients that read nothing before they have sent everything.
    let left = size;
    const timer = setInterval(() => {
      const part = Math.min(left, 2 ** 20);
      left -= part;
      socket.write(Buffer.alloc(part));
      if (left > 0) return;
      clearInterval(timer);
      socket.on("data", (chunk) => {
        text += chunk;
        if (text.includes("quota")) {
          socket.destroy();
          done(text);
        }
      });
    }, 50);
  });
  expect(heard).toMatch(/^HTTP\/1\.1 507 /);
  await full.stop();
});

test("a body that is shorter than announced leaves nothing behind", async () => {
  const before = await files();
  await raw(
    "POST /api/v1/videos HTTP/1.1\r\nHost: localhost\r\nX-File-Name: a.mp4\r\nContent-Length: 5000\r\n\r\nshort",
  );
  await expect.poll(files, { timeout: 5_000 }).toEqual(before);
});

test("URLs are fetched only from allowed hosts, and never from internal addresses", async () => {
  const fetchIt = (url: string) =>
    rig.json<{ kind: string }>(403, "POST", "/api/v1/videos/from-url", { url });
  expect((await fetchIt("http://example.org/a.mp4")).kind).toBe("host-not-allowed");
  const { port } = new URL(rig.url);
  for (const host of ["localhost", "127.0.0.1", "[::1]", "2130706433", "127.1", "0x7f.1"])
    expect([host, (await fetchIt(`http://${host}:${port}/healthz`)).kind]).toEqual([
      host,
      "address-not-allowed",
    ]);
  for (const url of ["file:///etc/passwd", "gopher://x", "http://ann:secret@localhost/", "no url"])
    await rig.json(400, "POST", "/api/v1/videos/from-url", { url });
  const none = await startRig();
  expect(
    await none.json(403, "POST", "/api/v1/videos/from-url", { url: "http://example.org/" }),
  ).toMatchObject({
    kind: "host-not-allowed",
  });
  await none.stop();
});
