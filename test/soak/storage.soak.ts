import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { seeded } from "../../src/core/random.ts";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { startWorker, type Worker } from "../storage/workers/spawn.ts";
import { tempFolder } from "../support/temp.ts";

const A = "a".repeat(64);
const KILLS = 120;

test(`${KILLS} kills at random times while processes share a store: paid twice is only what was in flight`, async () => {
  const folder = await tempFolder();
  const [store, log] = [join(folder, "store"), join(folder, "log")];
  await appendFile(log, "");
  const random = seeded("storage soak");
  const keys = Array.from({ length: 400 }, (_, i) => `key-${i}`);
  const start = () => {
    const from = Math.floor(random() * 300);
    return startWorker({
      do: "steps",
      store,
      log,
      keys: keys.slice(from, from + 100),
      work_ms: 20,
    });
  };
  const workers: Worker[] = [start(), start(), start()];
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(random() * 400);
    const victim = Math.floor(random() * workers.length);
    await workers[victim]?.kill();
    workers[victim] = start();
  }
  for (const worker of workers) await worker.kill();
  const last = startWorker({ do: "steps", store, log, keys, work_ms: 1 });
  expect(await last.said()).toEqual(keys.map((key) => `value of ${key}`));

  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
  for (const key of keys) {
    const own = lines.filter((line) => line.endsWith(` ${key}`)).map((line) => line.split(" "));
    // One flight after the other: nobody starts while another who then ends is still at it.
    const ends = own.filter(([, what]) => what === "end").map(([pid]) => pid);
    for (const pid of ends) {
      const began = own.findIndex(([who, what]) => who === pid && what === "start");
      const ended = own.findIndex(([who, what]) => who === pid && what === "end");
      expect(ended).toBe(began + 1);
    }
    // Done twice only where the process was killed between the end of its work and the write: no time at all.
    expect(ends.length).toBeGreaterThanOrEqual(1);
    expect(ends.length).toBeLessThanOrEqual(2);
  }
  const twice = lines.filter((line) => line.includes(" end ")).length - keys.length;
  expect(twice).toBeLessThanOrEqual(KILLS * 0.1);
  await expectWhole(store);
});

test("kills while blobs are written leave no damaged, no orphaned and no temporary file", async () => {
  const store = join(await tempFolder(), "store");
  const random = seeded("blob soak");
  for (let kill = 0; kill < 60; kill++) {
    const texts = Array.from(
      { length: 1_000 },
      (_, i) => `frame ${Math.floor(random() * 500)} ${i}`,
    );
    const videos = [A, "b".repeat(64)];
    const workers = videos.map((video) => startWorker({ do: "blobs", store, video, texts }));
    for (const worker of workers) await worker.said();
    await sleep(random() * 100);
    for (const worker of workers) await worker.kill();
  }
  const opened = await openStore(store);
  expect(await readdir(join(store, "tmp"))).toEqual([]);
  const files = (await readdir(join(store, "blobs"), { recursive: true })).filter((file) =>
    file.endsWith(".txt"),
  );
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) await opened.blobs.read(file.slice(3, 67));
  await opened.forget(A);
  await opened.forget("b".repeat(64));
  await opened.close();
  const left = await readdir(join(store, "blobs"), { recursive: true });
  expect(left.filter((file) => file.endsWith(".txt"))).toEqual([]);
  await expectWhole(store);
});

test("kills while a run is written lose no written line", async () => {
  const run = join(await tempFolder(), "run");
  const random = seeded("run soak");
  let seen = 0;
  for (let kill = 0; kill < 60; kill++) {
    const writer = startWorker({ do: "append", run, from: seen });
    await sleep(60 + random() * 200);
    const before = (await openRunLog(run).read()).samples.length;
    await writer.kill();
    const { samples } = await openRunLog(run).read();
    expect(samples.length).toBeGreaterThanOrEqual(Math.max(before, seen));
    expect(samples.map(({ sample }) => sample)).toEqual(samples.map((_, i) => `s${i}`));
    seen = samples.length;
  }
  expect(seen).toBeGreaterThan(100);
});

async function expectWhole(store: string): Promise<void> {
  const db = new DatabaseSync(join(store, "store.db"));
  expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  db.close();
}
