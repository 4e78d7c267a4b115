import { existsSync } from "node:fs";
import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sha256 } from "../../../src/core/hash.ts";
import { pathOfKey } from "../../../src/storage/blobs/blob-bytes.ts";
import { createBlobCache } from "../../../src/storage/blobs/blob-cache.ts";
import type { BlobPlace } from "../../../src/storage/blobs/blob-place.ts";
import { createOwnedBlobs } from "../../../src/storage/blobs/owned-blobs.ts";
import { createS3Bytes } from "../../../src/storage/blobs/s3/s3-bytes.ts";
import { readS3Place } from "../../../src/storage/blobs/s3/s3-place.ts";
import { S3_LIMITS } from "../../../src/storage/blobs/s3/s3-requests.ts";
import { makeFolder } from "../../../src/storage/make-folder.ts";
import { openStore } from "../../../src/storage/open.ts";
import { temporaryFolder } from "../../../src/storage/paths.ts";
import { createBlobRows } from "../../../src/storage/sqlite/blob-rows.ts";
import { onFullDisk } from "../../support/full-disk.ts";
import { type Fault, type S3Server, startS3Server } from "../../support/s3-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { blobsInS3Contract } from "../contracts/blobs-in-s3.ts";
import { storeContract } from "../contracts/store.ts";

const [A, B, C] = ["a", "b", "c"].map((letter) => letter.repeat(64)) as [string, string, string];
const bytes = (text: string) => new TextEncoder().encode(text);
const FUTURE = Date.now() + 86_400_000;

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server({ bucket: "films", page: 5 });
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "ann");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.reset();
});

const bucket = (name = "study"): BlobPlace => ({
  address: `s3://films/${name}`,
  endpoint: server.url,
});

blobsInS3Contract("SQLite", (folder, blobs) => openStore(folder, null, blobs));
storeContract("SQLite, and blobs in a shared folder", (folder) =>
  openStore(folder, null, { address: join(folder, "shared") }),
);
storeContract(
  "SQLite, and blobs in S3",
  (folder) => openStore(folder, null, bucket(basename(folder))),
  async (path) => {
    await rm(path);
    for (const [key, object] of server.objects)
      if (key.endsWith(basename(path)))
        server.objects.set(key, { ...object, body: Buffer.alloc(0) });
  },
);

describe("blobs in S3", () => {
  test("copies of a video that another machine forgot leave the cache, unless they were used just now", async () => {
    const store = await openStore(await tempFolder(), null, bucket());
    const put = (text: string, video: string) => store.blobs.put(video, bytes(text), "jpg");
    const [old, fresh, kept] = [await put("old", A), await put("fresh", A), await put("kept", B)];
    const copies = await Promise.all([old, fresh, kept].map(({ path }) => readFile(path)));
    await store.blobs.forget(A);
    const hour = new Date(Date.now() - 3_600_000);
    for (const [index, { path }] of [old, fresh, kept].entries()) {
      await writeFile(path, copies[index] ?? "");
      if (path !== fresh.path) await utimes(path, hour, hour);
    }
    await store.cleanBlobCache();
    expect([old, fresh, kept].map(({ path }) => existsSync(path))).toEqual([false, true, true]);
    await store.close();
  });

  test("a second machine with the same rows reads them, and keeps a copy", async () => {
    const one = await openStore(await tempFolder(), null, bucket());
    const { hash, path } = await one.blobs.put(A, bytes("frame"), "jpg");
    await one.close();
    const second = await tempFolder();
    for (const name of ["store.db", "store.db-wal"])
      if (existsSync(join(one.folder, name)))
        await writeFile(join(second, name), await readFile(join(one.folder, name)));
    const two = await openStore(second, null, bucket());
    server.seen.length = 0;
    const paths = await Promise.all(Array.from({ length: 5 }, () => two.blobs.path(hash)));
    expect(new Set(paths)).toEqual(new Set([path.replace(one.folder, second)]));
    expect(await readFile(paths[0] ?? "", "utf8")).toBe("frame");
    expect(new TextDecoder().decode(await two.blobs.read(hash))).toBe("frame");
    expect(server.seen.map(({ method }) => method)).toEqual(["GET"]);
    expect((await two.derivedSize(A)).frames).toBe(5);
    expect(await readdir(temporaryFolder(second))).toEqual([]);
    await two.close();
  });

  test("changed bytes are not served, a changed copy is replaced, and missing bytes are explained", async () => {
    const { blobs, close } = await openStore(await tempFolder(), null, bucket());
    const { hash, path } = await blobs.put(A, bytes("frame"), "jpg");
    await writeFile(path, "frown");
    expect(new TextDecoder().decode(await blobs.read(hash))).toBe("frame");
    expect(await readFile(path, "utf8")).toBe("frame");
    const [key = "", object] = [...server.objects][0] ?? [];
    server.objects.set(key, { modified: new Date(), ...object, body: Buffer.from("frown") });
    await rm(path);
    const damaged = { kind: "store-damaged", message: expect.stringContaining("s3://films/study") };
    await expect(blobs.read(hash)).rejects.toMatchObject(damaged);
    await expect(blobs.path(hash)).rejects.toMatchObject(damaged);
    expect(existsSync(path)).toBe(false);
    server.objects.clear();
    await expect(blobs.path(hash)).rejects.toMatchObject({
      kind: "not-found",
      message: expect.stringMatching(/not in s3:\/\/films\/study.*--blobs/),
    });
    await close();
  });

  test("only old bytes without an owner are removed, and a dry run removes none", async () => {
    const store = await openStore(await tempFolder(), null, bucket());
    await store.blobs.put(A, bytes("owned"), "jpg");
    const place = (text: string, age_ms: number) =>
      server.objects.set(`study/${pathOfKey(`${sha256(text)}.jpg`)}`, {
        body: Buffer.from(text),
        modified: new Date(Date.now() - age_ms),
      });
    for (let i = 0; i < 40; i++) place(`left ${i}`, 7_200_000);
    place("new", 0);
    server.objects.set("study/notes.txt", { body: Buffer.from("x"), modified: new Date(0) });
    const before = Date.now() - 3_600_000;
    const found = { blobs: 40, bytes: 10 * 6 + 30 * 7, unfinished: 0 };
    expect(await store.removeUnownedBlobs(before, true)).toEqual(found);
    expect(server.objects.size).toBe(43);
    expect(await store.removeUnownedBlobs(before, false)).toEqual(found);
    expect([...server.objects.values()].map(({ body }) => body.toString()).sort()).toEqual([
      "new",
      "owned",
      "x",
    ]);
    await store.close();
    const other = await openStore(await tempFolder(), null, bucket());
    await expect(other.removeUnownedBlobs(FUTURE, false)).rejects.toMatchObject({
      kind: "wrong-usage",
      message: expect.stringMatching(/^No blob in s3:\/\/films\/study belongs to this store/),
    });
    expect(server.objects.size).toBe(3);
    await other.close();
  });

  test("a disk that fills within a download is full, and the stored blob is not called damaged", async () => {
    const folder = await tempFolder();
    const store = await openStore(folder, null, bucket());
    const { hash, path } = await store.blobs.put(A, bytes("a long frame"), "jpg");
    await rm(path);
    await onFullDisk(5, async () => {
      await expect(store.blobs.path(hash)).rejects.toMatchObject({ kind: "disk-full" });
    });
    expect(await readFile(await store.blobs.path(hash), "utf8")).toBe("a long frame");
    await store.close();
  });

  const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    fc.constantFrom<Fault>(
      { kind: "status", status: 503, code: "SlowDown" },
      { kind: "lost", after: false },
      { kind: "lost", after: true },
      { kind: "slow", ms: 2 },
    ),
  );

  test("whatever two processes put, forget and remove under faults, acknowledged blobs are readable", async () => {
    const folder = await tempFolder();
    await (await openStore(folder, null)).close();
    await makeFolder(temporaryFolder(folder));
    let round = 0;
    const limits = { ...S3_LIMITS, part_bytes: 6, first_ms: 1, longest_ms: 2, attempts: 3 };
    const operation = fc.record({
      kind: fc.constantFrom("put", "put", "put", "forget", "collect"),
      blob: fc.nat(2),
      by: fc.nat(1),
    });
    // The operations of a step run at the same time, at most one for each video.
    const step = fc.tuple(operation, operation, operation);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.array(fault, { minLength: 1, maxLength: 30 }),
        async (steps, faults) => {
          server.reset();
          const place = readS3Place(`s3://films/${++round}`, server.url, {});
          const open = () => {
            const db = new DatabaseSync(join(folder, "store.db"), { timeout: 10_000 });
            const rows = createBlobRows(db, folder);
            const cache = createBlobCache(folder, 1e6);
            const blobs = createOwnedBlobs(rows, createS3Bytes(place, limits), cache);
            const close = () => {
              for (const each of [blobs, rows, db]) each.close();
            };
            return { blobs, close };
          };
          const [one, two] = [open(), open()];
          for (const video of [A, B, C]) await one.blobs.forget(video);
          const texts = ["", `short${round % 2}`, `long blob of ${round}`];
          const kept = new Map([A, B, C].map((video) => [video, new Set<string>()]));
          let next = 0;
          server.fail(() => faults[next++ % faults.length]);
          for (const operations of steps)
            await Promise.all(
              operations.map(async ({ kind, blob, by }, index) => {
                const video = [A, B, C][index] ?? A;
                const blobs = (by === 0 ? one : two).blobs;
                const text = texts[blob] ?? "";
                if (kind === "put") {
                  const put = await blobs.put(video, bytes(text), "jpg").catch(() => null);
                  if (put !== null) kept.get(video)?.add(text);
                } else if (kind === "forget") {
                  kept.get(video)?.clear();
                  await blobs.forget(video).catch(() => null);
                } else await blobs.removeUnowned(FUTURE, false).catch(() => null);
              }),
            );
          server.fail(() => undefined);
          await rm(join(folder, "blob-cache"), { recursive: true, force: true });
          for (const texts of kept.values())
            for (const text of texts)
              expect(new TextDecoder().decode(await one.blobs.read(sha256(text)))).toBe(text);
          for (const video of [A, B, C]) await one.blobs.forget(video);
          await one.blobs.put(A, bytes("last"), "jpg");
          await one.blobs.removeUnowned(FUTURE, false);
          await one.blobs.forget(A);
          expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
          for (const { close } of [one, two]) close();
        },
      ),
      { numRuns: 10 },
    );
  });
});

describe("the cache of blobs", () => {
  test("removes what was not used for longest, but nothing that may be in use", async () => {
    const folder = await tempFolder();
    await makeFolder(temporaryFolder(folder));
    const open = () => createBlobCache(folder, 100, 60_000);
    const key = (i: number) => `${sha256(`${i}`)}.jpg`;
    const never = () => Promise.reject(new Error("fetched"));
    const fetch = (file: string) => writeFile(file, new Uint8Array(20));
    const paths = [];
    for (let i = 0; i < 8; i++) paths.push(await open().path(key(i), fetch));
    expect(paths.every(existsSync)).toBe(true);
    for (const [i, path] of paths.entries()) await utimes(path, 1000 + i, 1000 + i);
    await open().path(key(0), never);
    await open().path(key(8), fetch);
    // 20 of 180 bytes each: the two in use and the two that were used last stay.
    expect(paths.map(existsSync)).toEqual([true, false, false, false, false, false, true, true]);
  });

  test("callers at the same time share one download, and a failed one leaves nothing", async () => {
    const folder = await tempFolder();
    await makeFolder(temporaryFolder(folder));
    const cache = createBlobCache(folder, 1e6);
    const key = `${sha256("x")}.jpg`;
    await expect(cache.path(key, () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    let calls = 0;
    const fetch = async () => {
      calls++;
      return bytes("x");
    };
    await Promise.all(Array.from({ length: 4 }, () => cache.read(key, sha256("x"), fetch)));
    expect(calls).toBe(1);
    expect(await readdir(temporaryFolder(folder))).toEqual([]);
  });
});
