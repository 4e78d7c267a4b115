import { expect, test } from "vitest";
import {
  noEvidenceText,
  remarksOn,
  stateText,
  unplacedText,
} from "../../src/pages/answer-words.js";

const answered = (status: string, answer: string | null = null) => ({
  state: "answered",
  answer: { status, answer },
});

test("only a question with an answer is called answered", () => {
  expect(stateText(answered("answered", "A"))).toBe("Answered");
  expect(stateText(answered("not-answered"))).toBe("Not answered");
  expect(stateText(answered("unparsed"))).toBe("Unreadable reply");
  expect(stateText({ state: "failed", answer: null })).toBe("Failed");
});

test("an order names the clips that it leaves out, with the reason", () => {
  const rejected = (clip: number) => ({ clip, why: "rejected" });
  expect(unplacedText({ unplaced: [rejected(2)] })).toBe(
    "Clip 2 is not in this order: its description was rejected.",
  );
  expect(unplacedText({ unplaced: [rejected(2), { clip: 3, why: "left-out" }, rejected(4)] })).toBe(
    "Clips 2 and 4 are not in this order: their descriptions were rejected. Clip 3 is not in this order: the reply does not name it.",
  );
  expect(unplacedText({})).toBeNull();
});

test("a run that failed is not said to have found nothing", () => {
  expect(noEvidenceText({ status: "error" })).toContain("the run ended before");
  expect(noEvidenceText({ status: "answered" })).toBe("This answer has no evidence.");
});

test("what an answer may lack is said in one order, and only where there is something to say", () => {
  const diagnostics = { unheard_sound: "Not heard.", cut_off: "Cut off.", texts: 3 };
  expect(remarksOn({ diagnostics })).toEqual(["Cut off.", "Not heard."]);
  expect(remarksOn({ diagnostics: { texts: 3 } })).toEqual([]);
  expect(remarksOn({})).toEqual([]);
});
