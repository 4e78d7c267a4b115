import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createIdleTimes } from "../../../src/app/service/idle-times.ts";
import type { Event } from "../../../src/core/events.ts";
import { askedPause } from "../../../src/models/attempt.ts";
import { createLeases } from "../../../src/storage/sqlite/leases.ts";
import { prepareDatabase } from "../../../src/storage/sqlite/schema.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { makeShuffled, procedureModel, rightOrder } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, events } from "./rig.ts";
import { serveCommand } from "./served.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PLACES = [2, 3, 1];
const TOKEN = "a-token-of-many-characters";
const PRELOAD = resolve(import.meta.dirname, "../../support/settable-clock.ts");

let server: ModelServer;
let file: string;

beforeAll(async () => {
  server = await startModelServer(async (request) => ({
    text: String(await procedureModel(PLACES)(request)),
    delay_ms: 400,
  }));
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, PLACES.length);
});
afterAll(() => server.close());
afterEach(() => {
  vi.useRealTimers();
});

test("a service loses nothing, asks nothing twice and locks nobody out when its clock is set back and forth", async () => {
  const folder = await tempFolder();
  const [shift, token] = [join(folder, "shift"), join(folder, "token")];
  await writeFile(shift, "0");
  await writeFile(token, TOKEN);
  const service = await serveCommand(
    await tempFolder(),
    server.url,
    ["--token-file", token, "--ocr", "off"],
    ["env", `NODE_OPTIONS=--import=${PRELOAD}`, `CLOCK_SHIFT_FILE=${shift}`],
  );
  const own = { authorization: `Bearer ${TOKEN}` };
  const api = client(service.url, own);
  const setClock = async (ms: number) => {
    await writeFile(shift, String(ms));
    service.child.kill("SIGUSR2");
    await sleep(100);
  };
  const video = await api.upload(file);
  const begun = await api.json<{ id: string }>(201, "POST", "/api/v1/uploads", {
    name: "x",
    size: 9,
  });
  const login = await service.send("POST", "/api/v1/session", { token: TOKEN });
  const session = { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
  const asked = await api.ask(video.id, { text: "In which order?", goal: "Make tea" });
  const seen: Event[] = [];
  let jumps = 0;
  for await (const event of events(service.url, asked.id, 0, own)) {
    seen.push(event);
    if (event.type !== "call") continue;
    await setClock([-HOUR_MS, -DAY_MS, DAY_MS][jumps++ % 3] ?? 0);
  }
  expect(jumps).toBeGreaterThan(2);
  const ended = await api.json(200, "GET", `/api/v1/questions/${asked.id}`);
  expect(ended).toMatchObject({ state: "answered", answer: { answer: rightOrder(PLACES) } });
  const { seconds } = ended as { seconds: number };
  expect([seconds > 0, seconds < 600]).toEqual([true, true]);
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => i + 1));
  const times = seen.slice(1).map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(server.chats()).toHaveLength(new Set(server.chats().map(({ hash }) => hash)).size);

  for (const ms of [DAY_MS, -DAY_MS]) {
    await setClock(ms);
    expect((await service.send("GET", "/api/v1/videos", undefined, session)).status).toBe(200);
    await api.json(200, "GET", `/api/v1/uploads/${begun.id}`);
  }
  await setClock(0);
  const guess = () =>
    service.send("GET", "/api/v1/videos", undefined, { authorization: "Bearer wrong-token" });
  for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(401);
  expect((await guess()).status).toBe(429);
  await setClock(-DAY_MS);
  const refused = await guess();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
});

test("an upload is idle by elapsed time, not by the time of day", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const idle = createIdleTimes();
  const start = Date.now();
  expect(idle.of("new", 5, null)).toBe(0);
  expect(idle.of("old", 5, start - HOUR_MS)).toBe(HOUR_MS);
  expect(idle.of("from the future", 5, start + DAY_MS)).toBe(0);
  for (const shift of [DAY_MS, -DAY_MS]) {
    vi.setSystemTime(start + shift);
    expect(idle.of("new", 5, null)).toBeLessThan(10_000);
    expect(idle.of("old", 5, start)).toBeLessThan(HOUR_MS + 10_000);
    expect(idle.of("old", 5, start)).toBeGreaterThanOrEqual(HOUR_MS);
  }
  expect(idle.of("old", 6, start)).toBe(0);
  idle.keep(new Set(["new"]));
  expect(idle.of("old", 6, Date.now() - 7)).toBe(7);
});

test("a Retry-After date counts from the server's own clock", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime("2026-03-01T00:00:00Z");
  const date = (at: string) => new Date(at).toUTCString();
  const headers = new Headers({
    date: date("2026-03-02T00:00:00Z"),
    "retry-after": date("2026-03-02T00:00:07Z"),
  });
  expect(askedPause(headers)).toBe(7);
  headers.delete("date");
  expect(askedPause(headers)).toBe(86_407);
  expect(askedPause(new Headers({ "retry-after": "3" }))).toBe(3);
  expect(askedPause(undefined)).toBeNull();
});

test("a process on this host keeps its leases when the clock of another is set forwards", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const db = new DatabaseSync(":memory:");
  await prepareDatabase(db, ":memory:");
  const holder = createLeases(db);
  expect("end" in holder.take("a step", [], undefined)).toBe(true);
  vi.setSystemTime(Date.now() + 3 * DAY_MS);
  const other = createLeases(db);
  expect(other.check("a step", undefined)).toMatchObject({ turn: 1 });
  holder.close();
  expect(other.check("a step", undefined)).toBeUndefined();
  other.close();
  db.close();
});
