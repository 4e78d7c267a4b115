import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listVideos } from "../../../src/app/cli/prune.ts";
import { joinAsWorker, joinServices, lockService } from "../../../src/app/service/service-lock.ts";
import type { Store } from "../../../src/core/contracts.ts";
import type { Replicas } from "../../../src/core/replicas.ts";
import { tempFolder } from "../../support/temp.ts";

const video = { hash: "a".repeat(64), duration_s: 1, container: "mp4", width: 1, height: 1 };
const upload = { id: "u", owner: "", name: "a.mp4", size: 1, created_at: 1, video };
const question = (id: string, owner = "ann", state = "queued") => ({
  ...{ id, owner, upload: "u", open: state === "queued", created_at: 1 },
  json: JSON.stringify({ state }),
});

/** Requirements of a store that several services share. `open` opens one more store on the same rows. */
export function replicasContract(name: string, open: (folder: string) => Promise<Store>): void {
  describe(`several services: ${name}`, () => {
    let folder: string;
    let one: Store;
    let two: Store;
    beforeEach(async () => {
      folder = await tempFolder();
      one = await open(folder);
      two = await open(folder);
      await one.service.putUpload(upload);
    });
    afterEach(async () => {
      await one.close();
      await two.close();
    });
    const of = ({ replicas }: Store) => replicas as Replicas;

    test("a right belongs to one at a time, and ends with its process", async () => {
      const taken = await Promise.all([one, two, one].map((store) => store.claims?.take("x")));
      const held = taken.filter((release) => release !== null);
      expect(held).toHaveLength(1);
      await held[0]?.();
      expect(await two.claims?.take("x")).not.toBeNull();
      expect(await one.claims?.take("x")).toBeNull();
      await two.close();
      expect(await one.claims?.take("x")).not.toBeNull();
    });

    test("each question is claimed once, of whoever runs the fewest; a lost claim stores nothing", async () => {
      const rows = ["a1", "a2", "a3", "b1"].map((id) => question(id, id.slice(0, 1)));
      expect(await of(one).add(rows)).toBe(true);
      expect(await of(one).add([{ ...question("c"), upload: "gone" }])).toBe(false);
      const claims = await Promise.all([one, two, one].map((store) => of(store).claim(2)));
      expect(claims.map((claim) => claim?.row.id).sort()).toEqual(["a1", "a2", "b1"]);
      expect([await of(one).countOpen("a"), await of(one).countWaiting()]).toEqual([3, 1]);
      const owns = async (store: Store) =>
        [...(await of(store).control(["a1", "a2", "b1"]))].flatMap(([id, state]) =>
          state === "run" ? [id] : [],
        );
      const [mine, others] = [await owns(one), await owns(two)];
      expect([...mine, ...others].sort()).toEqual(["a1", "a2", "b1"]);
      const [lost = "", left = ""] = [others[0], mine[0]];
      expect(await of(one).put(question(lost, lost.slice(0, 1), "answered"))).toBe(false);
      await of(one).cancel(lost);
      expect((await of(two).control([lost])).get(lost)).toBe("cancel");
      expect(await of(one).claimOne(lost)).toBe(false);

      expect(claims.map((claim) => claim?.starts)).toEqual([1, 1, 1]);
      await of(one).keepOnly([left]);
      expect(await owns(one)).toEqual([left]);
      await two.close();
      expect(await of(one).claimOne(lost)).toBe(true);
      expect(await of(one).put(question(lost, lost.slice(0, 1), "cancelled"))).toBe(true);
      await one.service.dropQuestion(left);
      expect((await of(one).control([left])).get(left)).toBe("lost");
      expect(await of(one).put(question(left, "a", "answered"))).toBe(false);
      expect(await one.service.question(left)).toBeUndefined();
    });

    test("a process that has lost a question adds none of its events after those of the next one", async () => {
      const event = (store: Store, text: string) =>
        store.events.appendAsHolder("q", "s", 1, { type: "note", text });
      const lost = { kind: "cancelled", facts: { lost: true } };
      await of(one).add([question("q")]);
      await expect(event(one, "before its claim")).rejects.toMatchObject(lost);
      expect((await of(one).claim(1))?.row.id).toBe("q");
      await event(one, "of one");
      await expect(event(two, "not claimed")).rejects.toMatchObject(lost);
      await of(one).keepOnly([]);
      expect((await of(two).claim(1))?.row.id).toBe("q");
      const appended = ["late", "of two"].map((text, i) => event(i === 0 ? one : two, text));
      expect((await Promise.allSettled(appended)).map(({ status }) => status)).toEqual([
        "rejected",
        "fulfilled",
      ]);
      // The holder still ends a question that a caller cancels.
      await of(one).cancel("q");
      await event(two, "cancelled");
      const texts = (await one.events.after("q", 0)).map(
        (said) => said.type === "note" && said.text,
      );
      expect(texts).toEqual(["of one", "of two", "cancelled"]);

      const writes = Array.from({ length: 20 }, (_, i) => event(two, `${i}`));
      await one.service.dropQuestion("q");
      await Promise.allSettled(writes);
      expect(await one.events.after("q", 0)).toEqual([]);
    });

    test("sessions, answers in review, changes and calls of the webhook are shared", async () => {
      await of(one).sessions.open("id", "token", 60_000);
      await of(one).sessions.open("old", "token", -1);
      expect([await of(two).sessions.tokenOf("id"), await of(two).sessions.tokenOf("old")]).toEqual(
        ["token", undefined],
      );
      await of(two).sessions.close("id");
      expect(await of(one).sessions.tokenOf("id")).toBeUndefined();

      const others = { most: 1, except: "person", life_ms: 60_000 };
      expect(await of(one).reviews.take("q", "person", false, others)).toBe(true);
      const asked = ["ann", "eve", "dan", "kim"].map((rater, i) =>
        of(i % 2 === 0 ? one : two).reviews.take("free", rater, true, others),
      );
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
      expect(await of(one).reviews.take("q", "bob", true, others)).toBe(true);
      expect(await of(two).reviews.take("q", "eve", true, others)).toBe(false);
      expect(await of(two).reviews.take("q", "bob", true, others)).toBe(true);
      expect(await of(two).reviews.take("q", "eve", true, { ...others, life_ms: 0 })).toBe(true);
      const lease = await of(two).reviews.find("q", "bob", 60_000);
      expect(lease).toEqual({ seconds: expect.any(Number), blind: true });
      expect(await of(one).reviews.find("q", "bob", 0)).toBeNull();
      expect(await of(one).reviews.find("q", "bob", 60_000)).toMatchObject({ blind: true });
      await of(two).reviews.end("q", "bob");
      expect(await of(one).reviews.find("q", "bob", 60_000)).toBeNull();

      const heard: unknown[] = [];
      const watching = await of(two).watch((change) => heard.push(change));
      await one.webhooks.setEvents(["question.answered"]);
      for (const id of ["q1", "q2", "q3", "q4"]) {
        await one.service.putQuestion(question(id));
        await one.service.putQuestion(question(id, "ann", "answered"));
      }
      await one.service.editUpload("u", { tags: ["x"] });
      const taken = await Promise.all([one, two].map(({ webhooks }) => webhooks.take(2, 60_000)));
      const subjects = taken.flat().map(({ subject }) => subject);
      expect(new Set(subjects).size).toBe(subjects.length);
      expect((await two.webhooks.take(9, 60_000)).length).toBe(4 - subjects.length);
      await expect
        .poll(() => heard)
        .toEqual(
          expect.arrayContaining([
            { owner: "ann", video: "u", question: "q4" },
            { owner: "", video: "u", question: null },
          ]),
        );
      await watching.stop();
    });

    test("a video whose folder only another machine has is not gone", async () => {
      const here = await tempFolder();
      const file = { size: 4, modified_ms: 1 };
      await one.catalogue.putVideo({ ...file, hash: "a".repeat(64), path: `${here}/gone.mp4` });
      await one.catalogue.putVideo({ ...file, hash: "b".repeat(64), path: "/only/there/b.mp4" });
      const listed = await listVideos(two);
      expect(Object.fromEntries(listed.map(({ hash, gone }) => [hash[0], gone]))).toEqual({
        a: true,
        b: false,
      });
    });

    test("services that look for videos elsewhere, and removals while one runs, are refused", async () => {
      const lock = await lockService(two);
      await expect(joinServices(one)).rejects.toMatchObject({ kind: "store-busy" });
      await lock.release();
      await joinServices(two);
      await joinServices(one);
      await expect(lockService(two)).rejects.toThrow("A service is using the store (2 running).");
      await expect(joinServices(one, "front")).rejects.toThrow("was started with --workers local");
      await joinAsWorker(one, of(one));
      await expect(lockService(two)).rejects.toThrow("(1 running, with 1 worker).");
      await joinServices(one);
      const elsewhere = { ...two, folder: await tempFolder() };
      await expect(joinServices(elsewhere)).rejects.toMatchObject({ kind: "wrong-usage" });
      // Buckets of the same name at other servers are other places.
      const { replicas } = one;
      const there = {
        role: "service",
        folder: "f",
        blobs: "s3://b at http://127.0.0.1:9000",
      } as const;
      if (replicas !== null) vi.spyOn(replicas, "join").mockResolvedValue([there]);
      vi.stubEnv("VIDEO_RRD_BLOBS", "s3://b");
      for (const [endpoint, outcome] of [
        ["http://127.0.0.1:9000/", "fulfilled"],
        ["http://127.0.0.1:9001", "rejected"],
      ] as const) {
        vi.stubEnv("AWS_ENDPOINT_URL_S3", endpoint);
        const [joined] = await Promise.allSettled([joinServices(one)]);
        expect([endpoint, joined.status]).toEqual([endpoint, outcome]);
      }
    });
  });
}
