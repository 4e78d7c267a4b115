import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServiceView, UploadView } from "../../../src/app/service/api.ts";
import { addKey } from "../../../src/app/service/auth.ts";
import { DEFAULT_TIMEOUTS } from "../../../src/app/service/options.ts";
import { openStore } from "../../../src/storage/open.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

const NONE = { in_flight: null, cost_a_day: null, bytes: null };
const MIB = 2 ** 20;

let file: string;
let bytes: Buffer;
let data: string;
let rig: Rig;
let annToken: string;
let ann: ReturnType<typeof client>;
let bob: ReturnType<typeof client>;

beforeAll(async () => {
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  bytes = await readFile(file);
  data = await tempFolder();
  const store = await openStore(data);
  annToken = await addKey(store.service, "ann", NONE);
  const bobToken = await addKey(store.service, "bob", NONE);
  await store.close();
  rig = await startRig({
    data,
    auth: { by: "keys" },
    quota: 40 * MIB,
    key_quota: 20 * MIB,
    upload_limit: 18 * MIB,
    upload_window: MIB,
    open_uploads: 4,
  });
  ann = client(rig.url, { authorization: `Bearer ${annToken}` });
  bob = client(rig.url, { authorization: `Bearer ${bobToken}` });
});
afterAll(() => rig.stop());

const begin = (size: number) =>
  ann.json<UploadView>(201, "POST", "/api/v1/uploads", { name: "x", size });
const usedBy = async (of: typeof ann) =>
  (await of.json<ServiceView>(200, "GET", "/api/v1/service")).limits.used;

test("an announced upload reserves only its window, and one caller may have few open uploads", async () => {
  const open = [await begin(16 * MIB), await begin(16 * MIB), await begin(16 * MIB)];
  open.push(await begin(16 * MIB));
  expect(await usedBy(ann)).toBe(4 * MIB);
  expect(await ann.json(429, "POST", "/api/v1/uploads", { name: "x", size: 5 })).toMatchObject({
    kind: "too-many-uploads",
  });
  // Another key has its whole quota.
  const video = await bob.upload(file);
  expect(await usedBy(bob)).toBeGreaterThanOrEqual(bytes.length);
  await bob.json(204, "DELETE", `/api/v1/videos/${video.id}`);
  expect(await usedBy(bob)).toBe(0);
  for (const { id } of open) await ann.json(204, "DELETE", `/api/v1/uploads/${id}`);
  expect(await usedBy(ann)).toBe(0);
});

test("an upload that exceeds the quota of its key stops with 507 and keeps the received part", async () => {
  const sizes = [12 * MIB, 12 * MIB];
  const [first, second] = await Promise.all(sizes.map(begin));
  const part = (id: string, size: number, from: number, count: number) =>
    fetch(`${rig.url}/api/v1/uploads/${id}`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${annToken}`,
        "content-type": "application/octet-stream",
        "content-range": `bytes ${from}-${from + count - 1}/${size}`,
      },
      body: new Uint8Array(count),
    });
  expect((await part(first?.id ?? "", 12 * MIB, 0, 11 * MIB)).status).toBe(200);
  expect(await usedBy(ann)).toBe(13 * MIB);
  const refused = await part(second?.id ?? "", 12 * MIB, 0, 11 * MIB);
  expect([refused.status, await refused.json()]).toEqual([
    507,
    expect.objectContaining({ kind: "quota" }),
  ]);
  const { offset } = await ann.json<UploadView>(200, "GET", `/api/v1/uploads/${second?.id}`);
  expect(offset).toBeGreaterThan(4 * MIB);
  expect(offset).toBeLessThanOrEqual(8 * MIB);
  await ann.json(204, "DELETE", `/api/v1/uploads/${first?.id}`);
  expect((await part(second?.id ?? "", 12 * MIB, offset, 10 * MIB - offset)).status).toBe(200);
  await ann.json(204, "DELETE", `/api/v1/uploads/${second?.id}`);
});

test("frames, index, replies and events count towards the quota of the video's owner", async () => {
  const video = await ann.upload(file);
  const before = await usedBy(ann);
  const { id } = await ann.ask(video.id, {
    text: "Which clip is first?",
    settings: { strategy: "extractive" },
  });
  await ann.ended(id);
  const grown = await usedBy(ann);
  const store = await openStore(data);
  const [row] = await store.service.uploads("ann");
  const size = await store.derivedSize(row?.video?.hash ?? "");
  await store.close();
  expect(size.bytes).toBe(size.steps + size.events + size.frames + size.index);
  expect([size.steps, size.events, size.index].every((part) => part > 0)).toBe(true);
  expect(grown).toBe(bytes.length + size.bytes);
  expect(grown).toBeGreaterThan(before);
  await ann.json(204, "DELETE", `/api/v1/videos/${video.id}`);
  expect(await usedBy(ann)).toBe(0);
});

test("a key above its quota cannot ask, other keys can", async () => {
  const own = await tempFolder();
  const store = await openStore(own);
  const small = await addKey(store.service, "small", { ...NONE, bytes: bytes.length + 1000 });
  const large = await addKey(store.service, "large", NONE);
  await store.close();
  const service = await startRig({ data: own, auth: { by: "keys" } });
  const mine = client(service.url, { authorization: `Bearer ${small}` });
  const theirs = client(service.url, { authorization: `Bearer ${large}` });
  const asked = { text: "Which clip is first?", settings: { strategy: "extractive" } };
  const video = await mine.upload(file);
  const other = await theirs.upload(file);
  await theirs.ended((await theirs.ask(other.id, asked)).id);
  expect(await mine.json(507, "POST", `/api/v1/videos/${video.id}/questions`, asked)).toMatchObject(
    {
      kind: "quota",
    },
  );
  await theirs.ended((await theirs.ask(other.id, { ...asked, text: "And last?" })).id);
  await service.stop();
});

test("leftovers of killed processes are deleted at the next start and never listed", async () => {
  const own = await tempFolder();
  let service = await startRig({ data: own });
  const kept = await service.upload(file, "kept.mp4");
  const fileless = await service.upload(file, "fileless.mp4");
  const parts = await service.json<UploadView>(201, "POST", "/api/v1/uploads", {
    name: "x",
    size: 9,
  });
  const rowOnly = await service.json<UploadView>(201, "POST", "/api/v1/uploads", {
    name: "y",
    size: 9,
  });
  const uploads = join(own, "uploads");
  await rm(join(uploads, fileless.id), { recursive: true });
  expect((await service.videos()).map(({ id }) => id)).toEqual([kept.id]);
  await service.json(404, "GET", `/api/v1/videos/${fileless.id}`);
  await service.json(404, "GET", `/api/v1/videos/${fileless.id}/media`);
  await service.stop();

  await rm(join(uploads, rowOnly.id), { recursive: true });
  await mkdir(join(uploads, "single-request"));
  await writeFile(join(uploads, "single-request", "single-request"), "half of a video");
  service = await startRig({ data: own });
  expect((await readdir(uploads)).sort()).toEqual([kept.id, parts.id].sort());
  await service.json(404, "GET", `/api/v1/uploads/${rowOnly.id}`);
  await service.json(200, "GET", `/api/v1/uploads/${parts.id}`);
  expect(await service.videos()).toHaveLength(1);
  await service.stop();
});

test("an upload whose last part arrived before a kill becomes a video at the next start", async () => {
  const own = await tempFolder();
  let service = await startRig({ data: own });
  const begin = (size: number) =>
    service.json<UploadView>(201, "POST", "/api/v1/uploads", { name: "x", size });
  const whole = await begin(bytes.length);
  const broken = await begin(9);
  const short = await begin(bytes.length);
  await service.stop();
  const path = (id: string) => join(own, "uploads", id, id);
  await writeFile(path(whole.id), bytes);
  await writeFile(path(broken.id), "no video!");
  await writeFile(path(short.id), bytes.subarray(1));
  service = await startRig({ data: own });
  const timeouts = { timeout: 60_000 };
  await expect
    .poll(async () => (await service.send("GET", `/api/v1/videos/${whole.id}`)).status, timeouts)
    .toBe(200);
  await expect
    .poll(async () => (await service.send("GET", `/api/v1/uploads/${broken.id}`)).status, timeouts)
    .toBe(404);
  const { offset, video } = await service.json<UploadView>(
    200,
    "GET",
    `/api/v1/uploads/${short.id}`,
  );
  expect([offset, video]).toEqual([bytes.length - 1, null]);
  await service.stop();
});

test("a deletion that was killed at any step is finished at the next start", async () => {
  const own = await tempFolder();
  const first = await startRig({ data: own });
  const video = await first.upload(file);
  const { id } = await first.ask(video.id, {
    text: "Which?",
    settings: { strategy: "extractive" },
  });
  await first.ended(id);
  await first.stop();
  const path = join(own, "uploads", video.id, video.id);
  let store = await openStore(own);
  const [row] = await store.service.uploads();
  const hash = row?.video?.hash ?? "";
  // The row goes first: killed behind it, the file leads to what was derived.
  await store.service.dropUpload(video.id);
  expect((await store.derivedSize(hash)).bytes).toBeGreaterThan(0);
  await store.close();
  const second = await startRig({ data: own });
  expect(await second.videos()).toEqual([]);
  await second.stop();
  expect(existsSync(path)).toBe(false);
  store = await openStore(own);
  expect((await store.derivedSize(hash)).bytes).toBe(0);
  expect(await store.catalogue.videosBelow(join(own, "uploads"))).toEqual([]);
  await store.close();
});

test("uploads without progress expire within minutes", async () => {
  const own = await tempFolder();
  const first = await startRig({ data: own });
  const { id } = await first.json<UploadView>(201, "POST", "/api/v1/uploads", {
    name: "x",
    size: 9,
  });
  await first.stop();
  const then = new Date(Date.now() - DEFAULT_TIMEOUTS.abandoned_ms - 1000);
  expect(DEFAULT_TIMEOUTS.abandoned_ms).toBeLessThanOrEqual(3_600_000);
  await utimes(join(own, "uploads", id, id), then, then);
  const second = await startRig({ data: own });
  await second.json(404, "GET", `/api/v1/uploads/${id}`);
  await second.stop();
});
