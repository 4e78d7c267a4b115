import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { joinSharedCap, openSharedCap } from "../../../src/core/shared-cap.ts";
import { type Open, useStore } from "./with-store.ts";

/** Without waiting for calls in flight. */
const AT_ONCE = { waits: false };

/** Requirements of a cap that several processes may share. `isShared`: whether another store of the database sees it. */
export function spendingContract(name: string, open: Open, isShared: boolean): void {
  const withStore = (body: (store: Store, folder: string) => Promise<void>) => useStore(open, body);

  describe(`spending: ${name}`, () => {
    test("calls in flight are reserved, refused at the limit, and settled with what was billed", () =>
      withStore(async (store) => {
        const paid: number[] = [];
        const cap = await openSharedCap(store, "run", 1, 0.4, { onPaid: (sum) => paid.push(sum) });
        const first = await cap.reserve(0.3);
        const second = await cap.reserve(0.3);
        await expect(cap.reserve(0.1, AT_ONCE)).rejects.toMatchObject({ kind: "limit-met" });
        expect(cap.met()).toBe(true);
        await first.settle(0.1);
        await second.settle(0);
        expect(cap.paid()).toBeCloseTo(0.5, 12);
        await (await cap.reserve(null)).settle(null);
        await (await cap.reserve(0.5)).settle(0.7);
        expect(cap.paid()).toBeCloseTo(1.2, 12);
        expect(paid).toEqual([0.1, 0.7]);
        await expect(cap.reserve(0.001)).rejects.toThrow("limit of $1 for all calls is reached");
      }));

    test("ten calls of a tenth fit into the limit, and an eleventh does not, whatever their order", () =>
      withStore(async (store) => {
        const cap = await openSharedCap(store, "tenths", 1);
        const tried = await Promise.allSettled(
          Array.from({ length: 20 }, () => cap.reserve(0.1, AT_ONCE)),
        );
        expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
      }));

    test("a call that fits without what is reserved waits for calls in flight, of other runs too", () =>
      withStore(async (store) => {
        const sweep = await openSharedCap(store, "sweep", 1);
        const one = await openSharedCap(store, "one", 1, 0, { within: sweep });
        const two = await openSharedCap(store, "two", null, 0, { within: sweep });
        const held = await one.reserve(0.8);
        const own = one.reserve(0.5);
        const others = two.reserve(0.1);
        await held.settle(0.3);
        await (await own).settle(0.4);
        await (await others).settle(0.1);
        expect([one.paid(), two.paid(), one.met(), two.met()]).toEqual([0.7, 0.1, false, false]);
        await expect(one.reserve(0.4)).rejects.toMatchObject({ kind: "limit-met" });
      }));

    test("calls that begin at once, of two runs of a sweep, all wait for their turn", () =>
      withStore(async (store) => {
        const sweep = await openSharedCap(store, "sweep", 1);
        const runs = await Promise.all(
          ["one", "two"].map((run) => openSharedCap(store, run, 0.9, 0, { within: sweep })),
        );
        const calls = Array.from({ length: 12 }, async (_, index) => {
          const held = await runs[index % 2]?.reserve(0.6);
          await sleep(5);
          await held?.settle(0.01);
        });
        await Promise.all(calls);
        const paid = runs.map((cap) => Number(cap.paid().toFixed(12)));
        expect([paid, sweep.met()]).toEqual([[0.06, 0.06], false]);
      }));

    test("the cap of a sweep refuses calls of its runs", () =>
      withStore(async (store) => {
        const sweep = await openSharedCap(store, "sweep", 1, 0.5);
        const one = await openSharedCap(store, "one", null, 0.25, { within: sweep });
        const two = await openSharedCap(store, "two", 0.3, 0.25, { within: sweep });
        const held = await one.reserve(0.4);
        await expect(two.reserve(0.1)).rejects.toThrow("$0.3");
        expect([sweep.met(), one.met()]).toEqual([false, false]);
        await expect(one.reserve(0.2, AT_ONCE)).rejects.toThrow("$1 ");
        expect([sweep.met(), one.met()]).toEqual([true, true]);
        await held.settle(0.1);
        await (await one.reserve(0.2)).settle(0.2);
        expect(one.paid()).toBeCloseTo(0.55, 12);
      }));

    if (!isShared) return;

    test("another process continues with the account and its limit", () =>
      withStore(async (store, folder) => {
        const other = await open(folder);
        try {
          const cap = await openSharedCap(store, "run", 1, 0.25);
          const theirs = await joinSharedCap(other, "run");
          const held = await theirs.reserve(0.5);
          await expect(cap.reserve(0.3)).rejects.toThrow(
            "$0.2500 is paid, and $0.5000 is reserved for calls in flight",
          );
          // Continued with a higher limit, and with what this process knows of: the account knows more.
          const again = await openSharedCap(store, "run", 2, 0.1);
          const more = await theirs.reserve(1.25);
          await expect(again.reserve(0.1)).rejects.toThrow("$2 ");
          await held.settle(0.25);
          await more.settle(1);
          expect(await store.spending?.read("run")).toEqual({
            ...{ run: "run", limit: 2, spent: 1.5, reserved: 0, unconfirmed: 0 },
          });
          const unknown = await joinSharedCap(other, "unknown");
          await (await unknown.reserve(1e6)).settle(1);
          expect(unknown.met()).toBe(false);
        } finally {
          await other.close();
        }
      }));

    test("what an ended process reserved counts as spent", () =>
      withStore(async (store, folder) => {
        const sweep = await openSharedCap(store, "sweep", 5);
        const cap = await openSharedCap(store, "run", 1, 0, { within: sweep });
        const other = await open(folder);
        const theirs = await joinSharedCap(other, "run");
        await theirs.reserve(0.25);
        await theirs.reserve(0.5);
        await other.close();
        const lost = { limit: 1, spent: 0.75, reserved: 0, unconfirmed: 0.75 };
        expect(await store.spending?.read("run")).toMatchObject(lost);
        await expect(cap.reserve(0.3)).rejects.toThrow("$0.7500 is paid.");
      }));
  });
}
