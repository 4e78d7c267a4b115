import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { MemoStep, Store } from "../../../src/core/contracts.ts";
import { type Open, useStore } from "./with-store.ts";

const A = "a".repeat(64);

function step<T>(key: string, more: Partial<MemoStep<T>> = {}): MemoStep<T> {
  return { key, tags: [A], run: "run-1", ...more };
}

/** Work that the test ends explicitly and counts. */
function held<T>(value: T) {
  const gate = Promise.withResolvers<T>();
  const begun = Promise.withResolvers<AbortSignal>();
  const made = {
    calls: 0,
    begun: begun.promise,
    land: () => gate.resolve(value),
    fail: (error: Error) => gate.reject(error),
    work: (signal: AbortSignal) => {
      made.calls++;
      begun.resolve(signal);
      return gate.promise;
    },
  };
  return made;
}

/** Requirements of any memo, within one process. */
export function memoContract(name: string, open: Open): void {
  describe(`memo: ${name}`, () => {
    const withStore = (body: (store: Store, folder: string) => Promise<void>) =>
      useStore(open, body);

    test("a step is done once and outlives the store", () =>
      withStore(async ({ memo }, folder) => {
        const value = { text: "Ünïcode \u0000 and 👀", list: [1, 2.5, null] };
        expect(await memo.once(step("k"), async () => value)).toEqual({ value, cached: false });
        const again = held(value);
        expect(await memo.once(step("k", { run: "run-2" }), again.work)).toEqual({
          value,
          cached: true,
        });
        const other = await open(folder);
        expect(await other.memo.once(step("k"), again.work)).toEqual({ value, cached: true });
        expect(await other.memo.peek("k", "run-3")).toEqual(value);
        await other.close();
        expect(again.calls).toBe(0);
        expect(await memo.peek("other", "run-1")).toBeUndefined();
      }));

    test("what is returned is what would be read back, and nobody's to change", () =>
      withStore(async ({ memo }) => {
        const work = async (): Promise<{ a: number; b?: number }> => ({ a: 1, b: undefined });
        const [first, second] = await Promise.all([
          memo.once(step("k"), work),
          memo.once(step("k"), work),
        ]);
        expect(Object.keys(first.value)).toEqual(["a"]);
        first.value.a = 2;
        expect(second.value).toEqual({ a: 1 });
      }));

    test("callers at once share one flight", () =>
      withStore(async ({ memo }) => {
        const flight = held({ n: 7 });
        const all = Array.from({ length: 50 }, (_, i) =>
          memo.once(step("k", { run: `run-${i}` }), flight.work),
        );
        await flight.begun;
        flight.land();
        const results = await Promise.all(all);
        expect(flight.calls).toBe(1);
        expect(results.map(({ value }) => value)).toEqual(results.map(() => ({ n: 7 })));
        expect(results.filter(({ cached }) => !cached)).toHaveLength(1);
      }));

    test("work that throws is not kept, and those who waited try for themselves", () =>
      withStore(async ({ memo }) => {
        const broken = held(0);
        const failing = memo.once(step("k"), broken.work);
        await broken.begun;
        const waiting = memo.once(step("k"), async () => 5);
        broken.fail(new Error("dropped"));
        await expect(failing).rejects.toThrow("dropped");
        expect(await waiting).toEqual({ value: 5, cached: false });
      }));

    test("a value that is not reusable serves the run that paid, until a reusable one replaces it", () =>
      withStore(async ({ memo }) => {
        const reusable = (value: string) => value !== "empty";
        const once = (run: string, value: string) =>
          memo.once<string>(step("k", { run, reusable }), async () => value);
        expect(await once("run-1", "empty")).toEqual({ value: "empty", cached: false });
        expect(await once("run-1", "not asked")).toEqual({ value: "empty", cached: true });
        expect(await memo.peek("k", "run-2")).toBeUndefined();
        expect(await once("run-2", "empty")).toEqual({ value: "empty", cached: false });
        expect(await once("run-1", "not asked")).toEqual({ value: "empty", cached: true });
        expect(await once("run-3", "whole")).toEqual({ value: "whole", cached: false });
        for (const run of ["run-1", "run-2", "run-4"])
          expect(await once(run, "not asked")).toEqual({ value: "whole", cached: true });
      }));

    test("a waiter of another run does not take what is not reusable", () =>
      withStore(async ({ memo }) => {
        const reusable = (value: string) => value !== "empty";
        const flight = held("empty");
        const payer = memo.once(step("k", { reusable }), flight.work);
        await flight.begun;
        const same = memo.once(step("k", { reusable }), flight.work);
        const other = memo.once(step("k", { reusable, run: "run-2" }), async () => "whole");
        flight.land();
        expect(await payer).toEqual({ value: "empty", cached: false });
        expect(await same).toEqual({ value: "empty", cached: true });
        expect(await other).toEqual({ value: "whole", cached: false });
        expect(flight.calls).toBe(1);
      }));

    test("the flight goes on for those who wait when its caller is aborted", () =>
      withStore(async ({ memo }) => {
        const flight = held("paid once");
        const caller = new AbortController();
        const leader = memo.once(step("k", { signal: caller.signal }), flight.work);
        const signal = await flight.begun;
        const waiter = memo.once(step("k", { run: "run-2" }), flight.work);
        caller.abort();
        await expect(leader).rejects.toMatchObject({ kind: "cancelled" });
        expect(signal.aborted).toBe(false);
        flight.land();
        expect(await waiter).toEqual({ value: "paid once", cached: true });
        expect(flight.calls).toBe(1);
      }));

    test("work is told to stop when nobody wants it, and the next caller starts afresh", () =>
      withStore(async ({ memo }) => {
        const [one, two] = [new AbortController(), new AbortController()];
        const stopped = Promise.withResolvers<void>();
        const begun = Promise.withResolvers<void>();
        const work = async (signal: AbortSignal) => {
          begun.resolve();
          await sleep(60_000, undefined, { signal }).finally(() => stopped.resolve());
          return 1;
        };
        const callers = [one, two].map(({ signal }) => memo.once(step("k", { signal }), work));
        const ends = Promise.allSettled(callers);
        await begun.promise;
        one.abort();
        two.abort();
        await stopped.promise;
        expect((await ends).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
        expect(await memo.once(step("k"), async () => 2)).toEqual({ value: 2, cached: false });
      }));

    test("a reply that arrives although nobody wants it any more is kept", () =>
      withStore(async ({ memo }) => {
        const flight = held("late");
        const caller = new AbortController();
        const leader = memo.once(step("k", { signal: caller.signal }), flight.work);
        await flight.begun;
        caller.abort();
        await expect(leader).rejects.toMatchObject({ kind: "cancelled" });
        const next = memo.once(step("k"), async () => "paid again");
        flight.land();
        expect(await next).toEqual({ value: "late", cached: true });
      }));

    test("a caller that is aborted already does no work", () =>
      withStore(async ({ memo }) => {
        const flight = held(1);
        const signal = AbortSignal.abort();
        await expect(memo.once(step("k", { signal }), flight.work)).rejects.toMatchObject({
          kind: "cancelled",
        });
        expect(flight.calls).toBe(0);
      }));

    test("two stores of one folder do a step once", () =>
      withStore(async ({ memo }, folder) => {
        const other = await open(folder);
        const flight = held("shared");
        const first = memo.once(step("k"), flight.work);
        await flight.begun;
        const second = other.memo.once(step("k"), flight.work);
        flight.land();
        expect((await first).cached).toBe(false);
        expect(await second).toEqual({ value: "shared", cached: true });
        expect(flight.calls).toBe(1);
        await other.close();
      }));

    test("forget removes what carries the tag, what is in flight included", () =>
      withStore(async ({ memo }) => {
        await memo.once(step("a", { tags: [A, "t"] }), async () => 1);
        await memo.once(step("b", { tags: ["t"] }), async () => 2);
        await memo.once(step("c", { tags: ["u"] }), async () => 3);
        const flight = held(4);
        const flying = memo.once(step("d", { tags: ["t"] }), flight.work);
        await flight.begun;
        expect(await memo.forget("t")).toBe(2);
        expect(await memo.forget("t")).toBe(0);
        flight.land();
        expect(await flying).toEqual({ value: 4, cached: false });
        for (const key of ["a", "b", "d"]) expect(await memo.peek(key, "run-1")).toBeUndefined();
        expect(await memo.peek("c", "run-1")).toBe(3);
      }));

    test("a step without a JSON value, or without a run, is refused", () =>
      withStore(async ({ memo }) => {
        await expect(memo.once(step("k"), async () => undefined)).rejects.toMatchObject({
          kind: "data-malformed",
        });
        await expect(memo.once(step("k", { run: "" }), async () => 1)).rejects.toMatchObject({
          kind: "wrong-usage",
        });
      }));

    test("closing the store cancels what is in flight", () =>
      withStore(async (store) => {
        const flying = store.memo.once(step("k"), (signal) => sleep(60_000, 1, { signal }));
        const ended = expect(flying).rejects.toMatchObject({ kind: "cancelled" });
        await store.close();
        await ended;
      }));
  });
}
