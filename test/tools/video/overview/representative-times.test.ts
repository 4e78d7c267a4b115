import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../../../src/core/random.ts";
import { findPulses } from "../../../../tools/video/overview/pixel-pulses.ts";
import {
  fillGaps,
  representativeTimes,
} from "../../../../tools/video/overview/representative-times.ts";
import { shotsOf } from "../../../../tools/video/shots.ts";
import { scanOf } from "../../../support/scans.ts";

const FPS = 2.5;

/** A still background with a bright moving spot, and a faint sign at (50, 8) from `sign_s` for `stays_s` seconds. */
function wandering(seconds: number, sign_s: number, stays_s: number, seed: number) {
  const random = seeded("wandering", seed);
  const [a, b, c, d] = [3 + 4 * random(), 2 + 3 * random(), 6 * random(), 6 * random()];
  return scanOf(Math.round(seconds * FPS), FPS, (frame, x, y) => {
    const t_s = frame / FPS;
    const away = Math.hypot(
      x - 20 - 12 * Math.sin(t_s / a + c),
      y - 18 - 8 * Math.cos(t_s / b + d),
    );
    const isSign =
      t_s >= sign_s && t_s < sign_s + stays_s && Math.abs(x - 50) < 2 && Math.abs(y - 8) < 2;
    return Math.min(255, (away < 5 ? 190 : 70) + (isSign ? 25 : 0) + ((frame * 7 + x * 3 + y) % 2));
  });
}

test("a faint sign of 2 s is found next to a bright spot that always moves, at any time", () => {
  const signs = [0, 1, 2, 3].map((seed) => ({ seed, sign_s: 20 + seed * 71.3 }));
  for (const { seed, sign_s } of signs) {
    const scan = wandering(320, sign_s, 2, seed);
    const part = { from_s: 0, to_s: 320 };
    const times = representativeTimes(scan, shotsOf(scan), part).first(16);
    expect(times.length).toBeLessThanOrEqual(16);
    expect(
      times.some((t_s) => t_s >= sign_s && t_s < sign_s + 2),
      `sign at ${sign_s}`,
    ).toBe(true);
  }
});

test("a pulse has the times of its start and end, and a lasting change is not a pulse", () => {
  const scan = scanOf(150, FPS, (frame, x) => (frame >= 75 && frame < 80 && x > 60 ? 130 : 90));
  const frames = Array.from({ length: scan.count }, (_, frame) => frame);
  const strongest = findPulses(scan, frames).sort((a, b) => b.strength - a.strength)[0];
  expect(strongest).toMatchObject({ first: 75, last: 79 });
  const still = scanOf(200, FPS, (frame) => (frame < 100 ? 40 : 120));
  expect(
    findPulses(
      still,
      Array.from({ length: 200 }, (_, frame) => frame),
    ),
  ).toEqual([]);
});

/** A still picture with a sign in the same light as its ground; `shareAt` is how strong its colour is. */
function colouredSign(shareAt: (t_s: number, x: number) => number) {
  return scanOf(
    Math.round(160 * FPS),
    FPS,
    (frame, x, y) => 70 + 40 * Math.sin(x) + ((frame * 7 + x * 3 + y) % 2),
    (frame, x, y) => {
      const share = y >= 3 && y < 5 ? shareAt(frame / FPS, x) : 0;
      return [128 - 30 * share, 128 + 60 * share];
    },
  );
}

test.each<[string, (t_s: number, x: number) => number]>([
  ["appears at once", (t_s, x) => (t_s >= 91 && t_s < 93 && x >= 24 && x < 26 ? 1 : 0)],
  [
    "fades in and out",
    (t_s, x) => (x >= 24 && x < 27 ? Math.max(0, 1 - Math.abs(t_s - 92) / 3) : 0),
  ],
  [
    "passes through",
    (t_s, x) => (Math.abs(t_s - 92) < 2 && Math.abs(x - 24 - (t_s - 92)) < 1.5 ? 1 : 0),
  ],
])("a sign that differs only in colour is found when it %s", (_manner, shareAt) => {
  const scan = colouredSign(shareAt);
  const times = representativeTimes(scan, shotsOf(scan), { from_s: 0, to_s: 160 }).first(12);
  expect(times.some((t_s) => t_s >= 91 && t_s < 93)).toBe(true);
});

test("shots that differ only in colour count as different", () => {
  // Twenty shots of 16 s in one picture; the colour of one is different.
  const scan = scanOf(
    800,
    FPS,
    (_frame, x) => x * 2,
    (frame) => (Math.floor(frame / 40) === 13 ? [90, 190] : [128, 128]),
  );
  const moments = representativeTimes(scan, shotsOf(scan), { from_s: 0, to_s: 320 });
  expect(moments.first(4).some((t_s) => t_s >= 208 && t_s < 224)).toBe(true);
});

test("added times minimise the widest gap", () => {
  expect(fillGaps([], 3, { from_s: 0, to_s: 40 })).toEqual([10, 20, 30]);
  expect(fillGaps([30], 2, { from_s: 0, to_s: 40 })).toEqual([10, 20]);
  const times = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 20 });
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 40 }), (given, count) => {
      const filled = fillGaps(given, count, { from_s: 0, to_s: 100 });
      expect(filled).toHaveLength(count);
      const marks = [0, ...given, ...filled, 100].sort((a, b) => a - b);
      const widest = Math.max(...marks.slice(1).map((to, i) => to - (marks[i] ?? 0)));
      // At most twice the gap of an even split.
      expect(widest).toBeLessThanOrEqual(200 / (count + 1) + 1e-9);
    }),
  );
});

test("a still picture, a short span and a single frame work", () => {
  const still = scanOf(100, FPS, () => 80);
  const times = representativeTimes(still, shotsOf(still), { from_s: 0, to_s: 40 }).first(8);
  expect(times).toHaveLength(8);
  expect(
    representativeTimes(still, shotsOf(still), { from_s: 10, to_s: 10.2 }).first(8).length,
  ).toBeGreaterThan(0);
  const one = scanOf(1, FPS, () => 80);
  expect(representativeTimes(one, shotsOf(one), { from_s: 0, to_s: 0.4 }).first(4)).toEqual([0]);
});

test("later overviews show shots not yet shown and signs left out, then gaps", () => {
  // Ten scenes of 12 s, and a sign of 4 s in the last.
  const scan = scanOf(300, FPS, (frame, x, y) => {
    const scene = Math.floor(frame / 30);
    const isSign = frame >= 282 && frame < 292 && x < 12 && y < 12;
    return isSign ? 255 : (scene * 83 + x * (1 + (scene % 3))) % 200;
  });
  const shots = shotsOf(scan);
  const part = { from_s: 0, to_s: 120 };
  const moments = representativeTimes(scan, shots, part);
  const first = moments.first(4);
  const next = moments.next(first, 8);
  expect(next).toHaveLength(8);
  expect(next.filter((t_s) => first.includes(t_s))).toEqual([]);
  const seen = [...first, ...next];
  const unseen = shots.filter(
    (shot) => !seen.some((t_s) => t_s >= shot.start_s && t_s < shot.end_s),
  );
  expect(unseen).toEqual([]);
  expect(moments.next(seen, 5)).toHaveLength(5);
});
