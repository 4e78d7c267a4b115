import { expect, test } from "vitest";
import { WEBHOOK_EVENTS } from "../../src/core/webhook-queue.ts";
import { openStore } from "../../src/storage/open.ts";
import { tempFolder } from "../support/temp.ts";

test("the ends of questions, each review, and videos are queued with the change, if their event is on", async () => {
  const { service, webhooks, close } = await openStore(await tempFolder());
  const row = { id: "q", upload: "u", owner: "", open: true, created_at: 1, json: "{}" };
  const put = (record: object, open = false) =>
    service.putQuestion({ ...row, open, json: JSON.stringify(record) });
  const queued = async () => (await webhooks.due(Date.now(), 99)).map(({ event }) => event);

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
  const video = { hash: "a".repeat(64), duration_s: 1, container: "mp4", width: 1, height: 1 };
  await service.putUpload({ ...upload, video });
  await service.putUpload({ ...upload, video, name: "b.mp4" });
  const all = await webhooks.due(Date.now(), 99);
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
  await webhooks.failed(second?.id ?? "", "status 500", Date.now() + 60_000);
  expect(await queued()).toEqual(["review.made", "video.ready", "question.failed"]);
  await webhooks.failed(second?.id ?? "", "status 500", null);
  expect(await webhooks.counts()).toEqual({ open: 3, dead: 1 });
  await webhooks.sweep(Date.now() + 1);
  expect(await webhooks.counts()).toEqual({ open: 3, dead: 0 });
  await close();
});
