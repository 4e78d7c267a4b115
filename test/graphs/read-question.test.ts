import { expect, test } from "vitest";
import { readQuestion, withEarlier } from "../../graphs/read-question.ts";
import { hashOf } from "../../src/core/hash.ts";
import { Question } from "../../src/core/shapes.ts";

const VIDEO = "a".repeat(64);
const asked = readQuestion(VIDEO, { text: "How tall is it?", options: ["42 m", "310 m"] });
const BUILT = { question: "When was it built?", answer: "1854" };

test("the id of a question without a thread is the hash of its text, task and options", () => {
  const { id, ...rest } = asked;
  expect(id).toBe("80ee147a8182a340cf03756a4ebfe6a9eec82b0be85668133ba4b520603129f1");
  expect(id).toBe(hashOf(rest));
  expect(withEarlier(asked, [])).toBe(asked);
});

test("a follow-up keeps its words and has an id of its own, which its earlier questions and answers change", () => {
  const built = withEarlier(asked, [BUILT]);
  const corrected = withEarlier(asked, [{ ...BUILT, answer: "1855" }]);
  expect(built).toMatchObject({ text: "How tall is it?", options: asked.options });
  expect(new Set([asked.id, built.id, corrected.id]).size).toBe(3);
  expect(withEarlier(asked, [BUILT])).toEqual(built);
  expect(Question.parse(JSON.parse(JSON.stringify(built)))).toEqual(built);
});

test("half of a surrogate pair in a thread is replaced, since it cannot be sent", () => {
  const cut = withEarlier(asked, [{ question: "Which flag?", answer: "It is \ud83c" }]);
  expect(cut.earlier).toEqual([{ question: "Which flag?", answer: "It is \ufffd" }]);
});
