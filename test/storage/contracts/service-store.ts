import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { QuestionRow, Store, UploadRow } from "../../../src/core/contracts.ts";
import type { EventBody } from "../../../src/core/events.ts";
import { makeFolder } from "../../../src/storage/make-folder.ts";
import { uploadPath } from "../../../src/storage/paths.ts";
import { type Open, useStore } from "./with-store.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);
const note: EventBody = { type: "note", text: "seen" };
const video = { hash: A, duration_s: 1.5, container: "mov,mp4", width: 320, height: null };

const upload = (id: string, more: Partial<UploadRow> = {}): UploadRow => ({
  id,
  owner: "ann",
  name: `<b>${id}</b>.mp4`,
  size: 10,
  created_at: 1_700_000_000_000.5,
  video: null,
  ...more,
});
const asked = (id: string, more: Partial<QuestionRow> = {}): QuestionRow => ({
  id,
  upload: "u1",
  owner: "ann",
  open: true,
  created_at: 5,
  json: "{}",
  ...more,
});

/** Requirements of the service store of any store. */
export function serviceStoreContract(name: string, open: Open): void {
  const withStore = (body: (store: Store) => Promise<void>) => useStore(open, body);

  describe(`service store: ${name}`, () => {
    test("uploads come back as they were put, by owner and by content, in order", () =>
      withStore(async ({ service: serviceStore }) => {
        await serviceStore.putUpload(upload("u1"));
        await serviceStore.putUpload(upload("u2", { owner: "bob" }));
        await serviceStore.putUpload(upload("u1", { video }));
        expect(await serviceStore.upload("u1")).toEqual(upload("u1", { video }));
        expect(await serviceStore.upload("u9")).toBeUndefined();
        expect((await serviceStore.uploads()).map(({ id }) => id)).toEqual(["u1", "u2"]);
        expect((await serviceStore.uploads("bob")).map(({ id }) => id)).toEqual(["u2"]);
        await serviceStore.putUpload(upload("u2", { owner: "bob", video }));
        expect((await serviceStore.uploadsOf(A)).map(({ id }) => id)).toEqual(["u1", "u2"]);
        expect(await serviceStore.uploadsOf(B)).toEqual([]);
      }));

    test("open questions are told apart, counted, and go with their upload and their events", () =>
      withStore(async ({ service: serviceStore, events }) => {
        await serviceStore.putUpload(upload("u1", { video }));
        await serviceStore.putUpload(upload("u2", { video }));
        for (const row of [asked("q1"), asked("q2"), asked("q3", { upload: "u2" })]) {
          await serviceStore.putQuestion(row);
          await events.append(row.id, "s", 1, note);
        }
        await serviceStore.putQuestion(asked("q1", { open: false, json: '{"done":true}' }));
        expect((await serviceStore.openQuestions()).map(({ id }) => id)).toEqual(["q2", "q3"]);
        expect(await serviceStore.question("q1")).toEqual(
          asked("q1", { open: false, json: '{"done":true}' }),
        );
        expect((await serviceStore.aboutUpload("u1")).questions).toBe(2);
        await serviceStore.dropUpload("u1");
        expect(await serviceStore.question("q2")).toBeUndefined();
        expect(await events.after("q2", 0)).toEqual([]);
        expect(await events.after("q3", 0)).toHaveLength(1);
      }));

    test("edited evidence sets are listed by video and owner, in the order of the questions", () =>
      withStore(async ({ service: serviceStore }) => {
        await serviceStore.putUpload(upload("u1", { video }));
        await serviceStore.putUpload(upload("u2", { video }));
        await serviceStore.putUpload(upload("u3", { video: { ...video, hash: B } }));
        const sets = (first: string, now: string) => ({
          open: false,
          json: JSON.stringify({ answer: { set: first }, set: now }),
        });
        for (const row of [
          asked("later", { upload: "u2", created_at: 9, ...sets("c", "d") }),
          asked("edited", sets("a", "b")),
          asked("unchanged", sets("a", "a")),
          asked("unanswered", { json: JSON.stringify({ answer: null, set: null }) }),
          asked("of another", { owner: "bob", ...sets("e", "f") }),
          asked("on another video", { upload: "u3", ...sets("g", "h") }),
        ])
          await serviceStore.putQuestion(row);
        expect(await serviceStore.editedSets(A, "ann")).toEqual([
          { first: "a", now: "b" },
          { first: "c", now: "d" },
        ]);
      }));

    test("a video that is forgotten takes all its uploads and their questions along", () =>
      withStore(async (store) => {
        const { service: serviceStore, events } = store;
        await serviceStore.putUpload(upload("u1", { video }));
        await serviceStore.putUpload(upload("u2", { video: { ...video, hash: B } }));
        await serviceStore.putQuestion(asked("q1"));
        await serviceStore.putQuestion(asked("q2", { upload: "u2" }));
        await events.append("q1", "s", 1, note);
        const file = uploadPath(store.folder, "u1");
        await makeFolder(dirname(file));
        await writeFile(file, "film");
        await store.forget(A);
        expect(await serviceStore.question("q1")).toBeUndefined();
        expect(await events.after("q1", 0)).toEqual([]);
        expect(await serviceStore.question("q2")).toBeDefined();
        expect((await serviceStore.uploads()).map(({ id }) => id)).toEqual(["u2"]);
        expect(existsSync(dirname(file))).toBe(false);
      }));

    test("events of whoever runs a question end with it, and with its removal", () =>
      withStore(async (store) => {
        const { service: serviceStore, events } = store;
        const lost = { kind: "cancelled", facts: { lost: true } };
        const append = (id: string) => events.appendAsHolder(id, "s", 1, note);
        await serviceStore.putUpload(upload("u1", { video }));
        for (const id of ["ended", "dropped", "forgotten"]) {
          await serviceStore.putQuestion(asked(id));
          await store.replicas?.claimOne(id);
          expect((await append(id)).seq).toBe(1);
        }
        await serviceStore.putQuestion(asked("ended", { open: false }));
        await expect(append("ended")).rejects.toMatchObject(lost);
        expect((await events.append("ended", "s", 1, note)).seq).toBe(2);
        await serviceStore.dropQuestion("dropped");
        await store.forget(A);
        for (const id of ["dropped", "forgotten", "missing"]) {
          await expect(append(id)).rejects.toMatchObject(lost);
          expect(await events.after(id, 0)).toEqual([]);
        }
      }));

    test("a key's name is taken once; what is spent adds up by owner and day", () =>
      withStore(async ({ service: serviceStore }) => {
        const key = { name: "ann", hash: A, created_at: 1, json: "{}" };
        await serviceStore.addKey(key);
        await expect(serviceStore.addKey({ ...key, hash: B })).rejects.toMatchObject({
          kind: "wrong-usage",
        });
        expect(await serviceStore.keys()).toEqual([key]);
        expect([await serviceStore.dropKey("ann"), await serviceStore.dropKey("ann")]).toEqual([
          true,
          false,
        ]);
        await serviceStore.spend("ann", "2026-01-01", 0.25, "a");
        await serviceStore.spend("ann", "2026-01-01", 0.5, "b");
        await serviceStore.spend("ann", "2026-01-02", 1, "c");
        expect(await serviceStore.spent("ann", "2026-01-01")).toBe(0.75);
        expect(await serviceStore.spent("bob", "2026-01-01")).toBe(0);
      }));

    test("a blob names the videos that it belongs to", () =>
      withStore(async ({ blobs }) => {
        const { hash } = await blobs.put(B, new Uint8Array([1]), "jpg");
        await blobs.put(A, new Uint8Array([1]), "jpg");
        expect(await blobs.owners(hash)).toEqual([A, B]);
        expect(await blobs.owners(A)).toEqual([]);
      }));
  });
}
