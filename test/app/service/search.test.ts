import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addKey } from "../../../src/app/service/auth.ts";
import { libraryTexts } from "../../../src/app/service/library-texts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { description, makeShuffled, procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

const NONE = { in_flight: null, cost_a_day: null, bytes: null };

interface Hit {
  video: string;
  name: string;
  kind: string;
  start_s: number;
  text: string;
  match: [number, number][];
  evidence: string | null;
}
interface Found {
  items: Hit[];
  next: string | null;
  total: number;
  pending: number;
}

let server: ModelServer;
let file: string;
let data: string;
let rig: Rig;
let ann: ReturnType<typeof client>;
let bob: ReturnType<typeof client>;

const options = () => ({
  data,
  auth: { by: "keys" as const },
  settings: {
    model: "openai:scripted",
    recognition: { frames: 12, max_side: 64 },
    runtime: { base_url: server.url },
  },
});

beforeAll(async () => {
  server = await startModelServer(procedureModel([2, 1]));
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  data = await tempFolder();
  const store = await openStore(data);
  const keys = [await addKey(store.service, "ann", NONE), await addKey(store.service, "bob", NONE)];
  await store.close();
  rig = await startRig(options());
  [ann, bob] = keys.map((key) => client(rig.url, { authorization: `Bearer ${key}` })) as [
    typeof ann,
    typeof bob,
  ];
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});

const find = (who: typeof ann, query: string) =>
  who.json<Found>(200, "GET", `/api/v1/search?${query}`);

test("a search follows names, tags, captions, corrections, rejections and removal, for one caller only", async () => {
  const video = await ann.upload(file, "Teatime.mp4");
  const other = await bob.upload(file, "Bob's tea.mp4");
  expect(await find(ann, "q=teat")).toMatchObject({
    items: [{ video: video.id, name: "Teatime.mp4", kind: "name", match: [[0, 7]] }],
    next: null,
    total: 1,
    pending: 0,
  });
  const { id } = await ann.ask(video.id, { text: "In which order?", goal: "Make tea" });
  await ann.ended(id);
  const captions = await find(ann, `q=${encodeURIComponent(`"${description(1)}"`)}&kinds=caption`);
  expect(captions.items).toHaveLength(1);
  const [hit] = captions.items;
  expect(hit?.match.map(([from, to]) => hit.text.slice(from, to))).toEqual([
    description(1).slice(0, -1),
  ]);
  expect((await find(bob, "q=stage")).items).toEqual([]);

  const evidence = `/api/v1/questions/${id}/evidence`;
  const change = async (method: string, item: string, body?: unknown) => {
    const list = await ann.send("GET", evidence);
    const headers = { "if-match": list.headers.get("etag") ?? "*" };
    expect((await ann.send(method, `${evidence}/${item}`, body, headers)).status).toBe(200);
  };
  await change("PATCH", hit?.evidence ?? "", { text: "A zebra crosses the kitchen" });
  const corrected = (await find(ann, "q=zebra%20kitchen")).items;
  expect(corrected).toMatchObject([{ start_s: hit?.start_s, kind: "caption" }]);
  expect((await find(ann, `q=${encodeURIComponent(`"${description(1)}"`)}`)).total).toBe(0);
  const near = `/api/v1/videos/${video.id}/texts?q=ZEBRA&to_s=${hit?.start_s}`;
  const texts = await ann.json<Found>(200, "GET", near);
  expect(texts.items.map(({ text, match }) => [text, match])).toContainEqual([
    "A zebra crosses the kitchen",
    [[2, 7]],
  ]);
  expect((await bob.send("GET", near)).status).toBe(404);
  // A later question recognises the old caption again, from stored replies. The correction stays.
  const again = await ann.ask(video.id, { text: "In which order then?", goal: "Make tea again" });
  await ann.ended(again.id);
  expect((await find(ann, "q=zebra")).total).toBe(1);
  await change("DELETE", corrected[0]?.evidence ?? "");
  expect((await find(ann, "q=zebra")).total).toBe(0);

  await ann.json(200, "PATCH", `/api/v1/videos/${video.id}`, {
    name: "Käse.mp4",
    tags: ["Brunch"],
  });
  expect((await find(ann, "q=teatime")).total).toBe(0);
  expect((await find(ann, "q=kase&kinds=name")).items).toMatchObject([{ text: "Käse.mp4" }]);
  expect((await find(ann, "q=brunch")).items).toMatchObject([{ kind: "tag", text: "Brunch" }]);
  expect((await find(ann, `q=brunch&video=${other.id}`)).total).toBe(0);
  await ann.json(204, "DELETE", `/api/v1/videos/${video.id}`);
  expect(await find(ann, "q=brunch")).toMatchObject({ items: [], total: 0, pending: 0 });
  expect((await find(bob, "q=tea")).total).toBe(1);
});

test("pages follow each other by cursor, and wrong parameters are refused", async () => {
  const names = ["lake one.mp4", "lake two.mp4", "lake three.mp4"];
  for (const name of names) await ann.upload(file, name);
  const first = await find(ann, "q=lake&limit=2");
  const second = await find(ann, `q=lake&limit=2&cursor=${first.next}`);
  expect([first.total, second.total, second.next]).toEqual([3, 3, null]);
  expect([...first.items, ...second.items].map(({ text }) => text).sort()).toEqual(names.sort());
  for (const wrong of [
    "",
    "q=",
    "q=a&kinds=name,nothing",
    "q=a&limit=0",
    "q=a&sort=name",
    `q=other&cursor=${first.next}`,
    "q=a&cursor=%00",
  ])
    expect([wrong, (await ann.send("GET", `/api/v1/search?${wrong}`)).status]).toEqual([
      wrong,
      422,
    ]);
});

test("a data folder of before the index is indexed after the start", async () => {
  await rig.stop();
  const db = new DatabaseSync(join(data, "store.db"));
  db.exec("DELETE FROM library_texts; DELETE FROM library_stale");
  db.exec("INSERT INTO library_stale (upload, mark) SELECT id, 'x' FROM uploads");
  db.close();
  rig = await startRig(options());
  const store = await openStore(data);
  try {
    await expect.poll(() => store.library.countStale()).toBe(0);
    const [row] = await store.service.uploads("bob");
    expect(await libraryTexts(store, row?.id ?? "")).toMatchObject([{ text: "Bob's tea.mp4" }]);
    const terms = [{ words: "lake", prefix: false, tokens: ["lake"] }];
    expect((await store.library.search({ terms, limit: 9, after: null })).total).toBe(3);
  } finally {
    await store.close();
  }
});
