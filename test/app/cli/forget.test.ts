import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { bytesText } from "../../../src/core/bytes-text.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { openStore } from "../../../src/storage/open.ts";
import { uploadPath } from "../../../src/storage/paths.ts";
import { fill } from "../../storage/contracts/store.ts";
import { runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

const FILM = "film";
const HASH = sha256(FILM);

/** A store with two uploads of a film, by two owners, and one of another. */
async function filledFolder() {
  const folder = await tempFolder();
  const data = join(folder, "store");
  await writeFile(join(folder, "film.mp4"), FILM);
  const store = await openStore(data);
  const hashes = { one: HASH, two: HASH, other: "b".repeat(64) };
  for (const hash of new Set(Object.values(hashes))) await fill(store, hash);
  for (const [id, hash] of Object.entries(hashes)) {
    await mkdir(dirname(uploadPath(data, id)), { recursive: true });
    await writeFile(uploadPath(data, id), FILM);
    const video = { hash, duration_s: 1, container: "mp4", width: 1, height: 1 };
    const own = { owner: `owner of ${id}`, created_at: 1 };
    await store.service.putUpload({ ...own, id, name: "film.mp4", size: FILM.length, video });
    const question = { ...own, id: `about ${id}`, upload: id, open: false, json: "{}" };
    await store.service.putQuestion(question);
  }
  const { bytes } = await store.derivedSize(HASH);
  await store.close();
  return { folder, data, bytes: bytes + 2 * FILM.length };
}

test("forget removes the uploads of all owners with their files and questions, and counts them", async () => {
  const { folder, data, bytes } = await filledFolder();
  const done = await runCommand(folder, ["forget", "film.mp4", "--data-dir", "store"]);
  expect([done.code, done.out]).toEqual([
    0,
    `Removed all stored data of film.mp4 from store: 2 uploads with 2 questions, ${bytesText(bytes)}. The file itself is unchanged, and folders of runs keep their replies.\n`,
  ]);
  const store = await openStore(data);
  expect((await store.service.uploads()).map(({ id }) => id)).toEqual(["other"]);
  expect(await store.service.question("about one")).toBeUndefined();
  expect(await store.service.question("about other")).toBeDefined();
  expect(["one", "two", "other"].map((id) => existsSync(uploadPath(data, id)))).toEqual([
    ...[false, false, true],
  ]);
  expect(await store.library.countStale()).toBe(0);
  expect(await store.audit.list({ action: "video.forgotten" }, 9, null)).toMatchObject([
    { name: "film.mp4", details: { hash: HASH, uploads: 2, questions: 2, bytes } },
  ]);
  await store.close();
});

test("forget takes a hash, says what it removed as JSON, and says when nothing was stored", async () => {
  const { folder, bytes } = await filledFolder();
  const args = ["forget", HASH, "--data-dir", "store"];
  const first = await runCommand(folder, [...args, "--json"]);
  const counts = { uploads: 2, questions: 2, bytes };
  expect(JSON.parse(first.out)).toEqual({ hash: HASH, removed: true, ...counts });
  const second = await runCommand(folder, [...args, "--json"]);
  const none = { uploads: 0, questions: 0, bytes: 0 };
  expect(JSON.parse(second.out)).toEqual({ hash: HASH, removed: false, ...none });
  const third = await runCommand(folder, args);
  expect([third.code, third.out]).toEqual([0, `Nothing was stored of ${HASH} in store.\n`]);
});

test("forget of a file that is gone says how to name the video", async () => {
  const { folder } = await filledFolder();
  const { code, err } = await runCommand(folder, ["forget", "gone.mp4", "--data-dir", "store"]);
  expect([code, err]).toEqual([
    1,
    "Cannot find gone.mp4. If the file was deleted, pass the hash of the video, which `prune --dry-run --json` lists; `prune` removes the data of all videos whose files are gone.\n",
  ]);
});
