import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UsageView } from "../../../src/app/service/api-usage.ts";
import { addKey } from "../../../src/app/service/auth.ts";
import { NO_LIMITS } from "../../../src/app/service/options.ts";
import { openStore } from "../../../src/storage/open.ts";
import { MIGRATIONS } from "../../../src/storage/sqlite/migrations.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { makeShuffled, procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

let server: ModelServer;
let rig: Rig;
const callers = new Map<string, ReturnType<typeof client>>();
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  server = await startModelServer(async (seen) => String(await procedureModel([2, 1])(seen)));
  const data = await tempFolder();
  const store = await openStore(data);
  const secrets = new Map<string, string>();
  for (const name of ["ann", "bob"])
    secrets.set(name, await addKey(store.service, name, NO_LIMITS));
  secrets.set("olga", await addKey(store.service, "olga", NO_LIMITS, ["operate"]));
  await store.close();
  rig = await startRig({
    data,
    auth: { by: "keys" },
    settings: { model: "openai:gpt-4.1", strategy: "direct", runtime: { base_url: server.url } },
  });
  for (const [name, secret] of secrets)
    callers.set(name, client(rig.url, { authorization: `Bearer ${secret}` }));
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});

const as = (name: string) => callers.get(name) as ReturnType<typeof client>;
const usage = (name: string, query = "") =>
  as(name).json<UsageView>(200, "GET", `/api/v1/usage${query}`);

test("usage counts questions, calls, tokens and dollars of each key; only an operator sees other keys", async () => {
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  const asked = { text: "In which order?", goal: "Make tea" };
  const usages = [];
  for (const name of ["ann", "bob"]) {
    const video = await as(name).upload(file);
    usages.push((await as(name).ended((await as(name).ask(video.id, asked)).id)).usage);
  }
  const own = await usage("ann");
  expect(own.items).toEqual([{ key: "ann", group: today, ...own.total }]);
  expect(own.total).toMatchObject({
    questions: 1,
    calls: usages[0]?.calls,
    input: usages[0]?.input,
    output: usages[0]?.output,
    unpriced: 0,
  });
  expect(own.total.cost).toBeCloseTo(usages[0]?.cost ?? Number.NaN, 12);
  expect(own.total.paid).toBeGreaterThan(0);
  expect(own.storage).toEqual([{ key: "ann", bytes: expect.any(Number) }]);
  // The reply was stored for ann, so that bob's is free.
  expect((await usage("bob", "?by=model")).items).toMatchObject([
    { key: "bob", group: "openai:gpt-4.1", questions: 1, paid: usages[1]?.paid },
  ]);
  const all = await usage("olga", "?by=strategy");
  expect(all.items.map(({ key, group }) => [key, group])).toEqual([
    ["ann", "direct"],
    ["bob", "direct"],
  ]);
  expect(all.total.questions).toBe(2);
  expect(all.storage.map(({ key }) => key)).toEqual(["ann", "bob"]);
  expect((await usage("olga", "?key=bob&by=key")).total.questions).toBe(1);
  expect(await as("ann").json(403, "GET", "/api/v1/usage?key=bob")).toMatchObject({
    kind: "role-missing",
  });
});

test("a range of days is checked", async () => {
  expect((await usage("ann", "?since=2020-01-01&until=2020-12-31")).items).toEqual([]);
  await as("ann").json(422, "GET", "/api/v1/usage?since=2020-02-01&until=2020-01-01");
  await as("ann").json(422, "GET", "/api/v1/usage?since=yesterday");
  await as("ann").json(422, "GET", "/api/v1/usage?by=colour");
});

test("a data folder of an older version keeps its usage and its reviews", async () => {
  const folder = await tempFolder();
  const db = new DatabaseSync(join(folder, "store.db"));
  for (const sql of MIGRATIONS.slice(0, 3)) db.exec(sql);
  db.exec("PRAGMA application_id = 0x76727264; PRAGMA user_version = 3");
  const used = { calls: 3, frames: 5, input: 100, output: 20, cost: 0.5, paid: 0.25 };
  const review = { verdict: "corrected", answer: [2, 1], note: "n", by: "ann", at: 1000 };
  const put = db.prepare("INSERT INTO asked VALUES (?, 'u', 'ann', 0, ?, ?)");
  const day = Date.UTC(2026, 9, 3, 23);
  put.run("q1", day, JSON.stringify({ strategy: "rrd", model: "m", usage: used, review }));
  put.run(
    "q2",
    day,
    JSON.stringify({ strategy: "rrd", model: "m", usage: { ...used, cost: null } }),
  );
  put.run("q3", day, JSON.stringify({ strategy: "extractive", model: null, usage: used }));
  put.run("q4", day, "damaged");
  db.close();
  const { service, close } = await openStore(folder);
  const range = { owner: null, since: "2026-10-03", until: "2026-10-03" };
  expect(await service.usage(range, "strategy")).toMatchObject([
    { owner: "ann", group: "extractive", questions: 1, calls: 3 },
    { owner: "ann", group: "rrd", questions: 2, calls: 6, cost: 0.5, paid: 0.5, unpriced: 3 },
  ]);
  expect(await service.ratingsOf("q1")).toEqual([
    {
      ...{ id: expect.stringMatching(/^[0-9a-f]{24}$/), question: "q1", rater: "ann" },
      ...{ verdict: "corrected", answer: [2, 1], note: "n", at: 1000 },
      ...{ seconds: null, blind: false, settles: false, undone_at: null },
    },
  ]);
  expect(await service.ratingsOf("q2")).toEqual([]);
  await close();
});
