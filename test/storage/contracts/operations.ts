import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import type { RatingRow } from "../../../src/core/ratings.ts";
import { NO_AMOUNTS } from "../../../src/core/usage-ledger.ts";
import { WEBHOOK_EVENTS } from "../../../src/core/webhook-queue.ts";
import { type Open, useStore } from "./with-store.ts";

const A = "a".repeat(64);
const video = { hash: A, duration_s: 1, container: "mp4", width: 1, height: 1 };

/** Requirements of what operates a service: lists, reviews, usage, the audit log, the webhook, files at providers. */
export function operationsContract(name: string, open: Open): void {
  const withStore = (body: (store: Store, folder: string) => Promise<void>) => useStore(open, body);

  describe(`operation: ${name}`, () => {
    test("the ends of questions, each review, and videos are queued with the change, if their event is on", () =>
      withStore(async ({ service, webhooks }) => {
        const row = { id: "q", upload: "u", owner: "", open: true, created_at: 1, json: "{}" };
        const put = (record: object, open = false) =>
          service.putQuestion({ ...row, open, json: JSON.stringify(record) });
        const queued = async () => (await webhooks.take(99, 0)).map(({ event }) => event);

        await put({ state: "running" }, true);
        await put({ state: "answered" });
        expect(await queued()).toEqual([]);
        await webhooks.setEvents(WEBHOOK_EVENTS);
        await put({ state: "running" }, true);
        await put({ state: "answered", review: null });
        await put({ state: "answered", review: null, set: "edited" });
        await put({ state: "answered", review: { verdict: "approved" }, set: "edited" });
        await put({ state: "answered", review: { verdict: "approved" }, set: "edited again" });
        await put({ state: "answered", review: { verdict: "corrected" }, set: "edited again" });
        await put({ state: "answered", review: null, set: "edited again" });
        const upload = { id: "u", owner: "", name: "a.mp4", size: 1, created_at: 1, video: null };
        await service.putUpload(upload);
        await service.putUpload({ ...upload, video });
        await service.putUpload({ ...upload, video, name: "b.mp4" });
        const all = await webhooks.take(99, 0);
        expect(all.map(({ event, subject }) => [event, subject])).toEqual([
          ["question.answered", "q"],
          ["review.made", "q"],
          ["review.made", "q"],
          ["video.ready", "u"],
        ]);
        await webhooks.setEvents(["question.failed"]);
        await put({ state: "running" }, true);
        await put({ state: "failed" });
        await service.putUpload({ ...upload, id: "u2", video });
        expect((await queued()).at(-1)).toBe("question.failed");

        const [first, second] = all;
        await webhooks.delivered(first?.id ?? "");
        await webhooks.failed(second?.id ?? "", "status 500", 60_000);
        expect(await queued()).toEqual(["review.made", "video.ready", "question.failed"]);
        // As by a clock that was ahead and has been set back since.
        await webhooks.failed(second?.id ?? "", "status 500", 3 * 86_400_000);
        expect(await queued()).toHaveLength(4);
        await webhooks.failed(second?.id ?? "", "status 500", 5.9 * 3_600_000);
        expect(await queued()).toHaveLength(3);
        await webhooks.failed(second?.id ?? "", "status 500", null);
        expect(await webhooks.counts()).toEqual({ open: 3, dead: 1 });
        await webhooks.sweep(Date.now() + 1);
        expect(await webhooks.counts()).toEqual({ open: 3, dead: 0 });
      }));

    test("lists of questions and videos come in pages, by any order and filter", () =>
      withStore(async ({ service }) => {
        const names = ["Ärger", "zebra", "apple", "Über", "Berg"];
        for (const [index, title] of names.entries()) {
          const id = `u${index}`;
          const media = { ...video, duration_s: 5 - index };
          const own = { id, owner: "ann", name: title, size: 1, created_at: index };
          await service.putUpload({ ...own, video: media });
          await service.editUpload(id, { tags: index % 2 ? ["odd", "a"] : ["even", "even"] });
        }
        expect(await service.editUpload("missing", { name: "x" })).toBe(false);
        const walk = async (sort: "created" | "name" | "duration" | "questions") => {
          const ids: string[] = [];
          let after: { value: string | number; id: string } | null = null;
          do {
            const request = { order: "desc", limit: 2, after } as const;
            const page = await service.listUploads({ owner: "ann" }, sort, request);
            expect(page.total).toBe(5);
            ids.push(...page.rows.map(({ row }) => row.name));
            after = page.last;
          } while (after !== null);
          return ids;
        };
        expect(await walk("created")).toEqual([...names].reverse());
        expect(await walk("duration")).toEqual(names);
        expect(await walk("name")).toEqual(["Über", "Ärger", "zebra", "Berg", "apple"]);
        expect(await walk("questions")).toEqual([...names].reverse());
        const page = { order: "asc", limit: 9, after: null } as const;
        const even = await service.listUploads({ owner: "ann", tag: "even" }, "name", page);
        expect(even.rows.map(({ row, tags }) => [row.name, tags])).toEqual([
          ["apple", ["even"]],
          ["Berg", ["even"]],
          ["Ärger", ["even"]],
        ]);
        expect(await service.tagsOf("ann")).toEqual([
          { tag: "a", videos: 2 },
          { tag: "even", videos: 3 },
          { tag: "odd", videos: 2 },
        ]);

        const record = (more: object) =>
          JSON.stringify({
            state: "answered",
            strategy: "rrd",
            model: "m",
            asked: { text: "Was ÜBER?" },
            ...more,
          });
        const question = { upload: "u1", owner: "ann", open: false };
        await service.putQuestion({ ...question, id: "q1", created_at: 1, json: record({}) });
        const reviewed = record({ review: { verdict: "approved" }, asked: { goal: "a \u0000 b" } });
        await service.putQuestion({ ...question, id: "q2", created_at: 2, json: reviewed });
        const conflict = record({ conflict: true, model: null });
        await service.putQuestion({ ...question, id: "q3", created_at: 3, json: conflict });
        await service.putQuestion({ ...question, id: "q4", created_at: 4, json: "[]" });
        const list = async (filter: object) => {
          const { rows, total } = await service.listQuestions({ owner: null, ...filter }, page);
          expect(rows).toHaveLength(total);
          return rows.map(({ id }) => id).join();
        };
        expect(await list({})).toBe("q1,q2,q3,q4");
        expect(await list({ q: "über" })).toBe("q1,q3");
        expect(await list({ verdict: "none" })).toBe("q1,q4");
        expect(await list({ verdict: "conflict" })).toBe("q3");
        expect(await list({ model: "m", state: "answered", strategy: "rrd" })).toBe("q1,q2");
        expect(await list({ since: 2, until: 3, upload: "u1" })).toBe("q2,q3");
        expect((await service.question("q2"))?.json).toBe(reviewed);
      }));

    test("a queue of answers to review leaves out what a rater has rated, and what enough have", () =>
      withStore(async ({ service }) => {
        const row = (id: string, more: object = {}) => ({
          ...{ id, upload: "u", owner: "ann", open: false, created_at: Number(id.slice(1)) },
          json: JSON.stringify({ state: "answered", ...more }),
        });
        for (const id of ["q1", "q2", "q3"]) await service.putQuestion(row(id));
        const rating: RatingRow = {
          ...{
            id: "r1",
            question: "q1",
            rater: "bob",
            verdict: "approved",
            answer: "A",
            note: "x\0y",
          },
          ...{ seconds: 1.5, at: 7, blind: true, settles: false, undone_at: null },
        };
        await service.addRating(rating, row("q1"));
        await service.addRating(
          { ...rating, id: "r2", question: "q3", answer: [2, 1] },
          row("q3", { conflict: true }),
        );
        const queue = async (more: object = {}) =>
          (
            await service.ratingQueue(
              { owner: "ann" },
              { of: "open", rater: "bob", raters: 2, limit: 9, ...more },
            )
          ).map(({ id }) => id);
        expect(await queue()).toEqual(["q2"]);
        expect(await queue({ rater: "eve" })).toEqual(["q1", "q2"]);
        expect(await queue({ rater: "eve", raters: 1 })).toEqual(["q2"]);
        expect(await queue({ rater: "eve", after: "q1" })).toEqual(["q2"]);
        expect(await queue({ rater: "eve", of: "conflict" })).toEqual(["q3"]);
        const progress = { total: 3, settled: 0, conflicts: 1, mine: 2 };
        expect(await service.ratingProgress({ owner: null }, "bob")).toEqual(progress);
        await service.undoRating("r1", 9, row("q1"));
        expect(await queue()).toEqual(["q1", "q2"]);
        expect(await service.ratingsOf("q1")).toEqual([{ ...rating, undone_at: 9 }]);
        expect(await service.ratingProgress({ owner: "eve" }, "bob")).toEqual({
          ...{ total: 0, settled: 0, conflicts: 0, mine: 0 },
        });
      }));

    test("what changes a question that was removed is not written", () =>
      withStore(async ({ service }) => {
        const row = {
          ...{ id: "q1", upload: "u", owner: "ann", open: false, created_at: 1 },
          json: JSON.stringify({ state: "answered" }),
        };
        const rating: RatingRow = {
          ...{ id: "r1", question: "q1", rater: "bob", verdict: "approved", answer: "A" },
          ...{ note: null, seconds: null, at: 7, blind: false, settles: false, undone_at: null },
        };
        await service.putQuestion(row);
        const edited = { ...row, json: JSON.stringify({ state: "answered", set: "s" }) };
        expect(await service.editQuestion(edited)).toBe(true);
        expect(await service.question("q1")).toEqual(edited);
        expect(await service.addRating(rating, row)).toBe(true);
        expect(await service.undoRating("r1", 9, row)).toBe(true);
        await service.dropQuestion("q1");
        expect(await service.editQuestion(edited)).toBe(false);
        expect(await service.addRating({ ...rating, id: "r2" }, row)).toBe(false);
        expect(await service.undoRating("r1", 9, row)).toBe(false);
        expect(await service.question("q1")).toBeUndefined();
        expect(await service.ratingsOf("q1")).toEqual([]);
      }));

    test("usage adds up by group; requests with a key are answered once", () =>
      withStore(async ({ service }) => {
        const entry = {
          ...NO_AMOUNTS,
          owner: "ann",
          day: "2026-01-01",
          strategy: "rrd",
          model: "m",
        };
        const entries = [
          { ...entry, calls: 2, cost: 0.25 },
          { ...entry, calls: 3, cost: 0.5, model: "n" },
          { ...entry, owner: "bob", input: 5_000_000_000 },
        ];
        await service.addUsage(entries, "batch");
        const filter = { owner: null, since: "2026-01-01", until: "2026-01-01" };
        const sums = await service.usage(filter, "strategy");
        expect(sums).toEqual([
          { ...NO_AMOUNTS, owner: "ann", group: "rrd", calls: 5, cost: 0.75 },
          { ...NO_AMOUNTS, owner: "bob", group: "rrd", input: 5_000_000_000 },
        ]);
        expect(await service.usage({ ...filter, owner: "ann" }, "model")).toHaveLength(2);
        expect(await service.usage({ ...filter, until: "2025-12-31" }, "key")).toEqual([]);

        const asked = {
          owner: "ann",
          key: "k",
          about: "q",
          request: "h",
          made: "q",
          created_at: 5,
        };
        await service.putIdempotent({ ...asked, response: null });
        const response = { status: 201, location: "/q", body: '{"a":1}' };
        await service.putIdempotent({ ...asked, response });
        expect(await service.idempotent("ann", "k")).toEqual({ ...asked, response });
        await service.dropQuestion("q");
        expect((await service.idempotent("ann", "k"))?.response).toEqual({
          ...response,
          body: null,
        });
        expect([
          await service.countIdempotent("ann"),
          await service.countIdempotent("eve"),
        ]).toEqual([1, 0]);
        await service.sweepIdempotent(6);
        expect(await service.idempotent("ann", "k")).toBeUndefined();
      }));

    test("the audit log lists the newest first, and only pruning removes entries", () =>
      withStore(async ({ audit }) => {
        for (let at = 1; at <= 4; at++)
          await audit.append({
            at,
            who: "ann",
            address: "",
            action: at % 2 ? "odd" : "even",
            details: { at },
          });
        const all = await audit.list({}, 3, null);
        expect(all.map(({ at }) => at)).toEqual([4, 3, 2]);
        expect((await audit.list({}, 3, all.at(-1)?.id ?? 0)).map(({ at }) => at)).toEqual([1]);
        expect(await audit.count({ action: "odd", since: 2, until: 4 })).toBe(1);
        expect(await audit.prune(3, { who: "olga", address: "::1" })).toBe(2);
        expect((await audit.list({}, 9, null)).map(({ action }) => action)).toEqual([
          ...["audit.pruned", "even", "odd"],
        ]);
      }));

    test("a file at a provider is found until its last user has ended", () =>
      withStore(async (store, folder) => {
        const file = {
          name: "files/1",
          place: "p",
          account: "a",
          content: A,
          uri: null,
          expires_at: 9,
        };
        await store.remoteFiles.put(file);
        await store.remoteFiles.put({ ...file, uri: "https://p/1" });
        expect(await store.remoteFiles.find(file)).toEqual({ ...file, uri: "https://p/1" });
        expect(await store.remoteFiles.find({ ...file, account: "b" })).toBeUndefined();
        const leaving = await store.remoteFiles.release("p", "a");
        expect(leaving).toEqual([{ ...file, uri: "https://p/1" }]);
        expect(await store.remoteFiles.find(file)).toBeUndefined();
        await store.remoteFiles.drop(file);
        const other = await open(folder);
        expect(await other.remoteFiles.release("p", "a")).toEqual([]);
        await other.close();
      }));

    test("any text comes back as it was, with NUL and control characters", () =>
      withStore(async ({ service, catalogue, audit, events }) => {
        const text = fc.string({ unit: "grapheme-composite" });
        const odd = fc.array(fc.oneof(fc.constantFrom("\0", "\u0001", "0", "1", "\\", "'"), text));
        let round = 0;
        await fc.assert(
          fc.asyncProperty(
            odd.map((parts) => parts.join("")),
            async (given) => {
              const id = `${++round}`;
              await service.putUpload({
                id,
                owner: given,
                name: given,
                size: 1,
                created_at: 1,
                video,
              });
              await service.editUpload(id, { tags: [given] });
              expect((await service.uploads(given)).at(-1)).toMatchObject({ id, name: given });
              expect((await service.aboutUpload(id)).tags).toEqual([given]);
              await catalogue.putVideo({ hash: A, path: `/${given}`, size: 1, modified_ms: round });
              expect(await catalogue.videoPath(A)).toBe(`/${given}`);
              const json = JSON.stringify({ text: given });
              await catalogue.putQuestion({ id: given, video: id, json });
              expect(await catalogue.questions(id)).toEqual([{ id: given, json }]);
              const event = await events.append(`${id} ${given}`, given, 1, {
                type: "note",
                text: given,
              });
              expect(await events.after(`${id} ${given}`, 0)).toEqual([event]);
              await audit.append({
                at: 1,
                who: given,
                address: "",
                action: "a",
                details: { given },
              });
              expect((await audit.list({ who: given }, 1, null))[0]?.details).toEqual({ given });
            },
          ),
          { numRuns: 15 },
        );
      }));
  });
}
