import { describe, expect, test } from "vitest";
import type { RateTable } from "../../../src/core/rate-table.ts";
import { createRateLimiter } from "../../../src/models/rate-limit/rate-limiter.ts";

/** Requirements of a table of rates. `open` gives two views of one table, as two processes have them. */
export function rateTableContract(
  name: string,
  open: () => Promise<{ one: RateTable; other: RateTable; close(): Promise<void> }>,
): void {
  const withTable = async (body: (one: RateTable, other: RateTable) => Promise<void>) => {
    const { one, other, close } = await open();
    try {
      await body(one, other);
    } finally {
      await close();
    }
  };

  describe(`rates: ${name}`, () => {
    test("changes of a state follow each other, and its times do not fall", () =>
      withTable(async (one, other) => {
        const times: number[] = [];
        const add = (state: unknown, now_ms: number) => {
          const { count = 0 } = (state ?? {}) as { count?: number };
          times.push(now_ms);
          return { count: count + 1 };
        };
        const endpoint = `m http://${"long.".repeat(999)}\0`;
        expect((await one.read(endpoint)).state).toBeUndefined();
        const tables = Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other));
        const moments = await Promise.all(tables.map((table) => table.update(endpoint, add)));
        const counts = moments.map(({ state }) => (state as { count: number }).count);
        expect(counts.sort((a, b) => a - b)).toEqual(counts.map((_, index) => index + 1));
        expect((await other.read(endpoint)).state).toEqual({ count: 20 });
        expect((await one.read("another")).state).toBeUndefined();
        expect((await one.read("another")).now_ms).toBeGreaterThanOrEqual(times[0] as number);
      }));

    test("two processes share one rate, fairly", () =>
      withTable(async (one, other) => {
        const limits = { requests: 3_000, tokens: null };
        const { signal } = new AbortController();
        const began = performance.now();
        const starts: { who: number; at: number }[] = [];
        // The first process has a longer queue, and does not start more often.
        const limiters = [createRateLimiter(one, "shared"), createRateLimiter(other, "shared")];
        const counts = [70, 20];
        await Promise.all(
          limiters.flatMap((limiter, who) =>
            Array.from({ length: counts[who] as number }, async () => {
              const start = await limiter.start(1, limits, signal);
              starts.push({ who, at: performance.now() - began });
              start.begun();
            }),
          ),
        );
        // 50 a second after a burst of 50.
        expect(starts.at(-1)?.at).toBeGreaterThan(1000 * (40 / 50) - 50);
        expect(starts.findLastIndex(({ who }) => who === 1)).toBeLessThan(80);
        expect(limiters[0]?.view()).toMatchObject({ allowed: { requests: 3_000 }, waiting: 0 });
        expect(limiters[0]?.view().waited).toBeGreaterThan(0);
      }));
  });
}
