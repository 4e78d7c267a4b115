import { expect, test } from "vitest";
import { type GoldTexts, goldErrors } from "../../../evals/propagation/gold-error.ts";
import { makeEvidence, makeEvidenceSet } from "../../../src/core/evidence.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { choice } from "../benchmarks/fixtures.ts";

const sample = { ...choice("AB"), id: "s" };

function item(
  kind: Evidence["kind"],
  [start_s, end_s]: [number, number],
  text: string,
  clip?: number,
) {
  return makeEvidence({
    ...{ video: "0".repeat(64), kind, start_s, end_s, text, confidence: null, from: [] },
    ...(clip === undefined ? {} : { clip }),
    by: { who: "model", name: "m" },
  });
}

const errors = (items: Evidence[], gold: GoldTexts) =>
  goldErrors([{ sample, set: makeEvidenceSet(items, null) }], new Map([["s", gold]]));

test("words of gold are looked for in the evidence of their kind, at their time or clip", () => {
  const gold: GoldTexts = {
    speech: [
      { start_s: 0, end_s: 4, text: "Pour the WATER, the cold water." },
      { start_s: 10, end_s: 12, text: "Déjà vu" },
    ],
    captions: [
      { clip: 1, text: "whisk two eggs" },
      { clip: 2, text: "heat the pan" },
    ],
  };
  const found = errors(
    [
      item("subtitle", [0, 2], "pour the water"),
      item("subtitle", [2, 3], "the cold tea"),
      // Begins where the first gold cue ends, and is of no other time.
      item("subtitle", [4, 9], "water"),
      item("subtitle", [10.5, 11], "DÉJÀ VU!"),
      item("caption", [0, 9], "someone whisks three eggs", 1),
      item("text", [0, 9], "heat the pan"),
    ],
    gold,
  );
  expect(found).toEqual([
    { stage: "speech", words: 8, missed: 1 },
    { stage: "captions", words: 6, missed: 5 },
  ]);
});

test("a moment is found in a span that touches it; samples and stages without gold count nowhere", () => {
  const text = [{ start_s: 5, end_s: 5, text: "x = 4" }];
  expect(errors([item("equation", [5, 8], "x = 4")], { text })).toEqual([
    { stage: "text", words: 2, missed: 0 },
  ]);
  expect(errors([item("equation", [5.5, 8], "x = 4")], { text })).toEqual([
    { stage: "text", words: 2, missed: 2 },
  ]);
  expect(goldErrors([{ sample, set: makeEvidenceSet([], null) }], new Map())).toEqual([]);
  expect(errors([], { speech: [] })).toEqual([]);
});

test.each([
  [
    "a wrong Chinese character",
    "他把红色的球放在盒子后面然后离开了房子",
    "他把红色的球放在盒子后面然后离开了房间",
    19,
    1,
  ],
  ["a comma", "他把红色的球，放在盒子后面", "他把红色的球放在盒子后面", 12, 0],
  ["Japanese with a long vowel", "ボールはあか", "ボールは赤", 5, 1],
  ["a wrong Thai tone mark", "ลูกบอลสีแดงอยู่หลังกล้อง", "ลูกบอลสีแดงอยู่หลังกล่อง", 18, 1],
  ["a Latin word within Chinese", "打开 USB 盘", "打开USB盘", 4, 0],
  ["decomposed letters", "café fermé".normalize("NFD"), "CAFÉ fermé", 2, 0],
  ["full-width digits", "x = ４２", "x = 42", 2, 0],
])("%s", (_, had, gold, words, missed) => {
  const speech = [{ start_s: 0, end_s: 5, text: gold }];
  expect(errors([item("subtitle", [0, 5], had)], { speech })).toEqual([
    { stage: "speech", words, missed },
  ]);
});
