import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { backUp } from "../../../src/storage/backup/back-up.ts";
import { restoreBackup } from "../../../src/storage/backup/restore.ts";
import { lockFolder } from "../../../src/storage/folder-lock.ts";
import { openStore } from "../../../src/storage/open.ts";
import { uploadPath } from "../../../src/storage/paths.ts";
import { CLI } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

/** Stores an upload with its file, a frame, and a reply. Everything is acknowledged when it returns. */
async function addVideo(store: Store, id: string, bytes = `bytes of ${id}`): Promise<string> {
  const hash = sha256(bytes);
  const file = uploadPath(store.folder, id);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
  const { size, mtimeMs } = await stat(file);
  await store.catalogue.putVideo({ hash, path: file, size, modified_ms: Math.trunc(mtimeMs) });
  const video = { hash, duration_s: 1, container: "mp4", width: 1, height: 1 };
  await store.service.putUpload({ id, owner: "", name: id, size, created_at: 1, video });
  await store.blobs.put(hash, Buffer.from(`frame of ${id}`), "jpg");
  const step = { key: sha256(`step of ${id}`), tags: [hash], run: "r" };
  await store.memo.once(step, async () => `reply on ${id}`);
  return hash;
}

/** Throws unless everything about an upload is there, whole. */
async function checkVideo(store: Store, id: string): Promise<void> {
  const row = await store.service.upload(id);
  const file = uploadPath(store.folder, id);
  expect(sha256(await readFile(file))).toBe(row?.video?.hash);
  await store.blobs.read(sha256(`frame of ${id}`));
  expect(await store.memo.peek(sha256(`step of ${id}`), "r")).toBe(`reply on ${id}`);
  const { size, mtimeMs } = await stat(file);
  expect(await store.catalogue.knownVideo(file, size, Math.trunc(mtimeMs))).toBe(row?.video?.hash);
}

async function folders() {
  const root = await tempFolder();
  return { data: join(root, "data"), out: join(root, "backup"), to: join(root, "restored") };
}

test("a backup is repeated for what is new, and restored with every file and the paths of the new folder", async () => {
  const { data, out, to } = await folders();
  const store = await openStore(data);
  await addVideo(store, "one");
  await addVideo(store, "copy-of-one", "bytes of one");
  await mkdir(dirname(uploadPath(data, "part")), { recursive: true });
  await writeFile(uploadPath(data, "part"), "half");
  await store.service.putUpload({
    ...{ id: "part", owner: "", name: "p", size: 9, created_at: 1, video: null },
  });
  await writeFile(`${uploadPath(data, "one")}.srt`, "subtitles");
  const first = await backUp(data, out);
  expect(first).toMatchObject({ copied: 5, kept: 0, removed: 0 });
  expect(first.manifest).toMatchObject({ files: 6, missing: [], damaged: [], folder: data });

  await addVideo(store, "two");
  await store.service.dropUpload("copy-of-one");
  await store.service.dropUpload("part");
  await appendFile(uploadPath(data, "part"), "more");
  const second = await backUp(data, out);
  expect(second).toMatchObject({ copied: 2, kept: 4, removed: 2 });
  expect((await readdir(out)).filter((name) => name.endsWith(".db"))).toHaveLength(1);
  await store.close();

  await restoreBackup(out, to);
  const restored = await openStore(to);
  for (const id of ["one", "two"]) await checkVideo(restored, id);
  expect(await readFile(`${uploadPath(to, "one")}.srt`, "utf8")).toBe("subtitles");
  expect(await restored.service.upload("copy-of-one")).toBeUndefined();
  await restored.close();
  await expect(restoreBackup(out, to)).rejects.toThrow("is not empty");
});

/** Stores an unfinished upload. */
async function addUnfinished(store: Store, id: string, bytes: string): Promise<void> {
  await mkdir(dirname(uploadPath(store.folder, id)), { recursive: true });
  await writeFile(uploadPath(store.folder, id), bytes);
  await store.service.putUpload({ id, owner: "", name: id, size: 99, created_at: 1, video: null });
}

test("a backup that is interrupted after it placed a grown upload leaves the backup before it whole", async () => {
  const { data, out, to } = await folders();
  const store = await openStore(data);
  for (const id of ["first", "second"]) await addUnfinished(store, id, "begin");
  await backUp(data, out);
  await appendFile(uploadPath(data, "first"), " end");
  const stop = new AbortController();
  const progress = (done: number, _total: number, unit: string) => {
    if (unit === "files" && done === 1) stop.abort();
  };
  await expect(backUp(data, out, { signal: stop.signal, progress })).rejects.toThrow();
  await restoreBackup(out, to);
  expect(await readFile(uploadPath(to, "first"), "utf8")).toBe("begin");

  expect(await backUp(data, out)).toMatchObject({ removed: 1 });
  await restoreBackup(out, `${to}-later`);
  expect(await readFile(uploadPath(`${to}-later`, "first"), "utf8")).toBe("begin end");
  await store.close();
});

test("a backup of an older version, with unfinished uploads by name, is restored", async () => {
  const { data, out, to } = await folders();
  const store = await openStore(data);
  await addUnfinished(store, "part", "half");
  const { manifest } = await backUp(data, out);
  const [{ file = "", ...rest } = {}] = manifest.loose;
  await rename(join(out, "loose", file), join(out, "loose", "part", "part"));
  await writeFile(join(out, "backup.json"), JSON.stringify({ ...manifest, loose: [rest] }));
  await restoreBackup(out, to);
  expect(await readFile(uploadPath(to, "part"), "utf8")).toBe("half");
  await store.close();
});

test("a step in flight while the backup is made is begun again at once, though its process still runs", async () => {
  const { data, out, to } = await folders();
  const step = { key: sha256("a step"), tags: [], run: "r" };
  const store = await openStore(data);
  const reply = Promise.withResolvers<string>();
  const running = Promise.withResolvers<void>();
  const asked = store.memo.once(step, () => {
    running.resolve();
    return reply.promise;
  });
  await running.promise;
  await backUp(data, out);
  await restoreBackup(out, to);
  const restored = await openStore(to);
  const began = performance.now();
  expect(await restored.memo.once(step, async () => "again")).toMatchObject({ value: "again" });
  expect(performance.now() - began).toBeLessThan(20_000);
  reply.resolve("first");
  expect(await asked).toMatchObject({ value: "first" });
  await Promise.all([store.close(), restored.close()]);
});

test("what is wrong is refused before anything is written", async () => {
  const { data, out, to } = await folders();
  await expect(backUp(data, out)).rejects.toMatchObject({ kind: "not-found" });
  await (await openStore(data)).close();
  await mkdir(out);
  await writeFile(join(out, "letter.txt"), "mine");
  await expect(backUp(data, out)).rejects.toThrow("has other files");
  await expect(backUp(data, join(data, "backup"))).rejects.toThrow("within the other");
  await expect(restoreBackup(out, to)).rejects.toMatchObject({ kind: "not-found" });
  await rm(join(out, "letter.txt"));
  await backUp(data, out);
  await mkdir(join(to, "service"), { recursive: true });
  const lock = lockFolder(join(to, "service"));
  await expect(restoreBackup(out, to)).rejects.toMatchObject({ kind: "store-busy" });
  await lock.release();
});

test("damaged files are told at both ends, and a restore of them is not taken for a data folder", async () => {
  const { data, out, to } = await folders();
  const store = await openStore(data);
  const hash = await addVideo(store, "one");
  await addVideo(store, "two");
  await backUp(data, out, { mode: "copy" });
  const copy = join(out, "videos", hash.slice(0, 2), hash);
  await writeFile(copy, "bytes of 0ne");
  await expect(restoreBackup(out, to)).rejects.toMatchObject({ kind: "store-damaged" });
  await expect(openStore(to)).rejects.toMatchObject({ kind: "store-busy" });
  // The same backup, mended, continues the restore.
  expect((await backUp(data, out)).copied).toBe(0);
  expect((await backUp(data, out, { verify: true })).copied).toBe(1);
  await restoreBackup(out, to);
  await writeFile(uploadPath(data, "two"), "bytes of twO");
  const { manifest } = await backUp(data, join(dirname(out), "other"));
  expect(manifest.damaged).toHaveLength(1);
  await store.close();
});

test("a backup that is killed again and again stays whole, while videos come and go", async () => {
  const { data, out, to } = await folders();
  const store = await openStore(data);
  for (let i = 0; i < 20; i++) await addVideo(store, `base-${i}`, `${i}`.repeat(100_000));
  await backUp(data, out, { mode: "copy" });
  const acknowledged = new Set<string>();
  let over = false;
  const writing = (async () => {
    for (let i = 0; !over; i++) {
      await addVideo(store, `new-${i}`);
      acknowledged.add(`new-${i}`);
      if (i % 3 === 0) {
        const gone = await addVideo(store, `gone-${i}`);
        await store.service.dropUpload(`gone-${i}`);
        await store.forget(gone);
        await rm(dirname(uploadPath(data, `gone-${i}`)), { recursive: true });
      }
      await new Promise((done) => setTimeout(done, 2));
    }
  })();
  for (const wait of [320, 450]) {
    const child: ChildProcess = spawn(
      process.execPath,
      [CLI, "backup", data, "--out", out, "--copy", "--verify"],
      { stdio: "ignore" },
    );
    await new Promise((done) => setTimeout(done, wait));
    child.kill("SIGKILL");
    await once(child, "exit");
    const { file } = JSON.parse(await readFile(join(out, "backup.json"), "utf8")).database;
    expect((await stat(join(out, file))).size).toBeGreaterThan(0);
  }
  const before = [...acknowledged];
  const { manifest } = await backUp(data, out);
  over = true;
  await writing;
  expect([manifest.missing, manifest.damaged]).toEqual([[], []]);
  await store.close();

  const restoring = spawn(process.execPath, [CLI, "restore", out, "--to", to], { stdio: "ignore" });
  await new Promise((done) => setTimeout(done, 450));
  restoring.kill("SIGKILL");
  await once(restoring, "exit");
  if (!existsSync(join(to, "store.db")) || existsSync(join(to, "restoring.json"))) {
    if (existsSync(join(to, "restoring.json")))
      await expect(openStore(to)).rejects.toMatchObject({ kind: "store-busy" });
    await restoreBackup(out, to);
  }
  const restored = await openStore(to);
  for (const id of before) await checkVideo(restored, id);
  for (const { id, video } of await restored.service.uploads()) {
    // One that was being stored or removed may lack parts, but no file has other bytes.
    const bytes = await readFile(uploadPath(to, id)).catch(() => null);
    if (bytes !== null) expect(sha256(bytes)).toBe(video?.hash);
  }
  await restored.close();
});
