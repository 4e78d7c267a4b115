import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateHours, type HoursBasis } from "../../../evals/run/estimate-hours.ts";

const BASIS: HoursBasis = {
  ...{ call_s: 6, own_s: 2, connections: 10, cores: 2 },
  from: { call_s: "given", own_s: "assumed" },
  ...{ requests_per_minute: 600, tokens_per_minute: null },
};
const WORK = { results: 30_000, calls: 120_000, input_tokens: 240e6 };

test("the hours are those of the slowest of model, processors and rate limits", () => {
  const { by_workers } = estimateHours(WORK, BASIS);
  expect(by_workers).toEqual([
    { workers: 1, hours: 20, limited_by: "model time" },
    { workers: 4, hours: 5, limited_by: "model time" },
    // 120,000 calls at 600 a minute.
    { workers: 16, hours: 120_000 / 600 / 60, limited_by: "requests per minute" },
    { workers: 100, hours: 120_000 / 600 / 60, limited_by: "requests per minute" },
  ]);
  const slowFrames = estimateHours(WORK, { ...BASIS, own_s: 10 });
  expect(slowFrames.by_workers[0]).toEqual({
    ...{ workers: 1, hours: (30_000 * 10) / 2 / 3600, limited_by: "own CPU time" },
  });
  const tokens = estimateHours(WORK, { ...BASIS, tokens_per_minute: 100_000 });
  expect(tokens.by_workers[3]).toEqual({
    ...{ workers: 100, hours: 40, limited_by: "tokens per minute" },
  });
});

test("more workers are never slower, and never faster than one call or one result", () => {
  const amount = fc.integer({ min: 1, max: 1e6 });
  const seconds = fc.double({ min: 0.01, max: 100, noNaN: true });
  fc.assert(
    fc.property(amount, amount, seconds, seconds, (results, calls, call_s, own_s) => {
      const { by_workers } = estimateHours(
        { results, calls, input_tokens: 0 },
        { ...BASIS, call_s, own_s },
      );
      const hours = by_workers.map((one) => one.hours);
      expect(hours).toEqual([...hours].sort((a, b) => b - a));
      expect(hours.at(-1)).toBeGreaterThanOrEqual(Math.max(call_s, own_s) / 3600 - 1e-12);
    }),
  );
});
