import { expect, test } from "vitest";
import { isPlausible } from "../../../../tools/text/ocr/filter-readings.ts";

function isKept(text: string, confidence = 0.93): boolean {
  return isPlausible({ text, confidence, box: { x: 0, y: 0, width: 400, height: 40 } }, 30, 0.6);
}

test.each([
  "ကျွန်တော်တို့ ကျောင်းသို့ သွားကြသည်။",
  "တူညီလွတ်လပ်သော အခွင့်အရေးများဖြင့် လည်းကောင်း",
  "ที่นี่",
  "ผู้ที่มีชื่อ",
  "हिन्दी में स्वागत है",
  "விద்யார்த்திகள்",
  "السَّلَامُ عَلَيْكُمْ",
  "Résumé of the day",
])("%s is text", (text) => {
  expect(isKept(text)).toBe(true);
});

test.each([
  ["~ ~ ~ a b =", 0.93],
  ["| । ॥ ~ क |", 0.93],
  ["की", 0.99],
  ["किकी", 0.8],
])("%s of a confidence of %d is not", (text, confidence) => {
  expect(isKept(text, confidence)).toBe(false);
});

test("accents as separate characters are not letters", () => {
  // Five letters, and ten characters of another kind.
  expect(isKept("e\u0301e\u0301e\u0301e\u0301e\u0301-----")).toBe(false);
});
