import fc from "fast-check";
import { expect, test } from "vitest";
import { type FrameTable, frameAt, frameOf } from "../../../src/media/frame-table.ts";
import { chooseFrames, type SampleSpec } from "../../../tools/video/samplers.ts";

function tableOf(count: number, rate: number): FrameTable {
  return {
    pts_s: Float64Array.from({ length: count }, (_, i) => i / rate),
    end_s: count / rate,
    keys_s: Float64Array.of(0),
    reference: new Uint8Array(count),
    seekable: true,
  };
}
const LIMITS = { max_side: null, max_area: null, quality: 85 };
const choose = (spec: Omit<SampleSpec, keyof typeof LIMITS>, table = tableOf(300, 30)) =>
  chooseFrames({ ...spec, ...LIMITS }, table);

test("ends: numpy's linspace over frames, cut to whole indices", () => {
  expect(choose({ sampler: "ends", n: 8 })).toEqual([0, 42, 85, 128, 170, 213, 256, 299]);
  expect(choose({ sampler: "ends", n: 1 })).toEqual([0]);
  expect(choose({ sampler: "ends", n: 2 })).toEqual([0, 299]);
  expect(choose({ sampler: "ends", n: 5 }, tableOf(3, 30))).toEqual([0, 1, 2]);
});

test("midpoints: the middle of equal parts", () => {
  expect(choose({ sampler: "midpoints", n: 4 })).toEqual([37, 112, 187, 262]);
  expect(choose({ sampler: "midpoints", n: 1 })).toEqual([150]);
});

test("fps: the frame on screen at every step", () => {
  expect(choose({ sampler: "fps", fps: 1 })).toEqual([0, 30, 60, 90, 120, 150, 180, 210, 240, 270]);
  expect(choose({ sampler: "fps", fps: 0.25 })).toEqual([0, 120, 240]);
  expect(choose({ sampler: "fps", fps: 1000 })).toHaveLength(300);
});

test("fps-else-N: one a second, or even frames with both ends where that would be more", () => {
  expect(choose({ sampler: "fps-else-N", n: 10 })).toHaveLength(10);
  expect(choose({ sampler: "fps-else-N", n: 10 })[1]).toBe(30);
  expect(choose({ sampler: "fps-else-N", n: 9 })).toEqual([
    0, 37, 74, 112, 149, 186, 224, 261, 299,
  ]);
});

test("a rate over an impossible length is refused, and even frames are still found", () => {
  const table = { ...tableOf(2, 1), pts_s: Float64Array.of(0, 4e9), end_s: 4e9 + 1 };
  expect(() => choose({ sampler: "fps", fps: 60 }, table)).toThrow(
    expect.objectContaining({
      kind: "media-limit",
      message: expect.stringContaining("the limit is 1000000. Use a lower --fps"),
    }),
  );
  expect(choose({ sampler: "fps-else-N", fps: 60, n: 4 }, table)).toEqual([0, 1]);
});

test("times: the frame that is on screen at that time", () => {
  expect(choose({ sampler: "times", times_s: [0.99, 1, 1.02, -5, 99] })).toEqual([0, 29, 30, 299]);
});

test("all frames of 2500 a second are found, each by its own time", () => {
  const table = tableOf(20, 2500);
  const all = Array.from({ length: 20 }, (_, i) => i);
  expect(choose({ sampler: "ends", n: 20 }, table)).toEqual(all);
  for (const i of all) {
    expect(choose({ sampler: "times", times_s: [table.pts_s[i] ?? 0] }, table)).toEqual([i]);
    expect(frameOf(table, table.pts_s[i] ?? 0)).toBe(i);
  }
});

test("a time that is rounded to a millisecond still means its frame", () => {
  for (const rate of [24, 29.97, 60, 240, 800]) {
    const table = tableOf(100, rate);
    for (const [i, t_s] of table.pts_s.entries()) {
      expect(frameOf(table, Math.round(t_s * 1000) / 1000)).toBe(i);
      expect(frameAt(table, Math.round(t_s * 1000) / 1000)).toBe(i);
    }
  }
});

test("a part includes the frame on screen at its start, and none that begins at its end", () => {
  expect(choose({ sampler: "range", n: 3, from_s: 1, to_s: 2 })).toEqual([30, 44, 59]);
  expect(choose({ sampler: "fps", fps: 2, from_s: 1.01, to_s: 2 })).toEqual([30, 45]);
  expect(choose({ sampler: "midpoints", n: 1, from_s: 9.99 })).toEqual([299]);
});

test("impossible sampling is refused with the reason", () => {
  expect(() => choose({ sampler: "ends" })).toThrow("needs `n`");
  expect(() => choose({ sampler: "times", times_s: [] })).toThrow("needs `times_s`");
  expect(() => choose({ sampler: "ends", n: 2, from_s: 3, to_s: 3 })).toThrow(
    "end after it begins",
  );
  expect(() => choose({ sampler: "ends", n: 2, from_s: 10 })).toThrow("the video ends at 10");
});

test("any sampler gives sorted frames of the part, each once, at least one", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom("ends", "midpoints", "fps", "fps-else-N", "range" as const),
      fc.integer({ min: 1, max: 500 }),
      fc.double({ min: 0.05, max: 90, noNaN: true }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (count, rate, sampler, n, fps, start, share) => {
        const table = tableOf(count, rate);
        const from_s = start * table.end_s;
        const to_s = from_s + share * table.end_s;
        const frames = choose({ sampler, n, fps, from_s, to_s }, table);
        expect(frames.length).toBeGreaterThan(0);
        if (sampler !== "fps") expect(frames.length).toBeLessThanOrEqual(n);
        expect(frames).toEqual([...new Set(frames)].sort((a, b) => a - b));
        for (const frame of frames) {
          expect(table.pts_s[frame]).toBeLessThan(to_s + 0.001);
          expect((table.pts_s[frame] ?? 0) + 1 / rate).toBeGreaterThan(from_s - 0.001);
        }
      },
    ),
  );
});
