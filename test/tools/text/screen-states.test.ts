import { expect, test } from "vitest";
import { findScreenStates, moves } from "../../../tools/text/screen-states.ts";
import { scanOf } from "../../support/scans.ts";

/** A row of text as it looks in a scan: ten grey cells on white. */
const row = (x: number, y: number, at: number) => y === at && x >= 6 && x < 16;

test("a bullet that appears starts a state, an unchanged slide is one state", () => {
  const scan = scanOf(300, 25, (frame, x, y) =>
    row(x, y, 4) || (row(x, y, 8) && frame >= 100) || (row(x, y, 12) && frame >= 200) ? 180 : 255,
  );
  const states = findScreenStates(scan);
  expect(states.map((state) => [state.from, state.to])).toEqual([
    [0, 99],
    [100, 199],
    [200, 299],
  ]);
  for (const { from, to, read } of states) {
    expect(read).toBeGreaterThanOrEqual(from);
    expect(read).toBeLessThanOrEqual(to);
  }
});

test("a slide that returns is not read again", () => {
  const scan = scanOf(300, 25, (frame, x, y) =>
    frame >= 100 && frame < 200 ? (row(x, y, 20) ? 90 : 30) : row(x, y, 4) ? 180 : 255,
  );
  expect(findScreenStates(scan).map((state) => state.same)).toEqual([undefined, undefined, 0]);
});

test("a codec's noise, a passing pointer and a speaker in the corner are not states", () => {
  const scan = scanOf(500, 25, (frame, x, y) => {
    if (x > 50 && y > 26) return 100 + 60 * Math.sin(frame / 3 + x + y);
    if (y === 18 && x === Math.floor(frame / 4) % 50 && frame % 100 < 60) return 230;
    return (row(x, y, 4) ? 180 : 250) + ((frame * 7 + x * 3 + y) % 3);
  });
  expect(findScreenStates(scan).filter((state) => state.same === undefined)).toHaveLength(1);
});

test("a picture shown for less than 0.4 s is not a state, one shown for longer is", () => {
  const shown = (frames: number) =>
    findScreenStates(
      scanOf(250, 25, (frame, x, y) =>
        frame >= 100 && frame < 100 + frames ? (row(x, y, 20) ? 90 : 30) : 255,
      ),
    ).filter((state) => state.same === undefined).length;
  expect(shown(6)).toBe(1);
  expect(shown(25)).toBe(2);
});

test("a constantly changing picture is read every ten seconds at most", () => {
  const scan = scanOf(60 * 25, 25, (frame, x, y) => 128 + 100 * Math.sin(frame / 2 + x + y * 1.7));
  const states = findScreenStates(scan);
  expect(states.length).toBeGreaterThanOrEqual(5);
  expect(states.length).toBeLessThanOrEqual(7);
  expect(states.every((state) => !state.calm)).toBe(true);
});

test("whether a film moves is known from its last seconds, unless they are too few", () => {
  const level = (frame: number, x: number, y: number) => 128 + 100 * Math.sin(frame / 2 + x + y);
  const until = (still: number, frames: number) =>
    moves(scanOf(frames, 10, (frame, x, y) => level(Math.max(still, frame), x, y)));
  expect(until(0, 55)).toBeUndefined();
  expect(until(0, 70)).toBe(true);
  expect(until(300, 300)).toBe(false);
  expect(until(200, 300)).toBe(true);
  const speaker = scanOf(300, 10, (frame, x, y) => (x > 50 && y > 26 ? level(frame, x, y) : 250));
  expect(moves(speaker)).toBe(false);
});

test("at most 30 pictures a minute are read", () => {
  const scan = scanOf(120 * 10, 10, (frame, x, y) =>
    row(x, y, 4 + (Math.floor(frame / 8) % 25)) ? 60 : 255,
  );
  const states = findScreenStates(scan).filter((state) => state.same === undefined);
  expect(states.length).toBeLessThanOrEqual(60);
});

test("an empty video and a single frame", () => {
  expect(findScreenStates(scanOf(1, 25, () => 255))).toHaveLength(1);
});

test("captions of which every cell changes with the next are a state each, and none shares the reading of another", () => {
  const frames = 37;
  const scan = scanOf(10 * frames, 25, (frame, x, y) =>
    y >= 28 && y < 31 && x >= 10 && x < 50
      ? 40 + 18 * ((x * 7 + Math.floor(frame / frames) * 3) % 11)
      : 40,
  );
  const states = findScreenStates(scan);
  expect(states.map(({ from, to }) => [from, to])).toEqual(
    Array.from({ length: 10 }, (_, n) => [n * frames, (n + 1) * frames - 1]),
  );
  expect(states.map((state) => state.same)).toEqual(Array(10).fill(undefined));
});

test("slides that stand still between a film that moves everywhere are states", () => {
  const moving = (frame: number, x: number, y: number) =>
    128 + 100 * Math.sin(frame / 2 + x + y * 1.7);
  const scan = scanOf(500, 25, (frame, x, y) => {
    if (frame >= 125 && frame < 175) return row(x, y, 20) ? 230 : 10;
    if (frame >= 175 && frame < 225) return row(x, y, 12) || row(x, y, 20) ? 230 : 10;
    return moving(frame, x, y);
  });
  const states = findScreenStates(scan).filter((state) => state.calm);
  expect(states.map((state) => [state.from, state.to])).toEqual([
    [125, 174],
    [175, 224],
  ]);
});

test("a film of three seconds with something that moves all the time is read", () => {
  const speaker = scanOf(75, 25, (frame, x, y) =>
    y < 6 ? 128 + 100 * Math.sin(frame / 2 + x + y * 1.7) : row(x, y, 20) ? 230 : 10,
  );
  expect(findScreenStates(speaker).map((state) => [state.calm, state.from, state.to])).toEqual([
    [true, 0, 74],
  ]);
  const all = scanOf(75, 25, (frame, x, y) => 128 + 100 * Math.sin(frame / 2 + x + y * 1.7));
  expect(findScreenStates(all)).toMatchObject([{ calm: false }]);
});
