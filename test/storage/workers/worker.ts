import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isFailure } from "../../../src/core/errors.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";

/*
 * A process of its own for the tests of shared stores: `node worker.ts JOB`, the job as JSON.
 * It prints one JSON line when it is ready or done; `log` gets a line at the start and the end of each piece of work.
 */

/** `address`: of the database, default SQLite. `clock_ms`: added to the clock of the process. */
type Setting = { address?: string; clock_ms?: number };

export type Job =
  /** Runs every key once, all at the same time, and prints the values. */
  | ({ do: "steps"; store: string; log: string; keys: string[]; work_ms: number } & Setting)
  | ({ do: "blobs"; store: string; video: string; texts: string[] } & Setting)
  /** Fills the disk with blobs, then with steps; prints the failures and the files left in `tmp/`. */
  | { do: "fill-disk"; store: string; run: string }
  /** Locks the run and stays until it is killed. */
  | { do: "lock"; run: string }
  | { do: "append"; run: string; from: number };

const VIDEO = "a".repeat(64);
const job = JSON.parse(process.argv[2] ?? "") as Job;
const { address = null, clock_ms = 0 } = "store" in job ? (job as Setting) : {};
const clock = Date.now;
Date.now = () => clock() + clock_ms;
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

switch (job.do) {
  case "steps": {
    const store = await openStore(job.store, address);
    const results = job.keys.map((key) =>
      store.memo.once({ key, tags: [VIDEO], run: "run" }, async () => {
        appendFileSync(job.log, `${process.pid} start ${key}\n`);
        await sleep(job.work_ms);
        appendFileSync(job.log, `${process.pid} end ${key}\n`);
        return `value of ${key}`;
      }),
    );
    const values = await Promise.all(results);
    await store.close();
    say(values.map(({ value }) => value));
    break;
  }
  case "blobs": {
    const store = await openStore(job.store, address);
    say("open");
    for (const text of job.texts)
      await store.blobs.put(job.video, new TextEncoder().encode(text), "txt");
    await store.close();
    say("done");
    break;
  }
  case "fill-disk": {
    const { readdir } = await import("node:fs/promises");
    const store = await openStore(job.store, address);
    await store.memo.once({ key: "before", tags: [VIDEO], run: "run" }, async () => "kept");
    const log = openRunLog(job.run);
    await log.append({ sample: "before", epoch: 1 });
    const kindOf = async (work: (i: number) => Promise<unknown>) => {
      for (let i = 0; i < 10_000; i++) {
        try {
          await work(i);
        } catch (error) {
          return isFailure(error) ? [error.kind, error.message] : ["other", String(error)];
        }
      }
      return ["none"];
    };
    const big = (i: number) => new Uint8Array(100_000).fill(i);
    const long = "x".repeat(50_000);
    const blob = await kindOf((i) => store.blobs.put(VIDEO, big(i), "jpg"));
    const left = await readdir(`${job.store}/tmp`);
    const sample = await kindOf((i) => log.append({ sample: `s${i}`, epoch: 1, long }));
    const step = await kindOf((i) =>
      store.memo.once({ key: `k${i}`, tags: [VIDEO], run: "run" }, async () => long),
    );
    say({
      blob,
      left,
      sample,
      step,
      kept: await store.memo.peek("before", "other"),
      damaged: (await log.read()).damaged,
    });
    await store.close();
    break;
  }
  case "lock":
    await openRunLog(job.run).lock();
    say("locked");
    setInterval(() => {}, 1_000);
    break;
  case "append": {
    const log = openRunLog(job.run);
    await log.lock();
    say("locked");
    for (let i = job.from; ; i++)
      await log.append({ sample: `s${i}`, epoch: 1, text: "x".repeat(i % 300) });
  }
}
