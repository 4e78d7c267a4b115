import fc from "fast-check";
import { expect, test } from "vitest";
import { textFinder } from "../../../evals/score/text-finder.ts";

/** Few characters and words, so that texts overlap, contain each other and have common beginnings. */
const shortText = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "😀"), maxLength: 20 });
const question = fc
  .array(fc.constantFrom("how", "long", "is", "the", "side", "of", "figure", "1", "2"), {
    maxLength: 9,
  })
  .map((words) => words.join(" "));
const text = fc.oneof(shortText, question);

test("the texts that occur are those that a search for each of them finds", () => {
  const prompt = fc
    .array(fc.oneof(text, fc.constant("\n"), fc.constant("Question: ")), { maxLength: 8 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), fc.array(prompt), (texts, prompts) => {
      const occurringIn = textFinder(texts);
      for (const whole of [...prompts, ...texts.map((one) => `Q:${one}? A. 1`)])
        expect(occurringIn(whole).sort()).toEqual(
          [...new Set(texts)].filter((one) => one !== "" && whole.includes(one)).sort(),
        );
    }),
    { numRuns: 500 },
  );
});
