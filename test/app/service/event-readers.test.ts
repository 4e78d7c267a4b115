import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QuestionView } from "../../../src/app/service/api.ts";
import { addKey } from "../../../src/app/service/auth.ts";
import { DEFAULT_TIMEOUTS, NO_LIMITS } from "../../../src/app/service/options.ts";
import { openStore } from "../../../src/storage/open.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { openStalledClient } from "../../support/stalled-client.ts";
import { tempFolder } from "../../support/temp.ts";
import { events, type Rig, startRig } from "./rig.ts";

/** Far more than the buffers of a connection. */
const EVENTS = 2_500;
const TEXT = "x".repeat(4000);
const STREAMS = 6;
const STALLED_MS = 1_500;

let rig: Rig;
let id: string;
let path: string;
let last: number;

beforeAll(async () => {
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  const data = await tempFolder();
  let first = await startRig({ data });
  const video = await first.upload(file);
  const asked = await first.ask(video.id, { text: "Which?", settings: { strategy: "extractive" } });
  id = asked.id;
  path = `/api/v1/questions/${id}/events`;
  await first.ended(id);
  await first.stop();
  const store = await openStore(data);
  for (let n = 0; n < EVENTS; n++)
    ({ seq: last } = await store.events.append(id, "made", n, { type: "note", text: TEXT }));
  await store.close();
  const timeouts = { ...DEFAULT_TIMEOUTS, grace_ms: 200, stalled_ms: STALLED_MS };
  first = await startRig({ data, open_streams: STREAMS, timeouts });
  rig = first;
});
afterAll(() => rig.stop());

const figure = async (name: string) => {
  const text = await (await rig.send("GET", "/metrics")).text();
  return Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1]);
};

/** The status of one more stream, which is closed again. */
async function opened({ url }: Rig): Promise<number> {
  const stop = new AbortController();
  const { status } = await fetch(`${url}${path}`, { signal: stop.signal });
  stop.abort();
  return status;
}

test("a page of events is bounded by bytes, and the next page starts after its last event", async () => {
  const store = await openStore(rig.data);
  const page = await store.events.after(id, 0, 64 * 2 ** 10);
  expect(page.length).toBeGreaterThan(10);
  expect(page.length).toBeLessThan(100);
  const next = await store.events.after(id, page.at(-1)?.seq ?? 0, 1);
  expect(next.map(({ seq }) => seq)).toEqual([page.length + 1]);
  await store.close();
});

test("readers that read nothing are disconnected, others are served, and each resumes without loss", async () => {
  const mute = await Promise.all(
    Array.from({ length: STREAMS }, () => openStalledClient(rig.url, path)),
  );
  await expect.poll(() => figure("video_rrd_event_streams")).toBe(STREAMS);
  // Stalled readers have all places: the slowest loses its place.
  await expect.poll(() => opened(rig), { timeout: 20_000 }).toBe(200);
  const seen: number[] = [];
  for await (const { seq } of events(rig.url, id)) seen.push(seq);
  expect(seen).toEqual(Array.from({ length: last }, (_, n) => n + 1));
  await rig.json<QuestionView>(200, "GET", `/api/v1/questions/${id}`);
  await expect.poll(() => figure("video_rrd_event_streams"), { timeout: 10_000 }).toBe(0);
  expect(await figure("video_rrd_event_streams_dropped_total")).toBeGreaterThanOrEqual(STREAMS);
  for (const reader of mute.slice(0, 2)) {
    const got = [...(await reader.rest()).matchAll(/^id: (\d+)\ndata: .*\n\n/gm)];
    const from = Number(got.at(-1)?.[1]);
    expect(from).toBeLessThan(last);
    const rest: number[] = [];
    for await (const { seq } of events(rig.url, id, from)) rest.push(seq);
    expect([rest[0], rest.at(-1), rest.length]).toEqual([from + 1, last, last - from]);
  }
  for (const { socket } of mute) socket.destroy();
});

test("a stream counts for the key that reads, not for the key that asked", async () => {
  const data = await tempFolder();
  const store = await openStore(data);
  const other = await openStore(rig.data);
  const row = await other.service.question(id);
  const upload = await other.service.upload(row?.upload ?? "");
  await other.close();
  if (row === undefined || upload === undefined) throw new Error("no question");
  const secrets = {
    ann: await addKey(store.service, "ann", NO_LIMITS, ["ask"]),
    rita: await addKey(store.service, "rita", NO_LIMITS, ["review"]),
  };
  const own = await startRig({ data, open_streams: 1, auth: { by: "keys" } });
  // Not before: the start removes a video without a file.
  await store.service.putUpload({ ...upload, owner: "ann" });
  const open = JSON.stringify({ ...JSON.parse(row.json), state: "running" });
  await store.service.putQuestion({ ...row, owner: "ann", json: open });
  await store.close();
  const stop = new AbortController();
  const read = async (name: keyof typeof secrets) => {
    const headers = { authorization: `Bearer ${secrets[name]}` };
    return (await fetch(`${own.url}${path}`, { headers, signal: stop.signal })).status;
  };
  expect(await read("rita")).toBe(200);
  expect(await read("rita")).toBe(429);
  expect(await read("ann")).toBe(200);
  expect(await read("ann")).toBe(429);
  stop.abort();
  await own.stop();
});

test("streams above a caller's limit are refused while open ones are served", async () => {
  const data = await tempFolder();
  const own = await startRig({ data, open_streams: 2 });
  const store = await openStore(data);
  const record = (await openStore(rig.data)).service;
  const row = await record.question(id);
  const upload = await record.upload(row?.upload ?? "");
  if (row === undefined || upload === undefined) throw new Error("no question");
  await store.service.putUpload(upload);
  // Like a question of another process: it never ends here.
  const open = JSON.stringify({ ...JSON.parse(row.json), state: "running" });
  await store.service.putQuestion({ ...row, json: open });
  await store.close();
  const reading = [new AbortController(), new AbortController()];
  for (const { signal } of reading)
    expect((await fetch(`${own.url}${path}`, { signal })).status).toBe(200);
  const refused = await own.send("GET", path);
  expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
    429,
    "1",
    expect.objectContaining({ kind: "too-many-streams" }),
  ]);
  reading[0]?.abort();
  await expect.poll(() => opened(own)).toBe(200);
  reading[1]?.abort();
  await own.stop();
});
