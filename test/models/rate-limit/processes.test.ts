import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { openSharedCap } from "../../../src/core/shared-cap.ts";
import { openStore } from "../../../src/storage/open.ts";
import { createPool } from "../../../src/storage/postgres/pool.ts";
import { readPostgresAddress } from "../../../src/storage/postgres/store-address.ts";
import { type SeenRequest, startModelServer } from "../../support/model-server.ts";
import { postgresPrograms, startPostgres } from "../../support/postgres-server.ts";
import { tempFolder } from "../../support/temp.ts";
import type { Job, Outcome } from "./caller.ts";

const CALLER = fileURLToPath(new URL("caller.ts", import.meta.url));
const HOUR_MS = 3_600_000;
/** A busy machine sends requests late, together with those after them. */
const LATE_S = 0.5;
/** A question of 100 tokens. */
const text = (about: string) => about.padEnd(400, " word");
const PRICE = { input: 2e-6, output: 8e-6 };

const server = await startModelServer(() => "yes");
afterAll(() => server.close());
beforeEach(() => server.reset());

/** The most requests that arrived within a window of so many milliseconds, by a weight of each. */
function most(seen: readonly SeenRequest[], window_ms: number, weight = 1): number {
  const times = seen.map(({ at }) => at);
  return Math.max(
    ...times.map(
      (from) => weight * times.filter((at) => at >= from && at < from + window_ms).length,
    ),
  );
}

describe.skipIf(postgresPrograms() === null && !process.env.CI)("four processes", () => {
  let store: Store;
  let address: string;
  let callers: ChildProcess[];

  beforeAll(async () => {
    address = (await startPostgres()).address("limits");
    const folder = await tempFolder();
    store = await openStore(folder, address);
    // Their clocks are an hour apart.
    callers = [0, -HOUR_MS, HOUR_MS, 0].map((clock) =>
      fork(CALLER, [folder, address, String(clock)], { execArgv: [] }),
    );
    await Promise.all(callers.map((caller) => once(caller, "message")));
    // The first call of a process takes longer.
    await call(1, "warm", {});
    afterAll(async () => {
      for (const caller of callers) caller.kill("SIGKILL");
      await store.close();
    });
  });

  /** Has each process make so many calls at the same time. */
  async function call(
    each: number,
    run: string,
    runtime: Job["runtime"],
    about = run,
  ): Promise<Outcome[]> {
    const answers = callers.map(async (caller, process) => {
      const questions = Array.from({ length: each }, (_, n) => text(`${about} ${process} ${n}`));
      caller.send({ url: server.url, run, questions, runtime, maxTokens: 400 });
      const [outcome] = await once(caller, "message");
      return outcome as Outcome;
    });
    return Promise.all(answers);
  }

  test("share the requests a minute: a burst of one second, then evenly", async () => {
    server.answer(() => ({ text: "yes", delay_ms: 30 }));
    // 20 a second.
    const runtime = { requests_per_minute: 1_200 };
    const ended = await call(25, "requests", runtime);
    const seen = server.chats();
    expect(seen).toHaveLength(100);
    for (const window_s of [1, 2])
      expect(most(seen, window_s * 1000)).toBeLessThanOrEqual(20 * (window_s + LATE_S) + 20);
    const took_s = ((seen.at(-1)?.at ?? 0) - (seen[0]?.at ?? 0)) / 1000;
    expect(took_s).toBeGreaterThan(3.7);
    expect(took_s).toBeLessThan(6);
    // Every process waited; none had to wait for all the others.
    for (const { outcomes, waited_s } of ended) {
      expect(new Set(outcomes)).toEqual(new Set(["replied"]));
      expect(waited_s).toBeGreaterThan(2);
    }
    // Stored replies take nothing.
    const began = performance.now();
    await call(25, "requests", { requests_per_minute: 1 });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(server.chats()).toHaveLength(100);
  });

  test("share the tokens a minute, with what the replies took", async () => {
    server.answer(() => ({ text: "yes", usage: { input: 100, output: 20 } }));
    // 2,000 a second; 200 expected for each call, 120 taken.
    await call(12, "tokens", { tokens_per_minute: 120_000 });
    const seen = server.chats();
    expect(seen).toHaveLength(48);
    // A burst of a second, and what replies before the window returned.
    for (const window_s of [0.5, 1])
      expect(most(seen, window_s * 1000, 120)).toBeLessThanOrEqual(2_000 * window_s + 2_000 + 960);
    const took_s = ((seen.at(-1)?.at ?? 0) - (seen[0]?.at ?? 0)) / 1000;
    expect(took_s).toBeGreaterThan((48 * 120 - 2_000 - 960) / 2_000);
    // With the expected tokens, it would take 3.8 s.
    expect(took_s).toBeLessThan(3.5);
  });

  test("pause and slow down together after one 429", async () => {
    let arrived = 0;
    let refused_at = 0;
    server.answer(({ at }) => {
      if (++arrived !== 35) return "yes";
      refused_at = at;
      return { status: 429, text: "slow down", headers: { "retry-after": "2" } };
    });
    // 25 a second after a burst of 25, until the 429.
    const ended = await call(15, "refused", { requests_per_minute: 1_500 });
    expect(ended.flatMap(({ outcomes }) => outcomes)).toEqual(Array(60).fill("replied"));
    const since = server.chats().map(({ at }) => at - refused_at);
    const within = (from: number, to: number) => since.filter((at) => at >= from && at < to).length;
    // Processes hear of it within a second. Then the rate is half of 25 a second.
    expect(within(1_100, 1_950)).toBe(0);
    expect(within(1_950, 2_950)).toBeGreaterThan(3);
    expect(within(1_950, 2_950)).toBeLessThanOrEqual(13 * (1 + LATE_S));
  });

  test("stop together at the limit of a run; a killed process's reservation counts as spent", async () => {
    const reserved = 100 * PRICE.input + 100 * PRICE.output;
    const billed = 100 * PRICE.input + 150 * PRICE.output;
    server.answer(() => ({ text: "yes", delay_ms: 50, usage: { input: 100, output: 150 } }));
    const limit = 30 * reserved;
    const cap = await openSharedCap(store, "budget", limit, 0);
    let sent = 0;
    for (const round of [1, 2, 3, 4]) {
      const ended = await call(2, "budget", {}, `budget ${round}`);
      const outcomes = ended.flatMap((one) => one.outcomes);
      const now = server.chats().length - sent;
      // As many of eight calls as fit, with what was billed before.
      const most = Math.floor((limit - sent * billed) / reserved + 1e-9);
      expect(now).toBe(Math.max(0, Math.min(8, most)));
      sent += now;
      expect(outcomes.filter((outcome) => outcome === "replied")).toHaveLength(now);
      expect(outcomes.filter((outcome) => outcome === "limit-met")).toHaveLength(8 - now);
      const account = await store.spending?.read("budget");
      expect(account?.spent).toBeCloseTo(sent * billed, 9);
      expect(account?.reserved).toBe(0);
    }
    // Over the limit by no more than the calls in flight took above their reservations.
    expect(sent * billed).toBeGreaterThan(limit);
    expect(sent * billed - limit).toBeLessThanOrEqual(8 * (billed - reserved));
    await expect(cap.reserve(reserved)).rejects.toMatchObject({ kind: "limit-met" });

    const more = await openSharedCap(store, "budget", 1, 0);
    const arrived = Promise.withResolvers<void>();
    server.answer(() => {
      arrived.resolve();
      return { text: "never", delay_ms: 60_000 };
    });
    const [victim] = callers as [ChildProcess];
    const questions = [text("killed")];
    victim.send({ url: server.url, run: "budget", questions, runtime: {}, maxTokens: 400 });
    await arrived.promise;
    const before = await store.spending?.read("budget");
    expect(before?.reserved).toBeCloseTo(reserved, 9);
    const gone = once(victim, "exit");
    victim.kill("SIGKILL");
    await gone;
    // Another process of the store sees the end of the victim.
    await (await openStore(await tempFolder(), address)).close();
    const after = await store.spending?.read("budget");
    expect(after?.reserved).toBe(0);
    expect(after?.unconfirmed).toBeCloseTo(reserved, 9);
    expect(after?.spent).toBeCloseTo((before?.spent ?? 0) + reserved, 9);
    expect(more.met()).toBe(false);
  });

  test("a process whose heartbeat came too late corrects what was counted for it", async () => {
    const cap = await openSharedCap(store, "late", 1);
    const held = await cap.reserve(0.5);
    const pool = createPool(readPostgresAddress(address));
    await pool.send("DELETE FROM processes", []);
    await pool.close();
    const lost = { spent: 0.5, unconfirmed: 0.5, reserved: 0 };
    expect(await store.spending?.read("late")).toMatchObject(lost);
    await held.settle(0.125);
    const settled = { spent: 0.125, unconfirmed: 0, reserved: 0 };
    expect(await store.spending?.read("late")).toMatchObject(settled);
    await (await cap.reserve(0.25)).settle(0.25);
    expect(cap.paid()).toBe(0.375);
  });
});
