import { expect, test } from "vitest";
import { findCandidates } from "../../../../tools/video/title-cards/candidates.ts";
import { scanOf } from "../../../support/scans.ts";

/** A row of letters in the middle of the scan. */
const letters = (x: number, y: number) => y >= 17 && y < 19 && x >= 27 && x < 38;

const spans = (scan: Parameters<typeof findCandidates>[0]) =>
  findCandidates(scan).map(({ start, end }) => [start, end]);

test("a few brighter frames at its beginning do not make a card last longer", () => {
  const card = (frame: number, x: number, y: number) =>
    letters(x, y) ? (frame < 3 ? 60 : 50) * Math.min(1, (60 - frame) / 6) : 4;
  const scan = scanOf(90, 15, (frame, x, y) => (frame < 60 ? card(frame, x, y) : 4));
  expect(spans(scan)).toEqual([[0, 60]]);
});

test("a dark scene with colours is not the end of a fade", () => {
  const scan = scanOf(
    90,
    60,
    (frame, x, y) => (frame < 60 && letters(x, y) ? 80 * Math.min(1, (64 - frame) / 30) : 2),
    (frame) => (frame < 60 ? [128, 128] : [170, 120]),
  );
  expect(spans(scan)).toEqual([[0, 60]]);
});
