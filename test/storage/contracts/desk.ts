import { describe, expect, test } from "vitest";
import type { AskedRow, Store, UploadRow } from "../../../src/core/contracts.ts";
import type { EventBody } from "../../../src/core/events.ts";
import { tempFolder } from "../../support/temp.ts";

type Open = (folder: string) => Promise<Store>;

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
const asked = (id: string, more: Partial<AskedRow> = {}): AskedRow => ({
  id,
  upload: "u1",
  owner: "ann",
  open: true,
  created_at: 5,
  json: "{}",
  ...more,
});

/** What the desk of any store has to do. */
export function deskContract(name: string, open: Open): void {
  async function withStore(body: (store: Store) => Promise<void>) {
    const store = await open(await tempFolder());
    try {
      await body(store);
    } finally {
      await store.close();
    }
  }

  describe(`desk: ${name}`, () => {
    test("uploads come back as they were put, by owner and by content, in order", () =>
      withStore(async ({ desk }) => {
        await desk.putUpload(upload("u1"));
        await desk.putUpload(upload("u2", { owner: "bob" }));
        await desk.putUpload(upload("u1", { video }));
        expect(await desk.upload("u1")).toEqual(upload("u1", { video }));
        expect(await desk.upload("u9")).toBeUndefined();
        expect((await desk.uploads()).map(({ id }) => id)).toEqual(["u1", "u2"]);
        expect((await desk.uploads("bob")).map(({ id }) => id)).toEqual(["u2"]);
        await desk.putUpload(upload("u2", { owner: "bob", video }));
        expect((await desk.uploadsOf(A)).map(({ id }) => id)).toEqual(["u1", "u2"]);
        expect(await desk.uploadsOf(B)).toEqual([]);
      }));

    test("open questions are told apart, counted, and go with their upload and their events", () =>
      withStore(async ({ desk, events }) => {
        await desk.putUpload(upload("u1", { video }));
        await desk.putUpload(upload("u2", { video }));
        for (const row of [asked("q1"), asked("q2"), asked("q3", { upload: "u2" })]) {
          await desk.putAsked(row);
          await events.append(row.id, "s", 1, note);
        }
        await desk.putAsked(asked("q1", { open: false, json: '{"done":true}' }));
        expect((await desk.openAsked()).map(({ id }) => id)).toEqual(["q2", "q3"]);
        expect(await desk.asked("q1")).toEqual(asked("q1", { open: false, json: '{"done":true}' }));
        expect((await desk.askedOf("u1")).map(({ id }) => id)).toEqual(["q1", "q2"]);
        expect(await desk.askedCounts("ann")).toEqual(
          new Map([
            ["u1", 2],
            ["u2", 1],
          ]),
        );
        await desk.dropUpload("u1");
        expect(await desk.asked("q2")).toBeUndefined();
        expect(await events.after("q2", 0)).toEqual([]);
        expect(await events.after("q3", 0)).toHaveLength(1);
      }));

    test("a video that is forgotten takes the questions of all its uploads along, not the uploads", () =>
      withStore(async (store) => {
        const { desk, events } = store;
        await desk.putUpload(upload("u1", { video }));
        await desk.putUpload(upload("u2", { video: { ...video, hash: B } }));
        await desk.putAsked(asked("q1"));
        await desk.putAsked(asked("q2", { upload: "u2" }));
        await events.append("q1", "s", 1, note);
        await store.forget(A);
        expect(await desk.asked("q1")).toBeUndefined();
        expect(await events.after("q1", 0)).toEqual([]);
        expect(await desk.asked("q2")).toBeDefined();
        expect(await desk.upload("u1")).toBeDefined();
      }));

    test("a key's name is taken once; what is spent adds up by owner and day", () =>
      withStore(async ({ desk }) => {
        const key = { name: "ann", hash: A, created_at: 1, json: "{}" };
        await desk.addKey(key);
        await expect(desk.addKey({ ...key, hash: B })).rejects.toMatchObject({
          kind: "wrong-usage",
        });
        expect(await desk.keys()).toEqual([key]);
        expect([await desk.dropKey("ann"), await desk.dropKey("ann")]).toEqual([true, false]);
        await desk.spend("ann", "2026-01-01", 0.25);
        await desk.spend("ann", "2026-01-01", 0.5);
        await desk.spend("ann", "2026-01-02", 1);
        expect(await desk.spent("ann", "2026-01-01")).toBe(0.75);
        expect(await desk.spent("bob", "2026-01-01")).toBe(0);
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
