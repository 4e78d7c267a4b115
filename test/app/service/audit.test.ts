import { execFile } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addKey } from "../../../src/app/service/auth.ts";
import { openStore } from "../../../src/storage/open.ts";
import { CLI } from "../../support/command-line.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

const NONE = { in_flight: null, cost_a_day: null, bytes: null };

interface Entry {
  at: string;
  who: string;
  address: string;
  action: string;
  video: string | null;
  name: string | null;
  question: string | null;
  details: Record<string, unknown>;
}
interface Listed {
  items: Entry[];
  next: string | null;
  total: number;
}

let data: string;
let rig: Rig;
let ann: ReturnType<typeof client>;
let olga: ReturnType<typeof client>;
let video: string;
let asked: string;

beforeAll(async () => {
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  data = await tempFolder();
  const store = await openStore(data);
  const key = await addKey(store.service, "ann", NONE);
  const operator = await addKey(store.service, "olga", NONE, ["operate"]);
  await store.close();
  rig = await startRig({ data, auth: { by: "keys" } });
  ann = client(rig.url, { authorization: `Bearer ${key}` });
  olga = client(rig.url, { authorization: `Bearer ${operator}` });
  video = (await ann.upload(file, "=Secret tea.mp4")).id;
  await ann.json(200, "PATCH", `/api/v1/videos/${video}`, { name: "Tea" });
  const question = { text: "What is in the pot?", settings: { strategy: "extractive" } };
  asked = (await ann.ask(video, question)).id;
  await ann.ended(asked);
  await ann.json(200, "GET", `/api/v1/questions/${asked}/export?as=json`);
  expect((await ann.send("DELETE", "/api/v1/videos/aaaaaaaaaaaaaaaaaaaa")).status).toBe(404);
  const gone = (await ann.upload(file, "Second")).id;
  await ann.json(200, "POST", "/api/v1/videos/bulk-delete", { ids: [gone] });
  await ann.json(204, "DELETE", `/api/v1/videos/${video}`);
});
afterAll(() => rig.stop());

test("what was done stays in the log with who, when and from where, after the video is gone", async () => {
  const { items, total } = await olga.json<Listed>(200, "GET", "/api/v1/audit");
  expect(total).toBe(7);
  expect(items.toReversed().map(({ action, name }) => [action, name])).toEqual([
    ["video.uploaded", "=Secret tea.mp4"],
    ["video.edited", "=Secret tea.mp4"],
    ["question.asked", "Tea"],
    ["question.exported", "Tea"],
    ["video.uploaded", "Second"],
    ["video.deleted", "Second"],
    ["video.deleted", "Tea"],
  ]);
  for (const { who, address, at } of items)
    expect([who, address, new Date(at).toISOString()]).toEqual([
      "ann",
      expect.stringMatching(/127\.0\.0\.1$/),
      at,
    ]);
  expect(items.find(({ action }) => action === "question.asked")).toMatchObject({
    video,
    question: asked,
  });
  expect(items.find(({ action }) => action === "video.edited")?.details).toEqual({
    name: "Tea",
    tags: [],
  });
  expect(JSON.stringify(items)).not.toContain("pot");
});

test("the log is listed by filter in pages, for operators only", async () => {
  const of = (query: string) => olga.json<Listed>(200, "GET", `/api/v1/audit?${query}`);
  expect((await of("action=video.deleted")).total).toBe(2);
  expect((await of(`video=${video}`)).total).toBe(5);
  expect((await of("who=olga")).items).toEqual([]);
  const first = await of("limit=4");
  const rest = await of(`limit=4&cursor=${first.next}`);
  expect([first.items.length, rest.items.length, rest.next]).toEqual([4, 3, null]);
  const [newest] = first.items;
  expect((await of(`since=${newest?.at}`)).items.length).toBeGreaterThan(0);
  expect((await of("until=2020-01-01T00:00:00Z")).total).toBe(0);
  expect((await ann.send("GET", "/api/v1/audit")).status).toBe(403);
  expect((await olga.send("GET", "/api/v1/audit?since=yesterday")).status).toBe(422);
});

test("the command lists the log as a table, JSON and CSV, and only its own pruning removes entries", async () => {
  const db = new DatabaseSync(join(data, "store.db"));
  expect(() => db.exec("DELETE FROM audit")).toThrow("append-only");
  expect(() => db.exec("UPDATE audit SET who = 'bob'")).toThrow("append-only");
  db.close();
  const command = (...args: string[]) =>
    promisify(execFile)(process.execPath, [CLI, "audit", data, ...args]);
  const run = async (...args: string[]) => (await command(...args)).stdout;
  expect(await command("--action", "video.deletd")).toMatchObject({
    stdout: "No entries.\n",
    stderr: expect.stringContaining("video.deleted, video.edited, video.uploaded"),
  });
  const csv = await run("--csv", "--action", "video.uploaded");
  expect(csv.split("\n")[0]).toBe("at,who,address,action,video,name,question,evidence,details");
  expect(csv).toContain("'=Secret tea.mp4");
  expect(await run("--prune-older-than", "0h")).toMatch(/^Removed 7 entries/);
  expect(JSON.parse(await run("--since", "1h", "--json")).items).toMatchObject([
    { action: "audit.pruned", who: "command line", details: { removed: 7 } },
  ]);
});
