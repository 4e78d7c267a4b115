import { expect, test } from "vitest";
import { parseCard } from "../../../../tools/video/title-cards/read-card.ts";

test.for([
  ["Clip 1", 1, true],
  [" clip 12 ", 12, true],
  ["CLIP 7.", 7, true],
  ["Clip3", 3, false],
  ["CIip 4", 4, false],
  ["C1ip l", 1, false],
  ["(lip 10", 10, false],
] as const)("%s is a card", ([text, number, strict]) => {
  expect(parseCard(text)).toEqual({ number, strict });
});

test.for([
  "",
  "Clip",
  "Clip 0",
  "Chip 3",
  "Clap 3",
  "Clips 3",
  "Clip 1 of 5",
  "Clip one",
  "Part 1",
  "3",
  "Clip 1 2",
])("%s is none", (text) => {
  expect(parseCard(text)).toBeNull();
});
