import { expect, test } from "vitest";
import type { SpokenSegment } from "../../../src/models/speech.ts";
import { audibleRanges } from "../../../tools/speech/audible-ranges.ts";
import { dropInvented } from "../../../tools/speech/drop-invented.ts";
import { LEVEL_S } from "../../../tools/speech/sound-levels.ts";

/** Levels of stretches of sound: seconds and dB. */
function levelsOf(...stretches: [seconds: number, level: number][]): Int8Array {
  return Int8Array.from(
    stretches.flatMap(([seconds, level]) =>
      Array.from({ length: Math.round(seconds / LEVEL_S) }, () => level),
    ),
  );
}

const said = (start_s: number, end_s: number, text: string): SpokenSegment => ({
  ...{ start_s, end_s, text, confidence: null, speaker: null },
});

test("phrases that are repeated on near-silence are left out, and nothing else", () => {
  const levels = levelsOf([10, -20], [10, -48], [10, -20], [10, -48]);
  const segments = [
    said(1, 4, "Yes, yes, yes!"),
    said(5, 8, "Thank you."),
    said(11, 13, "Thank you."),
    said(14, 16, "a whisper"),
    said(16, 19, "you you you you"),
    said(22, 25, "Thank you."),
    said(31, 33, "thank you"),
  ];
  const { segments: kept, invented } = dropInvented(segments, levels);
  expect(invented).toBe(3);
  expect(kept.map(({ start_s, text }) => [start_s, text])).toEqual([
    [1, "Yes, yes, yes!"],
    [5, "Thank you."],
    [14, "a whisper"],
    [22, "Thank you."],
  ]);
});

test.each<[string, Int8Array, [number, number][]]>([
  ["silence", levelsOf([60, -100]), []],
  ["the noise of a room", levelsOf([60, -72]), []],
  ["a click in silence", levelsOf([5, -100], [0.05, -10], [5, -100]), []],
  ["soft speech in a quiet room", levelsOf([5, -72], [2, -58], [5, -72]), [[4.75, 7.25]]],
  ["speech over a fan", levelsOf([5, -40], [2, -20], [5, -40]), [[0, 12]]],
  [
    "pauses, of which only the long one is left out",
    levelsOf([2, -20], [0.8, -70], [2, -20], [1.5, -70], [2, -20]),
    [
      [0, 5.05],
      [6.05, 8.3],
    ],
  ],
])("the audible ranges of %s", (_name, levels, expected) => {
  expect(audibleRanges(levels).map(({ from_s, to_s }) => [from_s, to_s])).toEqual(expected);
});
