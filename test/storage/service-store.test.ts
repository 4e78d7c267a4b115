import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { MIGRATIONS } from "../../src/storage/sqlite/migrations.ts";
import { APPLICATION_ID } from "../../src/storage/sqlite/schema.ts";
import { tempFolder } from "../support/temp.ts";
import { serviceStoreContract } from "./contracts/service-store.ts";

serviceStoreContract("SQLite and a folder", openStore);

/** Creates the database of an older format, filled by `fill`. */
async function oldStore(format: number, fill: (db: DatabaseSync) => void): Promise<string> {
  const folder = await tempFolder();
  const db = new DatabaseSync(join(folder, "store.db"));
  for (const migration of MIGRATIONS.slice(0, format)) db.exec(migration);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${format}`);
  fill(db);
  db.close();
  return folder;
}

test("a store of the first format is upgraded and keeps its content", async () => {
  const folder = await oldStore(1, (db) =>
    db.exec("INSERT INTO steps (key, run, value) VALUES ('k', 'r', '\"reply\"')"),
  );
  const store = await openStore(folder);
  expect(await store.service.uploads()).toEqual([]);
  expect(await store.memo.peek("k", "r")).toBe("reply");
  await store.close();
});

test("lists of a store from before lists had columns show its questions, damaged ones without facts", async () => {
  const record = { state: "answered", strategy: "s", model: null, asked: { text: "ÜBER alles?" } };
  const folder = await oldStore(3, (db) => {
    const put = db.prepare("INSERT INTO asked VALUES (?, 'u', 'ann', 0, ?, ?)");
    put.run("q1", 1, JSON.stringify({ ...record, review: { verdict: "approved" } }));
    put.run("q2", 2, "damaged {");
  });
  const store = await openStore(folder);
  const list = async (filter: object) => {
    const page = { order: "asc", limit: 9, after: null } as const;
    const { rows, total } = await store.service.listQuestions({ owner: "ann", ...filter }, page);
    return [rows.map(({ id }) => id), total];
  };
  expect(await list({})).toEqual([["q1", "q2"], 2]);
  expect(await list({ q: "über", state: "answered", verdict: "approved" })).toEqual([["q1"], 1]);
  expect(await list({ verdict: "none" })).toEqual([["q2"], 1]);
  await store.close();
});
