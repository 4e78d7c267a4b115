import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { createMemo } from "../../src/storage/sqlite/memo.ts";
import { FORMAT } from "../../src/storage/sqlite/schema.ts";
import { createWriteQueue } from "../../src/storage/sqlite/write-queue.ts";
import { tempFolder } from "../support/temp.ts";
import { fill } from "./contracts/store.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);

async function withDatabase(folder: string, body: (db: DatabaseSync) => void | Promise<void>) {
  const db = new DatabaseSync(join(folder, "store.db"), { timeout: 1_000 });
  try {
    await body(db);
  } finally {
    db.close();
  }
}

test("a newer store is refused in one sentence and left as it was", async () => {
  const folder = await tempFolder();
  await (await openStore(folder)).close();
  await withDatabase(folder, (db) => db.exec(`PRAGMA user_version = ${FORMAT + 1}`));
  await expect(openStore(folder)).rejects.toMatchObject({
    kind: "store-format",
    message: expect.stringContaining(
      `has format ${FORMAT + 1}; this version of video-rrd reads formats up to ${FORMAT}`,
    ),
  });
  await withDatabase(folder, (db) => {
    expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: FORMAT + 1 });
  });
});

test("another program's database, a damaged one and a file in its place are distinguished", async () => {
  const foreign = await tempFolder();
  await withDatabase(foreign, (db) => db.exec("CREATE TABLE notes (text)"));
  await expect(openStore(foreign)).rejects.toMatchObject({ kind: "store-format" });

  const damaged = await tempFolder();
  const rubbish = "this is no database ".repeat(500);
  await writeFile(join(damaged, "store.db"), rubbish);
  await expect(openStore(damaged)).rejects.toMatchObject({ kind: "store-damaged" });
  expect(await readFile(join(damaged, "store.db"), "utf8")).toBe(rubbish);

  const file = join(await tempFolder(), "file");
  await writeFile(file, "");
  await expect(openStore(file)).rejects.toMatchObject({ kind: "file-unreadable" });

  const inTheWay = await tempFolder();
  await mkdir(join(inTheWay, "store.db"));
  await expect(openStore(inTheWay)).rejects.toMatchObject({ kind: "file-unreadable" });
});

test("many processes can open a new folder at once", async () => {
  const folder = await tempFolder();
  const stores = await Promise.all(Array.from({ length: 12 }, () => openStore(folder)));
  for (const store of stores) await store.close();
});

test("forget removes every row, file and byte, also while another process has the store open", async () => {
  const folder = await tempFolder();
  const store = await openStore(folder);
  const other = await openStore(folder);
  for (const video of [A, B]) await fill(store, video);
  expect(await other.events.after(`question of ${A}`, 0)).toHaveLength(1);
  await store.forget(A);

  await withDatabase(folder, (db) => {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables)
      for (const row of db.prepare(`SELECT * FROM ${String(name)}`).all())
        expect(`${name}: ${JSON.stringify(row)}`).not.toContain(A);
  });
  // In a process of its own: reading the database by other means would drop this process's locks on it.
  const grep = (text: string) =>
    execFileSync("sh", ["-c", 'grep -rl -- "$0" . ; find . -name "*$0*"', text], {
      cwd: folder,
      encoding: "utf8",
    });
  expect(grep(A)).toBe("");
  expect(grep(B)).not.toBe("");
  await store.close();
  await other.close();
});

test("a step of an unreachable process is taken over after its heartbeat stops", async () => {
  const folder = await tempFolder();
  await (await openStore(folder)).close();
  await withDatabase(folder, async (db) => {
    const now = Date.now();
    db.exec(`INSERT INTO holders VALUES ('far', 'another host', 1, '1', 7, ${now})`);
    db.exec("INSERT INTO leases VALUES ('k', 'far', 1, '[]')");
    const memo = createMemo(db, createWriteQueue(db), { beat_ms: 20, silence_ms: 300 });
    const beats = setInterval(() => db.exec("UPDATE holders SET beat = beat + 1"), 50);
    let done = false;
    const waiting = memo.once({ key: "k", tags: [], run: "r" }, async () => {
      done = true;
      return 1;
    });
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(done).toBe(false);
    clearInterval(beats);
    expect(await waiting).toEqual({ value: 1, cached: false });
    memo.close();
  });
});

test("a full database reports it, keeps its content, and continues when there is space", async () => {
  const folder = await tempFolder();
  await (await openStore(folder)).close();
  await withDatabase(folder, async (db) => {
    const memo = createMemo(db, createWriteQueue(db));
    const once = (key: string) =>
      memo.once({ key, tags: ["t"], run: "r" }, async () => "x".repeat(100_000));
    await once("first");
    const { page_count } = db.prepare("PRAGMA page_count").get() as { page_count: number };
    db.exec(`PRAGMA max_page_count = ${page_count + 2}`);
    await expect(once("second")).rejects.toMatchObject({ kind: "disk-full" });
    expect((await once("first")).cached).toBe(true);
    db.exec("PRAGMA max_page_count = 1000000");
    expect((await once("second")).cached).toBe(false);
    expect(db.prepare("SELECT * FROM leases").all()).toEqual([]);
    memo.close();
  });
});
