import { expect, test } from "vitest";
import type { Scan } from "../../../src/media/scan.ts";
import { picturesIn } from "../../../src/media/scan-pictures.ts";
import type { ReadLine } from "../../../tools/text/read-image.ts";
import { joinLines } from "../../../tools/text/text-tracks.ts";

/** Pictures of two seconds of a still picture, then of another. */
const FRAMES = 8;
const CELLS = 32 * 18;
const SCAN: Scan = {
  count: FRAMES,
  width: 32,
  height: 18,
  pts_s: Float64Array.from({ length: FRAMES }, (_, index) => index / 2),
  signatures: picturesIn(
    Uint8Array.from({ length: FRAMES * CELLS }, (_, cell) => (cell < 4 * CELLS ? 200 : 20)),
    CELLS,
  ),
  chroma: picturesIn(new Uint8Array(FRAMES * CELLS).fill(128), CELLS),
};

/** The texts that are found if a caption is read once, on the first picture. */
function textsOf(text: string, confidence: number): string[] {
  const line: ReadLine = {
    kind: "text",
    text,
    confidence,
    box: { x: 40, y: 240, width: 400, height: 40 },
  };
  const state = { calm: true, from: 0, to: 3, read: 3, restless: new Uint8Array(CELLS) };
  const frame = {
    hash: "a1".repeat(32),
    video: "11".repeat(32),
    t_s: 1.5,
    width: 640,
    height: 360,
  };
  return joinLines(SCAN, [{ state, frame, lines: [line] }]).map((track) => track.line.text);
}

test.each(["The end", "हिन्दी में", "ที่นี่", "မင်္ဂလာပါ"])(
  "a caption that is seen briefly, %s, is a word",
  (caption) => {
    expect(textsOf(caption, 0.8)).toEqual([caption]);
  },
);

test.each(["a b c", "क ख", "e\u0301t a", "~ -"])("%s, seen briefly, is no word", (marks) => {
  expect(textsOf(marks, 0.8)).toEqual([]);
  expect(textsOf(marks, 0.95)).toEqual([marks]);
});
