import fc from "fast-check";
import { expect, test } from "vitest";
import {
  alignToFrames,
  alignToTimes,
  linspaceFrames,
  NO_SUBTITLES,
} from "../../../../tools/speech/subtitles/align-to-frames.ts";

const cues = [
  { start_s: 0, end_s: 2, text: "first" },
  { start_s: 2, end_s: 2.02, text: "between two frames" },
  { start_s: 2, end_s: 4.04, text: "second" },
  { start_s: 9.99, end_s: 12, text: "last" },
];

test("a cue is included if a sampled frame is within it, its end excluded", () => {
  expect(alignToFrames(cues, [0], 25)).toBe("first");
  expect(alignToFrames(cues, [49, 100], 25)).toBe("first\nsecond");
  expect(alignToFrames(cues, [50], 25)).toBe("second");
  expect(alignToFrames(cues, [101], 25)).toBe("");
  expect(alignToFrames(cues, [249], 25)).toBe("last");
  expect(alignToFrames(cues, [248], 25)).toBe("");
});

test("with every frame, all cues with a frame are included once, in their order", () => {
  expect(alignToFrames(cues, linspaceFrames(250, 250), 25)).toBe("first\nsecond\nlast");
  expect(alignToFrames(cues, linspaceFrames(240, 240), 25)).toBe("first\nsecond");
});

test("a missing file and a file without words are distinguished", () => {
  expect(alignToFrames(null, [0], 25)).toBe(NO_SUBTITLES);
  expect(alignToTimes(null, [0])).toBe(NO_SUBTITLES);
  expect(alignToFrames([], [0], 25)).toBe("");
});

test("frames with times need no rate", () => {
  expect(alignToTimes(cues, [2.01, 10])).toBe("between two frames\nsecond\nlast");
  expect(alignToTimes(cues, [2.02, 4.04, 9.98])).toBe("second");
});

/** `numpy.linspace(0, total - 1, n, dtype=int).tolist()` */
test.each<[total: number, count: number, frames: number[]]>([
  [10, 4, [0, 3, 6, 9]],
  [11, 4, [0, 3, 6, 10]],
  [300, 8, [0, 42, 85, 128, 170, 213, 256, 299]],
  [3, 5, [0, 0, 1, 1, 2]],
  [1, 3, [0, 0, 0]],
  [100, 1, [0]],
  [0, 4, []],
])("%i frames sampled %i times", (total, count, frames) => {
  expect(linspaceFrames(total, count)).toEqual(frames);
});

test("agrees with the released code's loop over frames and cues", () => {
  const cue = fc.record({
    start_s: fc.integer({ min: 0, max: 60_000 }).map((ms) => ms / 1000),
    length: fc.integer({ min: 1, max: 8000 }),
  });
  fc.assert(
    fc.property(
      fc.array(cue, { maxLength: 30 }),
      fc.constantFrom(15, 23.976, 25, 29.97002997002997, 30, 59.94),
      fc.integer({ min: 1, max: 1500 }),
      fc.integer({ min: 1, max: 64 }),
      (shapes, fps, total, count) => {
        const cues = shapes.map(({ start_s, length }, index) => ({
          start_s,
          end_s: start_s + length / 1000,
          text: `cue ${index}`,
        }));
        const frames = linspaceFrames(total, count);
        const picked = new Set<number>();
        for (const frame of frames)
          cues.forEach(({ start_s, end_s }, index) => {
            if (frame < Math.trunc(end_s * fps) && frame >= Math.trunc(start_s * fps))
              picked.add(index);
          });
        const expected = [...picked].sort((a, b) => a - b).map((index) => cues[index]?.text);
        expect(alignToFrames(cues, frames, fps)).toBe(expected.join("\n"));
      },
    ),
  );
});
