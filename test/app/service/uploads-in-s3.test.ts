import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { UploadView } from "../../../src/app/service/api.ts";
import { setBlobPlace } from "../../../src/storage/blobs/blob-place.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

let s3: S3Server;
let rig: Rig;
let bytes: Buffer;

beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "ann");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  s3 = await startS3Server({ bucket: "films" });
  setBlobPlace({ blobs: "s3://films/x", blobsEndpoint: s3.url });
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  bytes = await readFile(file);
  rig = await startRig();
});
afterAll(async () => {
  await rig.stop();
  setBlobPlace({});
  vi.unstubAllEnvs();
  await s3.close();
});

const part = (id: string, first: number, last: number) =>
  fetch(`${rig.url}/api/v1/uploads/${id}`, {
    method: "PATCH",
    headers: {
      "content-type": "application/octet-stream",
      "content-range": `bytes ${first}-${last}/${bytes.length}`,
    },
    body: new Uint8Array(bytes.subarray(first, last + 1)),
  });
const media = (id: string, range: string) =>
  fetch(`${rig.url}/api/v1/videos/${id}/media`, { headers: range === "" ? {} : { range } });
const subtitles = (id: string) => rig.json<object>(200, "GET", `/api/v1/videos/${id}/subtitles`);

test("an upload in parts is kept in the bucket, streamed from there, and goes with its video", async () => {
  const upload = { name: "tea.mp4", size: bytes.length };
  const { id } = await rig.json<UploadView>(201, "POST", "/api/v1/uploads", upload);
  const third = Math.floor(bytes.length / 3);
  await part(id, 0, third - 1);
  const offset = { offset: 2 * third };
  expect(await (await part(id, third, 2 * third - 1)).json()).toMatchObject(offset);
  expect((await part(id, third, third + 9)).status).toBe(409);
  // The chunks do not need this machine.
  for (const folder of ["uploads", "blob-cache"])
    await rm(join(rig.data, folder, folder === "uploads" ? id : ""), { recursive: true });
  expect(await rig.json(200, "GET", `/api/v1/uploads/${id}`)).toMatchObject(offset);
  const last = (await (await part(id, 2 * third, bytes.length - 1)).json()) as UploadView;
  expect(last).toMatchObject({ offset: bytes.length, video: { width: 320 } });
  const sizes = () => [...s3.objects.values()].map(({ body }) => body.length);
  expect(sizes().filter((size) => size >= third)).toEqual([bytes.length]);
  const used = await rig.json<{ limits: { used: number } }>(200, "GET", "/api/v1/service");
  expect(used.limits.used).toBeLessThan(1.5 * bytes.length);

  const cue = "1\n00:00:00,000 --> 00:00:01,000\nHello\n";
  const put = await fetch(`${rig.url}/api/v1/videos/${id}/subtitles`, {
    method: "PUT",
    headers: { "x-file-name": "a.srt", "content-type": "application/octet-stream" },
    body: cue,
  });
  expect(put.status).toBe(200);

  // As on another machine.
  for (const folder of ["uploads", "blob-cache"])
    await rm(join(rig.data, folder), { recursive: true });
  s3.fail(({ method, key }) =>
    method === "GET" && key !== "" && Math.random() < 0.3 ? { kind: "cut" } : undefined,
  );
  for (const [range, status, from, to] of [
    ["", 200, 0, bytes.length],
    ["bytes=5-9", 206, 5, 10],
    ["bytes=-7", 206, bytes.length - 7, bytes.length],
    [`bytes=${third}-`, 206, third, bytes.length],
  ] as const) {
    const reply = await media(id, range);
    const length = String(to - from);
    expect([reply.status, reply.headers.get("content-length")]).toEqual([status, length]);
    const shown = status === 206 ? `bytes ${from}-${to - 1}/${bytes.length}` : null;
    expect(reply.headers.get("content-range")).toBe(shown);
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(from, to))).toBe(true);
  }
  expect((await media(id, `bytes=${bytes.length}-`)).status).toBe(416);
  expect(existsSync(join(rig.data, "blob-cache"))).toBe(false);
  expect(await subtitles(id)).toMatchObject({ uploaded: true, cues: 1 });
  const frame = await fetch(`${rig.url}/api/v1/videos/${id}/thumbnail?t_s=1`);
  expect([frame.status, frame.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  await rig.json(204, "DELETE", `/api/v1/videos/${id}/subtitles`);
  expect(await subtitles(id)).toMatchObject({ uploaded: false });
  s3.fail(() => undefined);

  await rig.json(204, "DELETE", `/api/v1/videos/${id}`);
  expect([...s3.objects.keys()]).toEqual([]);
  expect(existsSync(join(rig.data, "uploads", id))).toBe(false);
});

test("a damaged object is an error, and a file that is no video leaves nothing", async () => {
  const file = join(await tempFolder(), "other.mp4");
  await makeShuffled(file, 1);
  const { id } = await rig.upload(file);
  for (const { body } of s3.objects.values()) body.writeUInt8(255 - body.readUInt8(100), 100);
  for (const folder of ["uploads", "blob-cache"])
    await rm(join(rig.data, folder), { recursive: true });
  for (const what of ["media", "thumbnail?t_s=0"]) {
    rig.logged.length = 0;
    expect((await fetch(`${rig.url}/api/v1/videos/${id}/${what}`)).status).toBe(500);
    expect(rig.logged.join()).toContain("store-damaged");
  }
  await rig.json(204, "DELETE", `/api/v1/videos/${id}`);

  const text = await fetch(`${rig.url}/api/v1/videos`, {
    method: "POST",
    headers: { "x-file-name": "a.mp4", "content-type": "application/octet-stream" },
    body: "no video",
  });
  expect(text.status).toBe(415);
  expect([...s3.objects.keys()]).toEqual([]);
});
