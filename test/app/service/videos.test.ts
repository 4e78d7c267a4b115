import { existsSync } from "node:fs";
import { readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { UploadView } from "../../../src/app/service/api.ts";
import { DEFAULT_TIMEOUTS } from "../../../src/app/service/options.ts";
import { findPrograms } from "../../../src/media/find-ffmpeg.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

let rig: Rig;
let file: string;
let bytes: Buffer;

beforeAll(async () => {
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  bytes = await readFile(file);
  rig = await startRig({ upload_limit: 1_000_000, quota: 3_000_000 });
});
afterAll(() => rig.stop());

const part = (id: string, first: number, last: number, body = bytes.subarray(first, last + 1)) =>
  fetch(`${rig.url}/api/v1/uploads/${id}`, {
    method: "PATCH",
    headers: {
      "content-type": "application/octet-stream",
      "content-range": `bytes ${first}-${last}/${bytes.length}`,
    },
    body: new Uint8Array(body),
  });
const begin = (size = bytes.length, name = "tea.mp4") =>
  rig.json<UploadView>(201, "POST", "/api/v1/uploads", { name, size });
const left = async () => (await readdir(join(rig.data, "uploads"))).length;

test("an upload in parts resumes and becomes a video when it is complete", async () => {
  const { id } = await begin();
  const third = Math.floor(bytes.length / 3);
  expect(await (await part(id, 0, third - 1)).json()).toEqual({
    id,
    offset: third,
    size: bytes.length,
    video: null,
  });
  const wrong = await part(id, 2 * third, bytes.length - 1);
  expect([wrong.status, await wrong.json()]).toEqual([
    409,
    expect.objectContaining({ kind: "wrong-offset", offset: third, status: 409 }),
  ]);
  expect(await rig.json(200, "GET", `/api/v1/uploads/${id}`)).toMatchObject({ offset: third });
  const last = (await (await part(id, third, bytes.length - 1)).json()) as UploadView;
  expect(last).toMatchObject({
    offset: bytes.length,
    video: { id, name: "tea.mp4", width: 320, height: 240, size: bytes.length, questions: 0 },
  });
  expect(last.video?.duration_s).toBeCloseTo(5.2, 1);
  expect((await rig.videos())[0]).toEqual(last.video);
  expect((await part(id, 0, 9)).status).toBe(409);
  await rig.json(204, "DELETE", `/api/v1/videos/${id}`);
});

test("a part that is cut off keeps the received bytes, and the rest follows", async () => {
  const { id } = await begin();
  const half = bytes.length >> 1;
  const stop = new AbortController();
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, half));
      setTimeout(() => stop.abort(), 300);
    },
  });
  await fetch(`${rig.url}/api/v1/uploads/${id}`, {
    method: "PATCH",
    headers: {
      "content-type": "application/octet-stream",
      "content-range": `bytes 0-${bytes.length - 1}/${bytes.length}`,
    },
    body,
    duplex: "half",
    signal: stop.signal,
  } as RequestInit).catch(() => undefined);
  const offset = async () =>
    (await rig.json<UploadView>(200, "GET", `/api/v1/uploads/${id}`)).offset;
  await expect.poll(offset, { timeout: 10_000 }).toBe(half);
  // Until the service has seen that the first connection is gone, the upload is busy.
  const rest = async () => (await part(id, half, bytes.length - 1)).status;
  await expect.poll(rest, { timeout: 10_000 }).toBe(200);
  expect(await rig.json(200, "GET", `/api/v1/uploads/${id}`)).toMatchObject({ video: { id } });
  await rig.json(204, "DELETE", `/api/v1/videos/${id}`);
});

test("delete removes the file, its rows and everything derived; a copy of the same bytes stays complete", async () => {
  const before = await left();
  const one = await rig.upload(file);
  const two = await rig.upload(file, "copy.mp4");
  const asked = await rig.ask(one.id, { text: "What is shown?" });
  await rig.ended(asked.id);
  const picture = await rig.send("GET", `/api/v1/videos/${two.id}/thumbnail?t_s=1`);
  expect(picture.headers.get("content-type")).toBe("image/jpeg");
  expect((await sharp(await picture.arrayBuffer()).metadata()).width).toBe(320);
  expect(await rig.json(200, "GET", `/api/v1/videos/${one.id}`)).toMatchObject({ questions: 1 });
  await rig.json(204, "DELETE", `/api/v1/videos/${one.id}`);
  await rig.json(404, "GET", `/api/v1/videos/${one.id}`);
  await rig.json(404, "GET", `/api/v1/questions/${asked.id}`);
  expect((await rig.send("GET", `/api/v1/videos/${two.id}/thumbnail?t_s=1`)).status).toBe(200);
  expect(await readdir(join(rig.data, "derived"))).toHaveLength(1);
  await rig.json(204, "DELETE", `/api/v1/videos/${two.id}`);
  expect(await left()).toBe(before);
  expect(await readdir(join(rig.data, "derived"))).toEqual([]);
  const blobs = await readdir(join(rig.data, "blobs"), { recursive: true, withFileTypes: true });
  expect(blobs.filter((entry) => entry.isFile())).toEqual([]);
});

test("a file is streamed whole, by ranges, or refused with 416", async () => {
  const { id } = await rig.upload(file);
  const get = (range?: string) =>
    fetch(
      `${rig.url}/api/v1/videos/${id}/media`,
      range === undefined ? {} : { headers: { range } },
    );
  const whole = await get();
  expect([
    whole.status,
    whole.headers.get("content-type"),
    whole.headers.get("accept-ranges"),
  ]).toEqual([200, "video/mp4", "bytes"]);
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  for (const [range, first, last] of [
    ["bytes=0-99", 0, 99],
    ["bytes=100-", 100, bytes.length - 1],
    ["bytes=-50", bytes.length - 50, bytes.length - 1],
    [`bytes=10-${bytes.length + 500}`, 10, bytes.length - 1],
  ] as const) {
    const some = await get(range);
    expect([some.status, some.headers.get("content-range")]).toEqual([
      206,
      `bytes ${first}-${last}/${bytes.length}`,
    ]);
    expect(Buffer.from(await some.arrayBuffer()).equals(bytes.subarray(first, last + 1))).toBe(
      true,
    );
  }
  for (const range of [`bytes=${bytes.length}-`, "bytes=-0"]) {
    const none = await get(range);
    expect([none.status, none.headers.get("content-range")]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
  }
  for (const range of ["bytes=0-1,5-9", "lines=1-2", "bytes=9-1"])
    expect((await get(range)).status).toBe(200);
  const head = await fetch(`${rig.url}/api/v1/videos/${id}/media`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  await rig.json(204, "DELETE", `/api/v1/videos/${id}`);
});

test("an upload above the size limit or the quota is refused before it is sent", async () => {
  expect(
    await rig.json(413, "POST", "/api/v1/uploads", { name: "x", size: 1_000_001 }),
  ).toMatchObject({
    kind: "too-large",
  });
  const at_once = await Promise.all(
    Array.from({ length: 8 }, () =>
      rig.send("POST", "/api/v1/uploads", { name: "x", size: 900_000 }),
    ),
  );
  expect(at_once.map(({ status }) => status).sort()).toEqual([
    201,
    201,
    201,
    ...Array(5).fill(507),
  ]);
  const held = (await Promise.all(
    at_once.filter(({ ok }) => ok).map((response) => response.json()),
  )) as UploadView[];
  expect(
    await rig.json(507, "POST", "/api/v1/uploads", { name: "x", size: 900_000 }),
  ).toMatchObject({
    kind: "quota",
    title: "Insufficient Storage",
  });
  for (const { id } of held) await rig.json(204, "DELETE", `/api/v1/uploads/${id}`);
  await begin(900_000).then(({ id }) => rig.json(204, "DELETE", `/api/v1/uploads/${id}`));
});

test.each([
  ["a body shorter than its range", 0, 99, 50],
  ["a body longer than its range", 0, 99, 150],
])("%s is refused, whatever Content-Range says", async (_what, first, last, sent) => {
  const { id } = await begin();
  const answer = await part(id, first, last, bytes.subarray(0, sent));
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ kind: "wrong-range" }),
  ]);
  expect(await rig.json(200, "GET", `/api/v1/uploads/${id}`)).toMatchObject({ offset: 0 });
  await rig.json(204, "DELETE", `/api/v1/uploads/${id}`);
});

test("actual bytes count if none are announced: a longer upload is truncated", async () => {
  const { id } = await begin(100);
  const answer = await fetch(`${rig.url}/api/v1/uploads/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/octet-stream", "content-range": "bytes 0-99/100" },
    body: new ReadableStream({
      start(controller) {
        for (let i = 0; i < 20; i++) controller.enqueue(bytes.subarray(0, 4096));
        controller.close();
      },
    }),
    duplex: "half",
  } as RequestInit);
  expect([answer.status, await answer.json()]).toEqual([
    413,
    expect.objectContaining({ kind: "too-large" }),
  ]);
  expect(await rig.json(200, "GET", `/api/v1/uploads/${id}`)).toMatchObject({ offset: 0 });
  await rig.json(204, "DELETE", `/api/v1/uploads/${id}`);
});

test("uploads without a length reserve the space that they may fill", async () => {
  const small = await startRig({ upload_limit: 1_000_000, quota: 2_000_000 });
  const bodies: ReadableStreamDefaultController[] = [];
  const sent = Array.from({ length: 3 }, () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.subarray(0, 1000));
        bodies.push(controller);
      },
    });
    const headers = { "content-type": "application/octet-stream", "x-file-name": "part.mp4" };
    const asked = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    return fetch(`${small.url}/api/v1/videos`, asked);
  });
  // Two uploads use the whole quota and wait for more bytes.
  const first = await Promise.race(sent);
  expect([first.status, await first.json()]).toEqual([
    507,
    expect.objectContaining({ kind: "quota" }),
  ]);
  for (const body of bodies) body.close();
  const ended = await Promise.all(sent);
  expect(ended.map(({ status }) => status).sort()).toEqual([415, 415, 507]);
  expect(await small.json(200, "GET", "/api/v1/service")).toMatchObject({ limits: { used: 0 } });
  await small.stop();
});

test("an abandoned upload is removed, and a half-removed one at the next start", async () => {
  const data = await tempFolder();
  const first = await startRig({ data });
  const { id } = await first.json<UploadView>(201, "POST", "/api/v1/uploads", {
    name: "x",
    size: 9,
  });
  const { id: kept } = await first.json<UploadView>(201, "POST", "/api/v1/uploads", {
    name: "y",
    size: 9,
  });
  await first.stop();
  const old = new Date(Date.now() - 100_000);
  await utimes(join(data, "uploads", id, id), old, old);
  const again = await startRig({ data, timeouts: { ...DEFAULT_TIMEOUTS, abandoned_ms: 50_000 } });
  await again.json(404, "GET", `/api/v1/uploads/${id}`);
  await again.json(200, "GET", `/api/v1/uploads/${kept}`);
  expect(existsSync(join(data, "uploads", id))).toBe(false);
  expect((await stat(join(data, "uploads", kept, kept))).size).toBe(0);
  await again.stop();
});

test.skipIf(process.platform === "win32")(
  "an upload whose inspection somebody interrupts is inspected at the next start",
  async () => {
    const programs = await tempFolder();
    const started = join(programs, "pid");
    await symlink(findPrograms().ffmpeg, join(programs, "ffmpeg"));
    const waiting = `#!/bin/sh\necho $$ >"${started}.new" && mv "${started}.new" "${started}"\nexec sleep 60\n`;
    await writeFile(join(programs, "ffprobe"), waiting, { mode: 0o755 });
    const data = await tempFolder();
    const first = await startRig({ data });
    const size = bytes.length;
    const { id } = await first.json<UploadView>(201, "POST", "/api/v1/uploads", {
      name: "x",
      size,
    });
    const path = `/api/v1/uploads/${id}`;
    vi.stubEnv("FFMPEG_PATH", programs);
    const sent = fetch(`${first.url}${path}`, {
      method: "PATCH",
      headers: { "content-range": `bytes 0-${size - 1}/${size}` },
      body: new Uint8Array(bytes),
    });
    process.kill(Number(await vi.waitFor(() => readFile(started, "utf8"), 10_000)), "SIGTERM");
    const answer = await sent;
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ kind: "cancelled", detail: expect.stringContaining('"x"') }),
    ]);
    expect(await first.json(200, "GET", path)).toMatchObject({ offset: size, video: null });
    await first.stop();
    vi.unstubAllEnvs();
    const again = await startRig({ data });
    const found = () => again.json<UploadView>(200, "GET", path);
    await expect.poll(async () => (await found()).video?.name, { timeout: 10_000 }).toBe("x");
    await again.stop();
  },
);

test("frames are served only to the owner of their video and under no other name", async () => {
  const { id } = await rig.upload(file);
  expect((await rig.send("GET", `/api/v1/frames/${"a".repeat(64)}`)).status).toBe(404);
  expect((await rig.send("GET", "/api/v1/frames/..%2f..%2fstore.db")).status).toBe(422);
  await rig.json(204, "DELETE", `/api/v1/videos/${id}`);
});
