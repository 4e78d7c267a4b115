import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSegments } from "../../../src/core/settings/segments.ts";
import type { FrameTable } from "../../../src/media/frame-table.ts";
import { chooseFrames } from "../../../tools/video/samplers.ts";
import { windowsOf } from "../../../tools/video/windows.ts";

/** Frames at these times in seconds; the last one lasts `last_s`. */
function tableOf(times_s: readonly number[], last_s: number): FrameTable {
  return {
    pts_s: Float64Array.from(times_s),
    end_s: (times_s.at(-1) ?? 0) + last_s,
    keys_s: Float64Array.of(times_s[0] ?? 0),
    reference: new Uint8Array(times_s.length),
    seekable: true,
  };
}
const even = (count: number, rate: number, from_s = 0) =>
  tableOf(
    Array.from({ length: count }, (_, i) => from_s + i / rate),
    1 / rate,
  );
const spans = (table: FrameTable, every_s: number) =>
  windowsOf(table, every_s).map(({ start_s, end_s }) =>
    [start_s, end_s].map((t_s) => Math.round(t_s * 1e6) / 1e6),
  );

/** Frames of each window for a sampler that takes every frame. */
const framesOf = (table: FrameTable, every_s: number) =>
  windowsOf(table, every_s).map(({ start_s: from_s, end_s: to_s }) =>
    chooseFrames(
      { sampler: "ends", n: 5000, from_s, to_s, max_side: null, max_area: null, quality: 85 },
      table,
    ),
  );

test("a remainder of a quarter of a window stays, and a shorter one is joined", () => {
  expect(spans(even(250, 10), 10)).toEqual([
    [0, 10],
    [10, 20],
    [20, 25],
  ]);
  expect(spans(even(225, 10), 10).at(-1)).toEqual([20, 22.5]);
  expect(spans(even(224, 10), 10).at(-1)).toEqual([10, 22.4]);
  expect(spans(even(30, 10), 10)).toEqual([[0, 3]]);
  expect(spans(even(1, 10), 0.5)).toEqual([[0, 0.1]]);
});

test("windows are counted from the first frame, and begin with a frame", () => {
  expect(spans(even(100, 10, 1.4), 5)).toEqual([
    [1.4, 6.4],
    [6.4, 11.4],
  ]);
  // Frame 5 is shown from 0.5 s to 7 s, for longer than three windows.
  const pause = tableOf([0, 0.1, 0.2, 0.3, 0.4, 0.5, 7, 7.1, 8, 9], 1);
  expect(spans(pause, 2)).toEqual([
    [0, 7],
    [7, 8],
    [8, 10],
  ]);
});

test("every frame of any video is in exactly one window, and windows follow each other", () => {
  const gap = fc.oneof(
    { weight: 6, arbitrary: fc.double({ min: 0.005, max: 0.2, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 0.002, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: 0.2, max: 9, noNaN: true }) },
  );
  const table = fc
    .tuple(
      fc.double({ min: -1, max: 5, noNaN: true }),
      fc.array(gap, { maxLength: 200 }),
      fc.double({ min: 0.002, max: 3, noNaN: true }),
    )
    .map(([first_s, gaps, last_s]) => {
      let at = first_s;
      return tableOf([first_s, ...gaps.map((more) => (at += more))], last_s);
    });
  const every = fc.double({ min: 0.5, max: 30, noNaN: true });
  fc.assert(
    fc.property(table, every, (frames, every_s) => {
      const windows = windowsOf(frames, every_s);
      const all = frames.pts_s.length;
      expect(windows[0]?.start_s).toBe(frames.pts_s[0]);
      expect(windows.at(-1)?.end_s).toBe(frames.end_s);
      for (const [index, { start_s, end_s }] of windows.entries()) {
        expect(end_s).toBeGreaterThan(start_s);
        expect(frames.pts_s).toContain(start_s);
        if (index > 0) expect(windows[index - 1]?.end_s).toBe(start_s);
      }
      const last = windows.at(-1) ?? { start_s: 0, end_s: 0 };
      if (windows.length > 1)
        expect(last.end_s - last.start_s).toBeGreaterThan(every_s / 4 - 0.001);
      const covered = windows.map(
        ({ start_s, end_s }) => frames.pts_s.filter((t_s) => t_s >= start_s && t_s < end_s).length,
      );
      expect(covered.reduce((a, b) => a + b)).toBe(all);
      // A sampler sees frames closer than a millisecond as one, but never takes a frame for two windows.
      const taken = framesOf(frames, every_s).flat();
      expect(new Set(taken).size).toBe(taken.length);
      const gaps = frames.pts_s.map((t_s, at) =>
        at === 0 ? 1 : t_s - (frames.pts_s[at - 1] ?? 0),
      );
      if (gaps.every((one) => one > 0.0012)) expect(taken).toHaveLength(all);
    }),
    { numRuns: 300 },
  );
});

const READ: readonly [string, ReturnType<typeof parseSegments>][] = [
  ["shots", { by: "shots" }],
  ["cards", { by: "cards" }],
  ["every:10", { by: "windows", every_s: 10 }],
  ["every:0.5", { by: "windows", every_s: 0.5 }],
  ["every:86400", { by: "windows", every_s: 86_400 }],
];
test.each(READ)("%s is read as %j", (given, expected) => {
  expect(parseSegments(given)).toEqual(expected);
});

test.each([
  ...["every:0.49", "every:86401", "every:", "every:ten", "every:-3", "every:1e3", "every: 5"],
  ...["every:10s", "Every:10", "windows", "", "every:0x10", "every:NaN", "every:1."],
])("%j is refused", (given) => {
  expect(parseSegments(given)).toBeNull();
});
