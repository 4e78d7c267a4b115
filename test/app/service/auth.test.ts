import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QuestionView, ServiceView } from "../../../src/app/service/api.ts";
import { addKey, parseKey } from "../../../src/app/service/auth.ts";
import { openStore } from "../../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { makeShuffled, procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

const NONE = { in_flight: null, cost_a_day: null, bytes: null };

let server: ModelServer;
let file: string;
let data: string;
let rig: Rig;
let ann: ReturnType<typeof client>;
let bob: ReturnType<typeof client>;
let secret: string;

beforeAll(async () => {
  server = await startModelServer(async (seen) => ({
    text: String(await procedureModel([2, 1])(seen)),
    delay_ms: 500,
  }));
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  data = await tempFolder();
  const store = await openStore(data);
  secret = await addKey(store.service, "ann", NONE);
  const other = await addKey(store.service, "bob", {
    in_flight: 1,
    cost_a_day: 0.01,
    bytes: 500_000,
  });
  await store.close();
  rig = await startRig({
    data,
    auth: { by: "keys" },
    settings: { model: "openai:gpt-4.1", strategy: "direct", runtime: { base_url: server.url } },
    models: [],
  });
  ann = client(rig.url, { authorization: `Bearer ${secret}` });
  bob = client(rig.url, { authorization: `Bearer ${other}` });
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});

test("without a token only the page, its assets, the API document and health are served", async () => {
  for (const path of ["/", "/openapi.json", "/docs", "/healthz", "/readyz"])
    expect([path, (await rig.send("GET", path)).status]).toEqual([path, 200]);
  for (const path of [
    "/api/v1/service",
    "/api/v1/videos",
    "/metrics",
    "/reports/x",
    "/api/v1/reports",
    "/api/v1/frames/x",
  ]) {
    const refused = await rig.send("GET", path);
    expect([path, refused.status]).toEqual([path, 401]);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await refused.json()).toMatchObject({ kind: "token-missing" });
  }
  await rig.json(401, "POST", "/api/v1/uploads", { name: "x", size: 5 });
  await rig.json(401, "DELETE", "/api/v1/session");
});

test("a key cannot see the videos and questions of another key", async () => {
  const video = await ann.upload(file);
  const { id } = await ann.ask(video.id, { text: "In which order?", goal: "Make tea" });
  await ann.ended(id);
  for (const path of [
    `/api/v1/videos/${video.id}`,
    `/api/v1/videos/${video.id}/media`,
    `/api/v1/questions/${id}`,
    `/api/v1/questions/${id}/events`,
    `/api/v1/questions/${id}/evidence`,
    `/api/v1/uploads/${video.id}`,
  ])
    expect([path, (await bob.send("GET", path)).status]).toEqual([path, 404]);
  expect((await bob.send("DELETE", `/api/v1/videos/${video.id}`)).status).toBe(404);
  for (const path of ["videos", "questions", `questions?video=${video.id}`])
    expect(await bob.json(200, "GET", `/api/v1/${path}`)).toEqual({
      items: [],
      next: null,
      total: 0,
    });
  expect(await bob.json(200, "POST", "/api/v1/videos/bulk-delete", { ids: [video.id] })).toEqual({
    deleted: [],
    missing: [video.id],
  });
  expect((await bob.send("PATCH", `/api/v1/videos/${video.id}`, { name: "x" })).status).toBe(404);
  expect(await ann.videos()).toMatchObject([{ id: video.id, name: video.name }]);
});

test("limits of a key apply: questions in flight, bytes, dollars per day", async () => {
  const told = await bob.json<ServiceView>(200, "GET", "/api/v1/service");
  expect([told.caller, told.limits.in_flight, told.limits.cost_a_day]).toEqual(["bob", 1, 0.01]);
  const video = await bob.upload(file);
  expect(
    await bob.json(507, "POST", "/api/v1/uploads", { name: "x", size: 499_999 }),
  ).toMatchObject({
    kind: "quota",
  });
  const asked = (goal: string) => ({ text: "In which order?", goal });
  const path = `/api/v1/videos/${video.id}/questions`;
  const at_once = await Promise.all(
    [1, 2, 3, 4].map(() => bob.send("POST", path, asked("Make tea"))),
  );
  expect(at_once.map(({ status }) => status).sort()).toEqual([202, 429, 429, 429]);
  const first = (await at_once.find(({ ok }) => ok)?.json()) as QuestionView;
  // A later question may find the first one ended.
  expect(await at_once.find(({ ok }) => !ok)?.json()).toMatchObject({ kind: "too-many-questions" });
  const ended = await bob.ended(first.id);
  // 32 frames of gpt-4.1 cost more than a cent, so the call is refused before it is made.
  expect(ended.answer?.limits_met).toEqual(["cost"]);
  expect(ended.usage.calls).toBe(0);
  const store = await openStore(data);
  await store.service.spend("bob", new Date().toISOString().slice(0, 10), 0.02, "a");
  await store.close();
  expect(
    await bob.json(429, "POST", `/api/v1/videos/${video.id}/questions`, asked("Make do")),
  ).toMatchObject({ kind: "cost-limit" });
  await ann.json(200, "GET", "/api/v1/service");
});

test("spending of a key is counted by day", async () => {
  const [{ id = "" } = {}] = await ann.videos();
  const questions = await ann.questions(id);
  const paid = questions.reduce((sum, one) => sum + (one.usage.paid ?? 0), 0);
  expect(paid).toBeGreaterThan(0);
  const store = await openStore(data);
  expect(await store.service.spent("ann", new Date().toISOString().slice(0, 10))).toBeCloseTo(
    paid,
    9,
  );
  expect(JSON.stringify(await store.service.keys())).not.toContain(secret);
  await store.close();
  // Figures add up all callers.
  for (const path of ["/metrics", "/api/v1/reports", "/reports/x.html"]) {
    const refused = await ann.send("GET", path);
    expect([path, refused.status, await refused.json()]).toMatchObject([
      path,
      403,
      { kind: "role-missing", detail: expect.stringContaining("the role `operate`") },
    ]);
  }
  const admin = await openStore(data);
  const operator = await addKey(admin.service, "operator", NONE, ["operate"]);
  await admin.close();
  const figures = await (
    await rig.send("GET", "/metrics", undefined, { authorization: `Bearer ${operator}` })
  ).text();
  expect(figures).toMatch(/video_rrd_cost_dollars_total\{model="openai:gpt-4.1"\} [\d.e-]+/);
  expect(figures).not.toMatch(/ann|bob/);
});

test("a session's cookie replaces the token until the session is closed", async () => {
  const opened = await rig.send("POST", "/api/v1/session", { token: secret });
  expect(opened.status).toBe(200);
  expect(await opened.json()).toEqual({ name: "ann" });
  const set = opened.headers.get("set-cookie") ?? "";
  expect(set).toMatch(/HttpOnly/);
  expect(set).toMatch(/SameSite=Strict/);
  expect(set).not.toContain(secret);
  const own = client(rig.url, { cookie: set.split(";")[0] ?? "" });
  expect((await own.json<ServiceView>(200, "GET", "/api/v1/service")).caller).toBe("ann");
  await own.json(204, "DELETE", "/api/v1/session");
  expect(await own.json(401, "GET", "/api/v1/service")).toMatchObject({ kind: "token-missing" });
});

test("pages of other origins change nothing with any credentials", async () => {
  const own = { authorization: `Bearer ${secret}` };
  for (const headers of [
    { ...own, origin: "https://evil.example" },
    { ...own, origin: "null" },
    { ...own, "sec-fetch-site": "cross-site" },
    { ...own, "sec-fetch-site": "same-site" },
  ] as Record<string, string>[]) {
    const refused = await rig.send("POST", "/api/v1/uploads", { name: "x", size: 5 }, headers);
    expect([refused.status, ((await refused.json()) as { kind: string }).kind]).toEqual([
      403,
      "cross-origin",
    ]);
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
  }
  const same = await rig.send(
    "POST",
    "/api/v1/uploads",
    { name: "x", size: 5 },
    { ...own, origin: rig.url, "sec-fetch-site": "same-origin" },
  );
  expect(same.status).toBe(201);
  const preflight = await rig.send("OPTIONS", "/api/v1/uploads", undefined, {
    origin: "https://evil.example",
  });
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  expect(preflight.status).toBeGreaterThanOrEqual(400);
  const form = await rig.send("POST", "/api/v1/uploads", '{"name":"x","size":5}', {
    ...own,
    "content-type": "text/plain",
  });
  expect(form.status).toBe(415);
});

test("on loopback a request by another host name is refused: DNS rebinding", async () => {
  const { port } = new URL(rig.url);
  const status = (host: string) =>
    new Promise<number | undefined>((done, failed) => {
      request({ port, host: "127.0.0.1", path: "/healthz", headers: { host } }, (response) => {
        response.resume();
        done(response.statusCode);
      })
        .once("error", failed)
        .end();
    });
  expect(await status(`127.0.0.1:${port}`)).toBe(200);
  expect(await status(`localhost:${port}`)).toBe(200);
  expect(await status(`evil.example:${port}`)).toBe(421);
  expect(await status("127.0.0.1.evil.example")).toBe(421);
});

test("keys of older versions keep what they could do", () => {
  const stored = (details: object) => ({
    ...{ name: "old", hash: "", created_at: 0 },
    json: JSON.stringify({ ...NONE, ...details }),
  });
  expect(parseKey(stored({})).roles).toEqual(["ask"]);
  expect(parseKey(stored({ role: "caller" })).roles).toEqual(["ask"]);
  expect(parseKey(stored({ role: "admin" })).roles).toEqual(["operate"]);
  expect(() => parseKey(stored({ roles: ["root"] }))).toThrow(/damaged/);
});

test("every route refuses a key without its role, and the API document names the roles", async () => {
  const { paths } = await rig.json<{
    paths: Record<string, Record<string, { "x-roles"?: string[] }>>;
  }>(200, "GET", "/openapi.json");
  const store = await openStore(data);
  const reviewer = await addKey(store.service, "rita", NONE, ["review"]);
  await store.close();
  const callers = { ask: ann, review: client(rig.url, { authorization: `Bearer ${reviewer}` }) };
  const refusals: string[] = [];
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { "x-roles": roles }] of Object.entries(methods))
      for (const [role, caller] of Object.entries(callers)) {
        if (roles === undefined || roles.includes(role)) continue;
        const given = path.replace(/\{\w+\}/g, "A".repeat(24));
        const refused = await caller.send(method.toUpperCase(), given);
        expect([path, method, role, refused.status]).toEqual([path, method, role, 403]);
        expect(await refused.json()).toMatchObject({ kind: "role-missing" });
        refusals.push(path);
      }
  expect(refusals).toEqual(
    expect.arrayContaining(["/metrics", "/api/v1/uploads", "/api/v1/human-study/next"]),
  );
});
