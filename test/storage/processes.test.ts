import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { temporaryPath } from "../../src/storage/temporary.ts";
import { canMount } from "../support/own-disk.ts";
import { tempFolder } from "../support/temp.ts";
import { startWorker } from "./workers/spawn.ts";

const A = "a".repeat(64);
const keys = (count: number) => Array.from({ length: count }, (_, i) => `key-${i}`);

async function linesOf(log: string): Promise<string[]> {
  return (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
}

async function startedIn(log: string): Promise<string> {
  for (;;) {
    if ((await linesOf(log)).length > 0) return (await linesOf(log))[0] ?? "";
    await sleep(10);
  }
}

async function folderWithLog() {
  const folder = await tempFolder();
  const log = join(folder, "log");
  await appendFile(log, "");
  return { store: join(folder, "store"), log, run: join(folder, "run") };
}

test("three processes with the same fifty keys do each exactly once", async () => {
  const { store, log } = await folderWithLog();
  const job = { do: "steps", store, log, keys: keys(50), work_ms: 30 } as const;
  const workers = [startWorker(job), startWorker(job), startWorker(job)];
  const expected = keys(50).map((key) => `value of ${key}`);
  for (const worker of workers) expect(await worker.said()).toEqual(expected);
  const starts = (await linesOf(log)).filter((line) => line.includes("start"));
  expect(starts.map((line) => line.split(" ")[2]).sort()).toEqual(keys(50).sort());
});

test("a step of a killed process is taken over within seconds, one of a live process is waited for", async () => {
  const { store, log } = await folderWithLog();
  const holder = startWorker({ do: "steps", store, log, keys: ["k"], work_ms: 600_000 });
  expect(await startedIn(log)).toBe(`${holder.pid} start k`);
  const waiter = startWorker({ do: "steps", store, log, keys: ["k"], work_ms: 1 });
  const answer = waiter.said();
  expect(await Promise.race([answer, sleep(1_000, "waits")])).toBe("waits");
  await holder.kill();
  expect(await Promise.race([answer, sleep(5_000, "waits")])).toEqual(["value of k"]);
  expect(await linesOf(log)).toEqual([
    `${holder.pid} start k`,
    `${waiter.pid} start k`,
    `${waiter.pid} end k`,
  ]);
});

test("stored values survive a kill", async () => {
  const { store, log } = await folderWithLog();
  const worker = startWorker({ do: "steps", store, log, keys: ["quick"], work_ms: 0 });
  expect(await worker.said()).toEqual(["value of quick"]);
  const slow = startWorker({ do: "steps", store, log, keys: ["quick", "slow"], work_ms: 60_000 });
  while (!(await linesOf(log)).some((line) => line.endsWith("start slow"))) await sleep(10);
  await slow.kill();
  const opened = await openStore(store);
  expect(await opened.memo.peek("quick", "other")).toBe("value of quick");
  expect(await opened.memo.peek("slow", "run")).toBeUndefined();
  await opened.close();
});

test("processes that store the same blobs leave one file each and nothing temporary", async () => {
  const { store } = await folderWithLog();
  const texts = Array.from({ length: 40 }, (_, i) => `frame ${i}`);
  const workers = [A, "b".repeat(64), A].map((video) =>
    startWorker({ do: "blobs", store, video, texts }),
  );
  for (const worker of workers) {
    expect(await worker.said()).toBe("open");
    expect(await worker.said()).toBe("done");
  }
  const files = await readdir(join(store, "blobs"), { recursive: true });
  expect(files.filter((file) => file.endsWith(".txt"))).toHaveLength(40);
  expect(await readdir(join(store, "tmp"))).toEqual([]);
});

test("a half-written file of a killed process is deleted at the next opening; one in progress stays", async () => {
  const { store, log } = await folderWithLog();
  const dead = startWorker({ do: "steps", store, log, keys: ["k"], work_ms: 60_000 });
  await startedIn(log);
  const living = temporaryPath(store);
  const [host, , started] = basename(living).split("-");
  await writeFile(living, "half");
  await writeFile(join(store, "tmp", `${host}-${dead.pid}-${started}-1`), "half");
  await dead.kill();
  await (await openStore(store)).close();
  expect(await readdir(join(store, "tmp"))).toEqual([basename(living)]);
});

test("a run belongs to one process at a time, and is free when that is killed", async () => {
  const { run } = await folderWithLog();
  const holder = startWorker({ do: "lock", run });
  expect(await holder.said()).toBe("locked");
  await expect(openRunLog(run).lock()).rejects.toMatchObject({
    kind: "store-busy",
    message: expect.stringContaining(`in use by process ${holder.pid}.`),
    facts: { pid: holder.pid },
  });
  await holder.kill();
  await (await openRunLog(run).lock()).release();
});

test("a run whose process is killed while it writes loses nothing that was written", async () => {
  const { run } = await folderWithLog();
  for (let round = 0; round < 3; round++) {
    const before = (await openRunLog(run).read()).samples.length;
    const writer = startWorker({ do: "append", run, from: before });
    while ((await openRunLog(run).read()).samples.length < before + 20) await sleep(10);
    await writer.kill();
    const { samples } = await openRunLog(run).read();
    expect(samples.map(({ sample }) => sample)).toEqual(samples.map((_, i) => `s${i}`));
  }
});

test.skipIf(!canMount())(
  "a full disk is reported in one sentence; nothing stored is lost, and no temporary file remains",
  async () => {
    const folder = await tempFolder();
    const mounted = ["unshare", "-rm", "sh", "-c"];
    const script = `mount -t tmpfs -o size=6m none ${folder} && exec "$0" "$@"`;
    const worker = startWorker(
      { do: "fill-disk", store: join(folder, "store"), run: join(folder, "run") },
      [...mounted, script],
    );
    const sentence = expect.stringMatching(/^The disk is full.*Free some space/);
    expect(await worker.said()).toEqual({
      blob: ["disk-full", sentence],
      left: [],
      sample: ["disk-full", sentence],
      step: ["disk-full", sentence],
      kept: "kept",
      damaged: 0,
    });
  },
);
