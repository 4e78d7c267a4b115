import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { tempFolder } from "../support/temp.ts";
import { fill } from "./contracts/store.ts";

const A = "a".repeat(64);
const video = { hash: A, duration_s: 1.5, container: "mov,mp4", width: 320, height: 240 };
const upload = { owner: "ann", name: "a.mp4", size: 10, created_at: 1, video };

test("damaged rows are skipped, named, and removed on request", async () => {
  const folder = await tempFolder();
  const store = await openStore(folder);
  await fill(store, A);
  for (const id of ["whole", "broken", "shapeless"])
    await store.service.putUpload({ ...upload, id });
  await store.events.append("q", "s", 1, { type: "note", text: "first" });
  await store.events.append("q", "s", 2, { type: "note", text: "second" });
  const step = `step of ${A}`;
  const db = new DatabaseSync(join(folder, "store.db"));
  db.exec("UPDATE uploads SET json = '{broken' WHERE id = 'broken'");
  db.exec("UPDATE uploads SET json = '{\"hash\":5}' WHERE id = 'shapeless'");
  db.exec("UPDATE events SET body = 'oops' WHERE question = 'q' AND seq = 1");
  db.prepare("UPDATE steps SET value = ? WHERE key = ?").run('{"cut', step);
  db.close();

  expect((await store.service.uploads()).map(({ id }) => id)).toEqual(["whole"]);
  expect(await store.service.upload("broken")).toBeUndefined();
  expect((await store.service.uploadsOf(A)).map(({ id }) => id)).toEqual(["whole"]);
  expect((await store.events.after("q", 0)).map(({ seq }) => seq)).toEqual([2]);
  const again = await store.memo.once(
    { key: step, tags: [A], run: "run" },
    async () => "done again",
  );
  expect(again).toEqual({ value: "done again", cached: false });

  const ofService = await store.damaged("service");
  expect(ofService).toMatchObject([
    { table: "uploads", key: { id: "broken" }, problem: "is not JSON", text: "{broken" },
    { table: "uploads", key: { id: "shapeless" }, problem: "has another shape" },
  ]);
  const all = await store.damaged("all");
  expect(all.map(({ table, key }) => [table, Object.values(key).join()])).toEqual([
    ["uploads", "broken"],
    ["uploads", "shapeless"],
    ["events", "q,1"],
  ]);
  await store.removeDamaged(all);
  expect(await store.damaged("all")).toEqual([]);
  expect((await store.service.uploads()).map(({ id }) => id)).toEqual(["whole"]);
  await store.close();
});
