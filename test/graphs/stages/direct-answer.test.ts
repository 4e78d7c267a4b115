import { expect, test } from "vitest";
import { readQuestion } from "../../../graphs/read-question.ts";
import { findMoments } from "../../../graphs/stages/moments.ts";
import { readEvidence } from "../../../graphs/stages/reading.ts";
import { makeEvidence } from "../../../src/core/evidence.ts";
import { subtitleEvidence } from "../../../tools/speech/subtitles.ts";

const VIDEO = "d".repeat(64);

function answerFrom(text: string, kind: "subtitle" | "text", lines: readonly string[]) {
  const evidence =
    kind === "subtitle"
      ? subtitleEvidence(
          VIDEO,
          lines.map((line, place) => ({ start_s: 10 * place, end_s: 10 * place + 4, text: line })),
          { who: "file", name: "film.srt" },
        )
      : lines.map((line, row) =>
          makeEvidence({
            ...{ video: VIDEO, kind, start_s: 0, end_s: 9, text: line },
            ...{ box: { x: 0, y: row * 40, width: 300, height: 30 } },
            ...{ by: { who: "tool", name: "ocr" }, confidence: null, from: [] },
          }),
        );
  return findMoments(readQuestion(VIDEO, text), readEvidence(evidence)).answer;
}

const WEBB = "This is the Webb space telescope in one of the largest cleanrooms in the world.";

test.each([
  ["a speaker", "Which telescope is in the cleanroom?", `NAR: ${WEBB}`, `NAR: ${WEBB}`],
  ["a speaker after >>", "What is in the cleanroom?", `>> JOHN: ${WEBB}`, `>> JOHN: ${WEBB}`],
  ["a new speaker", "What is in the cleanroom?", `>> ${WEBB}`, `>> ${WEBB}`],
  ["a pronoun", "Which telescope is in the cleanroom?", WEBB, WEBB],
  [
    "the words of another question",
    "What is a bijection?",
    "What we want is a bijection.",
    "What we want is a bijection.",
  ],
])("%s is no answer: the whole sentence is", (_what, question, said, expected) => {
  expect(answerFrom(question, "subtitle", [said])).toBe(expected);
});

test.each([
  ["What is the capital?", "MAN: The capital is Paris.", "Paris"],
  ["Which city is the capital?", "MAN: Paris is the capital.", "Paris"],
  ["What is RSA?", "RSA: a public-key cipher.", "a public-key cipher."],
])("%s is answered by a side of %j", (question, said, expected) => {
  expect(answerFrom(question, "subtitle", [said])).toBe(expected);
});

test("a line of a slide is not cut at the full stop of an abbreviation", () => {
  const asked = "What is the definition of a stream cipher?";
  const slide = ["Security of PRGs", "stream cipher E derived from G is sem. sec."];
  expect(answerFrom(asked, "text", slide)).toBe("stream cipher E derived from G is sem. sec.");
  const whole = ["Security of PRGs", "The definition of a stream cipher is short."];
  expect(answerFrom(asked, "text", whole)).toBe("short");
});
