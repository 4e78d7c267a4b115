import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { placeForLargeReply } from "../../src/models/large-replies.ts";

test("a place is returned, also by a cancelled wait", async () => {
  const never = new AbortController().signal;
  const held = await Promise.all([placeForLargeReply(never), placeForLargeReply(never)]);
  const leaving = new AbortController();
  const left = placeForLargeReply(leaving.signal);
  let isGiven = false;
  const next = placeForLargeReply(never).then((release) => {
    isGiven = true;
    return release;
  });
  leaving.abort(new Error("the call took too long"));
  await expect(left).rejects.toThrow("took too long");
  await sleep(5);
  expect(isGiven).toBe(false);
  held[0]?.();
  (await next)();
  held[1]?.();
  await expect(placeForLargeReply(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  for (let i = 0; i < 5; i++) (await placeForLargeReply(never))();
});
