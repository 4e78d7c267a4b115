import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import type { EventBody } from "../../../src/core/events.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Open, useStore } from "./with-store.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);
const bytes = (text: string) => new TextEncoder().encode(text);
const note = (text: string): EventBody => ({ type: "note", text });

/** Requirements of blobs, events, the catalogue and `forget` of any store. `empty` empties the stored bytes of a blob. */
export function storeContract(
  name: string,
  open: Open,
  empty = (path: string) => writeFile(path, ""),
): void {
  const withStore = (body: (store: Store, folder: string) => Promise<void>) => useStore(open, body);

  describe(`blobs: ${name}`, () => {
    test("bytes come back by their hash, and the same bytes are one file", () =>
      withStore(async ({ blobs }) => {
        const first = await blobs.put(A, bytes("frame"), "jpg");
        expect(first.hash).toBe(sha256("frame"));
        expect(await readFile(first.path, "utf8")).toBe("frame");
        const many = await Promise.all(
          [A, B, A, B].map((video) => blobs.put(video, bytes("frame"), "png")),
        );
        for (const again of many) expect(again).toEqual(first);
        expect(new TextDecoder().decode(await blobs.read(first.hash))).toBe("frame");
      }));

    test("no bytes are bytes too", () =>
      withStore(async ({ blobs }) => {
        const { hash } = await blobs.put(A, new Uint8Array(), "bin");
        expect(await blobs.read(hash)).toHaveLength(0);
      }));

    test("a blob goes with the last of its videos", () =>
      withStore(async ({ blobs }) => {
        const both = await blobs.put(A, bytes("both"), "jpg");
        await blobs.put(B, bytes("both"), "jpg");
        const only = await blobs.put(A, bytes("only"), "jpg");
        await blobs.forget(A);
        expect(existsSync(only.path)).toBe(false);
        await expect(blobs.path(only.hash)).rejects.toMatchObject({ kind: "not-found" });
        expect(await blobs.path(both.hash)).toBe(both.path);
        await blobs.forget(B);
        expect(existsSync(both.path)).toBe(false);
        await blobs.forget(B);
      }));

    test("a lost file is written again by the next put; changed bytes are not served", () =>
      withStore(async ({ blobs }) => {
        const { path, hash } = await blobs.put(A, bytes("frame"), "jpg");
        await empty(path);
        await expect(blobs.read(hash)).rejects.toMatchObject({ kind: "store-damaged" });
        await blobs.put(A, bytes("frame"), "jpg");
        expect(await readFile(path, "utf8")).toBe("frame");
      }));

    test.each(["", "../x", "jpg/..", "JPG", ".jpg", "a\0b", "toolongtype"])(
      "the type %j is refused",
      (type) =>
        withStore(async ({ blobs }) => {
          await expect(blobs.put(A, bytes("x"), type)).rejects.toMatchObject({
            kind: "wrong-usage",
          });
        }),
    );

    test.each(["", "..", `../${"a".repeat(61)}`, "A".repeat(64), `${"a".repeat(64)}\n`])(
      "the hash %j is refused wherever it would lead to a path",
      (hash) =>
        withStore(async (store, folder) => {
          const refused = { kind: "wrong-usage" };
          await writeFile(join(folder, "..", "beside"), "kept");
          await expect(store.blobs.put(hash, bytes("x"), "jpg")).rejects.toMatchObject(refused);
          await expect(store.blobs.path(hash)).rejects.toMatchObject(refused);
          await expect(store.blobs.read(hash)).rejects.toMatchObject(refused);
          await expect(store.blobs.forget(hash)).rejects.toMatchObject(refused);
          await expect(store.derived(hash)).rejects.toMatchObject(refused);
          await expect(store.forget(hash)).rejects.toMatchObject(refused);
          expect(existsSync(join(folder, "..", "beside"))).toBe(true);
        }),
    );
  });

  describe(`events: ${name}`, () => {
    test("each question counts from 1, and what comes back is what was written", () =>
      withStore(async ({ events }) => {
        const first = await events.append("q1", "scan", 1_000.5, note("one"));
        await events.append("q2", "scan", 1_001, note("other"));
        const second = await events.append("q1", "order", 1_002, {
          type: "progress",
          done: 3,
          total: null,
          unit: "frames",
        });
        expect([first.seq, second.seq]).toEqual([1, 2]);
        expect(await events.after("q1", 0)).toEqual([first, second]);
        expect(await events.after("q1", 1)).toEqual([second]);
        expect(await events.after("q1", 2)).toEqual([]);
        await events.forget("q1");
        expect(await events.after("q1", 0)).toEqual([]);
        expect(await events.after("q2", 0)).toHaveLength(1);
      }));

    test("appends that are not awaited are numbered in the order of the calls", () =>
      withStore(async ({ events }) => {
        const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
        const appended = await Promise.all(
          numbers.map((number) => events.append("q3", "s", number, note(`${number}`))),
        );
        expect(appended.map(({ seq, at }) => [seq, at])).toEqual(
          numbers.map((number) => [number, number]),
        );
        expect(await events.after("q3", 0)).toEqual(appended);
      }));

    test("any interleaving of questions and writers leaves no gap and no double", async () => {
      const folder = await tempFolder();
      const [one, two] = [await open(folder), await open(folder)];
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ question: fc.constantFrom("q", "r", "s"), other: fc.boolean() }), {
            maxLength: 40,
          }),
          async (writes) => {
            round++;
            await Promise.all(
              writes.map(({ question, other }, i) =>
                (other ? two : one).events.append(`${round}-${question}`, "s", i, note(`${i}`)),
              ),
            );
            for (const question of ["q", "r", "s"]) {
              const found = await one.events.after(`${round}-${question}`, 0);
              const expected = writes.filter((write) => write.question === question);
              expect(found.map(({ seq }) => seq)).toEqual(expected.map((_, i) => i + 1));
            }
          },
        ),
        { numRuns: 25 },
      );
      await one.close();
      await two.close();
    });
  });

  describe(`catalogue: ${name}`, () => {
    test("a file that has not changed is known by path, size and time", () =>
      withStore(async ({ catalogue }) => {
        const file = { hash: A, path: "/v/a.mp4", size: 10, modified_ms: 1_700_000_000_000.25 };
        await catalogue.putVideo(file);
        expect(await catalogue.knownVideo(file.path, 10, file.modified_ms)).toBe(A);
        expect(await catalogue.knownVideo(file.path, 11, file.modified_ms)).toBeUndefined();
        expect(await catalogue.knownVideo(file.path, 10, file.modified_ms + 1)).toBeUndefined();
        expect(await catalogue.knownVideo("/v/b.mp4", 10, file.modified_ms)).toBeUndefined();
        await catalogue.putVideo({ ...file, path: "/v/copy.mp4" });
        expect(await catalogue.videoPath(A)).toBe("/v/copy.mp4");
        await catalogue.putVideo(file);
        expect(await catalogue.videoPath(A)).toBe("/v/a.mp4");
        await catalogue.putVideo({ ...file, hash: B });
        expect(await catalogue.videoPath(A)).toBe("/v/copy.mp4");
        expect(await catalogue.videoPath("c".repeat(64))).toBeUndefined();
      }));

    test("two videos may have a question, or the empty set, of the same id", () =>
      withStore(async ({ catalogue }) => {
        for (const video of [A, B]) {
          await catalogue.putQuestion({ id: "1", video, json: `"${video}"` });
          await catalogue.putSet({ id: "empty", video, json: "[]" });
        }
        await catalogue.putQuestion({ id: "2", video: A, json: "{}" });
        expect(await catalogue.questions(A)).toEqual([
          { id: "1", json: `"${A}"` },
          { id: "2", json: "{}" },
        ]);
        expect(await catalogue.forget(A)).toEqual(["1", "2"]);
        expect(await catalogue.questions(A)).toEqual([]);
        expect(await catalogue.questions(B)).toEqual([{ id: "1", json: `"${B}"` }]);
        expect(await catalogue.set("empty")).toBe("[]");
        await catalogue.forget(B);
        expect(await catalogue.set("empty")).toBeUndefined();
      }));
  });

  describe(`store: ${name}`, () => {
    test("forget takes one video whole and leaves the other whole", () =>
      withStore(async (store) => {
        for (const video of [A, B]) await fill(store, video);
        const path = await store.blobs.path(sha256(`frame of ${A}`));
        const derived = await store.derived(A);
        await store.forget(A);
        expect(existsSync(path)).toBe(false);
        expect(existsSync(derived)).toBe(false);
        expect(await store.memo.peek(`step of ${A}`, "run")).toBeUndefined();
        expect(await store.events.after(`question of ${A}`, 0)).toEqual([]);
        expect(await store.catalogue.videoPath(A)).toBeUndefined();
        expect(await store.catalogue.set(`set of ${A}`)).toBeUndefined();
        expect(await store.memo.peek(`step of ${B}`, "run")).toBe(`reply on ${B}`);
        expect(await store.events.after(`question of ${B}`, 0)).toHaveLength(1);
        expect(await store.catalogue.set(`set of ${B}`)).toBe(`{"set":"${B}"}`);
        expect(existsSync(await store.blobs.path(sha256(`frame of ${B}`)))).toBe(true);
        expect(existsSync(join(await store.derived(B), "scan.bin"))).toBe(true);
        await store.forget(A);
      }));
  });
}

/** One object of every kind that a store keeps for a video. */
export async function fill(store: Store, video: string): Promise<void> {
  const question = `question of ${video}`;
  await store.catalogue.putVideo({ hash: video, path: `/v/${video}`, size: 1, modified_ms: 1 });
  await store.catalogue.putQuestion({ id: question, video, json: `{"q":"${video}"}` });
  await store.catalogue.putSet({ id: `set of ${video}`, video, json: `{"set":"${video}"}` });
  await store.events.append(question, "recognise", 1, note(`seen in ${video}`));
  await store.blobs.put(video, bytes(`frame of ${video}`), "jpg");
  await store.memo.once(
    { key: `step of ${video}`, tags: [video], run: "run" },
    async () => `reply on ${video}`,
  );
  await writeFile(join(await store.derived(video), "scan.bin"), `scan of ${video}`);
}
