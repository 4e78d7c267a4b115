import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { pruneByAge } from "../../../src/app/service/prune-by-age.ts";
import { newQuestionRecord } from "../../../src/app/service/question-record.ts";
import { lockService } from "../../../src/app/service/service-lock.ts";
import { bytesText } from "../../../src/core/bytes-text.ts";
import { openStore } from "../../../src/storage/open.ts";
import { uploadPath } from "../../../src/storage/paths.ts";
import { fill } from "../../storage/contracts/store.ts";
import { runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

test("prune lists the bytes of each video, and removes videos whose files are deleted", async () => {
  const folder = await tempFolder();
  const [kept, gone] = ["a".repeat(64), "b".repeat(64)] as const;
  const store = await openStore(join(folder, "store"));
  for (const hash of [kept, gone]) {
    await fill(store, hash);
    const path = join(folder, `${hash[0]}.mp4`);
    await writeFile(path, "film");
    await store.catalogue.putVideo({ hash, path, size: 4, modified_ms: 1 });
  }
  await store.close();
  await rm(join(folder, "b.mp4"));
  const args = ["prune", "--data-dir", "store"];
  const planned = await runCommand(folder, [...args, "--dry-run", "--json"]);
  const { videos, freed } = JSON.parse(planned.out);
  expect(freed).toBe(0);
  const bytes = Object.fromEntries(
    videos.map((one: { hash: string; bytes: number; gone: boolean }) => [one.hash, one]),
  );
  expect([bytes[kept].gone, bytes[gone].gone]).toEqual([false, true]);
  expect(bytes[gone].bytes).toBeGreaterThan(0);
  const { out: shown } = await runCommand(folder, [...args, "--dry-run"]);
  const { steps, events, frames, index } = bytes[gone];
  const cells = [frames + index + steps + events, frames, index, steps, events].map(bytesText);
  const [header = "", ...rows] = shown.split("\n").map((line) => line.split(/ {2,}/).slice(1));
  expect(header).toEqual(["total", "frames", "index", "replies", "events", ""]);
  expect(rows).toContainEqual([...cells, "file missing"]);
  expect(shown).toContain(
    `${bytesText(bytes[gone].bytes)} of 1 video whose files are missing would be removed. Run without --dry-run`,
  );
  const done = await runCommand(folder, args);
  expect([done.code, done.out]).toEqual([
    0,
    expect.stringContaining(`Removed ${bytesText(bytes[gone].bytes)} of 1 video.`),
  ]);
  const after = await openStore(join(folder, "store"));
  expect((await after.derivedSize(gone)).bytes).toBe(0);
  expect((await after.derivedSize(kept)).bytes).toBe(bytes[kept].bytes);
  await after.close();
});

test("prune is refused while a service runs, names --dry-run, and lists with it", async () => {
  const folder = await tempFolder();
  const store = await openStore(join(folder, "store"));
  const lock = await lockService(store);
  const args = ["prune", "--data-dir", "store"];
  const refused = await runCommand(folder, args);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(
      /^A service is using .+ With --dry-run, `prune` lists what it would remove meanwhile\.\n$/,
    ),
  ]);
  const listed = await runCommand(folder, [...args, "--dry-run"]);
  expect([listed.code, listed.out]).toEqual([0, "The store has no data of videos.\n"]);
  await lock.release();
  await store.close();
});

const DAY_MS = 86_400_000;
const HASHES = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(64));
const record = (more: object = {}) =>
  JSON.stringify({
    ...newQuestionRecord({
      asked: { id: "q", video: "a".repeat(64), text: "?", task: "open" },
      ...{ strategy: "extractive", model: null, given: {} },
    }),
    ...{ state: "answered", ...more },
  });

/** Five videos of 40 days ago: plain, asked about lately, tagged, reviewed, with a question that has not ended. */
async function oldVideos(folder: string) {
  const store = await openStore(folder);
  const long_ago = Date.now() - 40 * DAY_MS;
  const names = ["plain", "used", "tagged", "reviewed", "running"];
  for (const [index, id] of names.entries()) {
    const hash = HASHES[index] ?? "";
    await fill(store, hash);
    await mkdir(dirname(uploadPath(folder, id)), { recursive: true });
    await writeFile(uploadPath(folder, id), "film");
    const video = { hash, duration_s: 1, container: "mp4", width: 1, height: 1 };
    const row = { id, owner: "ann", name: `${id}.mp4`, size: 4, created_at: long_ago, video };
    await store.service.putUpload(row);
  }
  const ask = (upload: string, created_at: number, open: boolean, json: string) =>
    store.service.putQuestion({ id: `of ${upload}`, upload, owner: "ann", open, created_at, json });
  await ask("plain", long_ago, false, record());
  await ask("used", Date.now() - DAY_MS, false, record());
  const review = { verdict: "approved", answer: "x", note: null, by: "ann", at: long_ago };
  await ask("reviewed", long_ago, false, record({ review }));
  await ask("running", long_ago, true, record({ state: "running" }));
  await store.service.editUpload("tagged", { tags: ["keep"] });
  return store;
}

test("prune --older-than removes what was not used, keeps what is reviewed, tagged or running, and says so", async () => {
  const folder = join(await tempFolder(), "store");
  const store = await oldVideos(folder);
  await store.close();
  const args = ["prune", "--data-dir", folder, "--older-than", "30d"];
  const dry = JSON.parse((await runCommand(folder, [...args, "--dry-run", "--json"])).out);
  expect(dry.removed).toMatchObject([{ video: "plain", question: null, name: "plain.mp4" }]);
  expect(dry.kept.map(({ video, why }: { video: string; why: string }) => [video, why])).toEqual([
    ["tagged", "tagged"],
    ["reviewed", "reviewed"],
    ["running", "unfinished"],
  ]);
  const { out } = await runCommand(folder, args);
  expect(out).toContain(`Removed 1 video, ${bytesText(dry.freed)}; 3 older ones are kept.`);
  const after = await openStore(folder);
  expect((await after.service.uploads()).map(({ id }) => id)).toEqual([
    "used",
    "tagged",
    "reviewed",
    "running",
  ]);
  expect(existsSync(dirname(uploadPath(folder, "plain")))).toBe(false);
  expect((await after.derivedSize(HASHES[0] ?? "")).bytes).toBe(0);
  expect(
    (await after.audit.list({ action: "video.deleted" }, 9, null)).map(({ name }) => name),
  ).toEqual(["plain.mp4"]);
  expect(await after.library.countStale()).toBe(0);
  await after.close();
});

test("questions and derived data are pruned without the video", async () => {
  const folder = join(await tempFolder(), "store");
  const store = await oldVideos(folder);
  const spec = { before: Date.now() - 30 * DAY_MS, keep: ["reviewed"], dryRun: false } as const;
  const none = async () => {};
  const questions = await pruneByAge(store, { ...spec, what: "questions" }, none);
  expect(questions.removed.map(({ question }) => question)).toEqual(["of plain"]);
  expect(questions.kept.map(({ why }) => why)).toEqual(["reviewed", "unfinished"]);
  expect(await store.service.question("of plain")).toBeUndefined();
  const derived = await pruneByAge(store, { ...spec, what: "derived" }, none);
  expect(derived.removed.map(({ video }) => video)).toEqual(["plain", "tagged", "reviewed"]);
  const left = await store.derivedSize(HASHES[0] ?? "");
  expect([left.steps, left.index, left.frames > 0]).toEqual([0, 0, true]);
  await pruneByAge(store, { ...spec, what: "videos", keep: [] }, none);
  expect((await store.service.uploads()).map(({ id }) => id)).toEqual(["used", "running"]);
  await store.close();
});
