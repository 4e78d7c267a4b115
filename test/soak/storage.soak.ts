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

test(`${KILLS} kills at random times of processes with one store: only calls in flight are billed again`, async () => {
  const folder = await tempFolder();
  const [store, log] = [join(folder, "store"), join(folder, "log")];
  await appendFile(log, "");
  const random = seeded("storage soak");
  const keys = Array.from({ length: KILLS * 4 + 60 }, (_, i) => `key-${i}`);
  // Each process gets keys that other processes work on, and some new ones.
  const start = (round: number) => {
    const work_ms = 50 + random() * 300;
    const own = keys.slice(round * 4, round * 4 + 60);
    return startWorker({ do: "steps", store, log, keys: own, work_ms });
  };
  const workers: Worker[] = [start(0), start(0), start(0)];
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = kill % workers.length;
    const { pid } = workers[victim] as Worker;
    const patience = performance.now() + 2_000;
    while (!`\n${await readFile(log, "utf8")}`.includes(`\n${pid} start`)) {
      if (performance.now() > patience) break;
      await sleep(10);
    }
    await sleep(random() * 300);
    await workers[victim]?.kill();
    workers[victim] = start(kill + 1);
  }
  for (const worker of workers) await worker.kill();
  const last = startWorker({ do: "steps", store, log, keys, work_ms: 1 });
  expect(await last.said()).toEqual(keys.map((key) => `value of ${key}`));

  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
  for (const key of keys) {
    const own = lines.filter((line) => line.endsWith(` ${key}`)).map((line) => line.split(" "));
    // Work on a key does not overlap: none begins before the one that completed has ended.
    const ends = own.filter(([, what]) => what === "end").map(([pid]) => pid);
    for (const pid of ends) {
      const began = own.findIndex(([who, what]) => who === pid && what === "start");
      const ended = own.findIndex(([who, what]) => who === pid && what === "end");
      expect(ended).toBe(began + 1);
    }
    // Work is repeated only if the process was killed between its end and the write, which is almost never.
    expect(ends.length).toBeGreaterThanOrEqual(1);
    expect(ends.length).toBeLessThanOrEqual(2);
  }
  const started = lines.filter((line) => line.includes(" start ")).length;
  const ended = lines.filter((line) => line.includes(" end ")).length;
  // Some kills hit work in flight.
  expect(started - ended).toBeGreaterThan(KILLS / 2);
  expect(ended - keys.length).toBeLessThanOrEqual(KILLS * 0.1);
  await expectWhole(store);
});

test("kills while blobs are written leave no damaged, orphaned or temporary file", async () => {
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
    await writer.said();
    await sleep(random() * 150);
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
