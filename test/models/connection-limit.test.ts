import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPlaces, placesFor } from "../../src/models/connection-limit.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, rig } from "./setup.ts";

const never = new AbortController().signal;
const busy = new Error("busy");
const isBusy = (error: unknown) => error === busy;

test("calls run first come first served, at most as many as the width", async () => {
  const places = createPlaces(3);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      places.run(
        async () => {
          order.push(index);
          most = Math.max(most, ++running);
          await sleep(1);
          running--;
        },
        isBusy,
        never,
      ),
    ),
  );
  expect(most).toBe(3);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test("calls in flight together halve the width once, successful replies restore it up to the maximum", async () => {
  const places = createPlaces(16);
  const fail = () => places.run(() => Promise.reject(busy), isBusy, never).catch(() => {});
  await Promise.all(Array.from({ length: 16 }, fail));
  expect(places.width()).toBe(8);
  for (let i = 0; i < 10; i++) await fail();
  expect(places.width()).toBe(1);
  for (let i = 0; i < 200; i++) await places.run(async () => {}, isBusy, never);
  expect(places.width()).toBe(16);
  await places.run(() => Promise.reject(new Error("other")), isBusy, never).catch(() => {});
  expect(places.width()).toBe(16);
});

test("the width always stays between 1 and the maximum", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.boolean(), { maxLength: 60 }),
      async (ceiling, outcomes) => {
        const places = createPlaces(ceiling);
        for (const good of outcomes) {
          await places
            .run(() => (good ? Promise.resolve() : Promise.reject(busy)), isBusy, never)
            .catch(() => {});
          expect(places.width()).toBeGreaterThanOrEqual(1);
          expect(places.width()).toBeLessThanOrEqual(ceiling);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("a call that is aborted while it waits leaves the queue and never runs", async () => {
  const places = createPlaces(1);
  const release = Promise.withResolvers<void>();
  const first = places.run(() => release.promise, isBusy, never);
  const gone = new AbortController();
  let ran = false;
  const second = places.run(
    async () => {
      ran = true;
    },
    isBusy,
    gone.signal,
  );
  const third = places.run(async () => "third", isBusy, never);
  gone.abort(new Error("left"));
  await expect(second).rejects.toThrow("left");
  release.resolve();
  await first;
  expect(await third).toBe("third");
  expect(ran).toBe(false);
});

test("there is one limit per server and process; the latest maximum applies", () => {
  const places = placesFor("openai http://one", 8);
  expect(placesFor("openai http://one", 4)).toBe(places);
  expect(places.width()).toBe(4);
  expect(placesFor("openai http://two", 8)).not.toBe(places);
  expect(placesFor("openai http://one", 8).width()).toBe(8);
});

test("the server never sees more than `max_connections`, over every question of the process", async () => {
  const server = await startModelServer(() => ({ text: "A", delay_ms: 100 }));
  try {
    const rigs = Array.from({ length: 6 }, () =>
      rig(server, "openai:one", { runtime: { max_connections: 5 } }),
    );
    await Promise.all(
      rigs.flatMap(({ models }, group) =>
        Array.from({ length: 7 }, (_, index) => models.call(ask([`${group} ${index}`]))),
      ),
    );
    expect(server.chats()).toHaveLength(42);
    expect(server.maxInFlight()).toBe(5);
  } finally {
    await server.close();
  }
});

test("the width begins at start, never falls below min and grows to max", async () => {
  const places = createPlaces({ min: 2, start: 4, max: 8 });
  const fail = () => places.run(() => Promise.reject(busy), isBusy, never).catch(() => {});
  expect(places.width()).toBe(4);
  for (let i = 0; i < 5; i++) await fail();
  expect(places.width()).toBe(2);
  for (let i = 0; i < 100; i++) await places.run(async () => {}, isBusy, never);
  expect(places.width()).toBe(8);
});
