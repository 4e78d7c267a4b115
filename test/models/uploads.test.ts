import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Store } from "../../src/core/contracts.ts";
import { readSettings } from "../../src/core/settings.ts";
import { PREPARING } from "../../src/models/providers/google-genai/files.ts";
import { withRemoteFiles } from "../../src/models/release-uploads.ts";
import { STORAGE } from "../../src/models/uploads.ts";
import { openStore } from "../../src/storage/open.ts";
import { type SeenRequest, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";
import { askAbout, bigVideo } from "./big-video.ts";
import { rig, VIDEO } from "./setup.ts";

PREPARING.first_ms = 1;
const MODEL = "google-genai:gemini";
let server: Awaited<ReturnType<typeof startModelServer>>;
let store: Store;
let folder: string;
const stop: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of stop) await end();
});

beforeEach(async () => {
  server = await startModelServer(() => "A");
  folder = await tempFolder();
  store = await openStore(folder);
  stop.push(server.close, store.close);
});

const settings = () =>
  readSettings({ strategy: "direct", model: MODEL, runtime: { base_url: server.url } });

/** Asks in one run about a video that has to be uploaded, and returns the notes. */
async function run(words: readonly string[], bytes?: string): Promise<string[]> {
  const notes: string[] = [];
  const { models } = rig(server, MODEL, { store });
  const work = async () => {
    const video = await bigVideo(store, bytes);
    await Promise.all(words.map((said) => models.call(askAbout(video, said))));
  };
  await withRemoteFiles(store, settings(), (note) => notes.push(note), work);
  return notes;
}

const videosOf = (seen: SeenRequest[]) =>
  seen.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "video" ? [part] : [])));

test("one upload serves all questions of a run, and is deleted after it", async () => {
  server.files.processing = 2;
  expect(await run(["one", "two", "three"])).toEqual([]);
  expect(server.files.all).toMatchObject([
    { mime: "video/mp4", displayName: "video-rrd", deleted: true, bytes: Buffer.from("a film") },
  ]);
  expect(server.files.log.map(({ verb }) => verb)).toEqual([
    ...["start", "finalize", "get", "get", "get", "delete"],
  ]);
  expect(videosOf(server.chats()).map(({ bytes }) => bytes.toString())).toEqual(
    Array(3).fill("a film"),
  );
  expect(server.chats().every(({ bytes }) => bytes < 2000)).toBe(true);
  expect(await run(["one", "two", "three"])).toEqual([]);
  expect(server.files.count("start")).toBe(1);
});

test("a broken upload continues where it stopped", async () => {
  const large = "x".repeat(17 * 2 ** 20);
  server.files.refuse("finalize", 503);
  server.files.refuse("upload", 0);
  expect(await run(["one"], large)).toEqual([]);
  expect(server.files.all.map(({ bytes }) => bytes.toString() === large)).toEqual([true]);
  expect(server.files.log.map(({ verb }) => verb)).toEqual([
    ...["start", "upload", "query", "upload", "finalize", "query", "finalize", "delete"],
  ]);
});

test("an upload whose last reply is lost is not finalized again", async () => {
  server.files.loseFinalReply = true;
  expect(await run(["one"])).toEqual([]);
  expect(server.files.log.map(({ verb }) => verb)).toEqual([
    ...["start", "finalize", "query", "get", "delete"],
  ]);
  expect(server.files.all).toMatchObject([{ bytes: Buffer.from("a film"), deleted: true }]);
  expect(videosOf(server.chats()).map(({ bytes }) => bytes.toString())).toEqual(["a film"]);
});

test("an upload that the provider cancelled starts again", async () => {
  server.files.cancelling = true;
  server.files.refuse("finalize", 503);
  expect(await run(["one"])).toEqual([]);
  expect(server.files.log.map(({ verb }) => verb)).toEqual([
    ...["start", "finalize", "query", "start", "finalize", "delete"],
  ]);
});

test("a file that Gemini cannot decode is reported and deleted", async () => {
  server.files.failing = true;
  await expect(run(["one"])).rejects.toMatchObject({
    kind: "model-rejected",
    message: expect.stringMatching(/cannot be decoded\. Convert the video to MP4/),
  });
  expect(server.chats()).toEqual([]);
  expect(server.files.all).toMatchObject([{ deleted: true }]);
});

test("a file that is missing at the provider is uploaded again, once", async () => {
  const { models } = rig(server, MODEL, { store });
  const video = await bigVideo(store);
  await models.call(askAbout(video, "one"));
  for (const file of server.files.all) file.deleted = true;
  await models.call(askAbout(video, "two"));
  expect(server.files.all).toHaveLength(2);
  expect(server.chats().map(({ status }) => status)).toEqual([200, 403, 200]);
  server.answer(() => ({ status: 403, text: "no access" }));
  await expect(models.call(askAbout(video, "three"))).rejects.toMatchObject({
    kind: "model-rejected",
  });
  expect(server.files.all).toHaveLength(2);
});

test("a failed deletion is reported, and repeated by the next run", async () => {
  server.files.refuse("delete", 500);
  expect(await run(["one"])).toEqual([
    expect.stringMatching(/^Could not delete the uploaded file files\/vrrd-\w+ at .*scripted 500/),
  ]);
  expect(server.files.all).toMatchObject([{ deleted: false }]);
  expect(await run([])).toEqual([]);
  expect(server.files.all).toMatchObject([{ deleted: true }]);
});

function uploader(words: string): ChildProcess {
  const script = fileURLToPath(new URL("./uploader.ts", import.meta.url));
  return spawn(process.execPath, [script, folder, server.url, words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("the upload of a killed process is used by the next start, and deleted by it", async () => {
  server.answer(() => ({ delay_ms: 60_000 }));
  const killed = uploader("first");
  await vi.waitFor(() => expect(server.chats()).toHaveLength(1), { timeout: 30_000 });
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(server.files.all).toMatchObject([{ deleted: false }]);
  server.answer(() => "A");
  const next = uploader("first");
  const [said] = await Promise.all([
    text(next.stdout as NodeJS.ReadableStream),
    once(next, "exit"),
  ]);
  expect(said).toBe("[]");
  expect(server.files.count("start")).toBe(1);
  expect(server.files.all).toMatchObject([{ deleted: true }]);
});

test("a process that ends does not delete files that another one uses", async () => {
  const held = Promise.withResolvers<void>();
  const { models } = rig(server, MODEL, { store });
  const video = await bigVideo(store);
  const mine = withRemoteFiles(store, settings(), expect.unreachable, async () => {
    await models.call(askAbout(video, "mine"));
    await held.promise;
  });
  await vi.waitFor(() => expect(server.chats()).toHaveLength(1));
  const other = uploader("theirs");
  await once(other, "exit");
  expect(server.chats()).toHaveLength(2);
  expect(server.files.all).toMatchObject([{ deleted: false }]);
  held.resolve();
  await mine;
  expect(server.files.all).toMatchObject([{ deleted: true }]);
});

test("a kill during an upload leaves a record of a file that never existed", async () => {
  server.files.refuse("finalize", -1);
  const killed = uploader("first");
  await vi.waitFor(() => expect(server.files.count("finalize")).toBe(1), { timeout: 30_000 });
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(await run(["one"])).toEqual([]);
  expect(server.files.log.map(({ verb }) => verb)).toEqual([
    ...["start", "finalize", "get", "start", "finalize", "delete"],
  ]);
  expect(server.files.all).toMatchObject([{ deleted: true }]);
});

test("a run of many videos stays below a project's storage: the least recently used file is deleted first", async () => {
  const before = STORAGE.most;
  STORAGE.most = 2.5 * 2 ** 25;
  const { models } = rig(server, MODEL, { store });
  const names = () =>
    server.files.all.filter(({ deleted }) => !deleted).map(({ bytes }) => `${bytes}`);
  const asked = async (film: string, words: string) =>
    models.call(askAbout(await bigVideo(store, film), words));
  await withRemoteFiles(store, settings(), expect.unreachable, async () => {
    await asked("one", "a");
    await asked("two", "a");
    await asked("one", "b");
    await asked("three", "a");
    expect(names()).toEqual(["one", "three"]);
    await asked("two", "b");
    expect(names()).toEqual(["three", "two"]);
  });
  STORAGE.most = before;
  expect(names()).toEqual([]);
});

test("uploads with another key are not touched", async () => {
  const file = { place: server.url, account: "another", content: VIDEO, uri: null };
  await store.remoteFiles.put({ ...file, name: "files/theirs", expires_at: Date.now() + 1e9 });
  expect(await run(["one"])).toEqual([]);
  expect(server.files.log.some(({ name }) => name === "files/theirs")).toBe(false);
  expect(await store.remoteFiles.release(server.url, "another")).toHaveLength(1);
});
