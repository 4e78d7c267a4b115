import { expect, test } from "vitest";
import { renderAnswer } from "../../../../src/app/cli/render/answer.ts";
import { makeEvidenceSet } from "../../../../src/core/evidence.ts";
import { readSettings } from "../../../../src/core/settings.ts";
import { type Answer, NO_USAGE, type Question } from "../../../../src/core/shapes.ts";

const question: Question = { id: "q", video: "a".repeat(64), text: "Which?", task: "open" };

function shown(more: Partial<Answer>, strategy = "agent"): string {
  const evidence = makeEvidenceSet([]);
  const answer: Answer = {
    status: "answered",
    answer: "The left one.",
    cites: [],
    cited_by: "model",
    set: evidence.id,
    limits_met: [],
    confidence: null,
    confidence_basis: null,
    usage: NO_USAGE,
    ...more,
  };
  const settings = readSettings({ strategy });
  return renderAnswer({ question, answer, evidence, events: [] }, settings);
}

test("the verdict of the verification is printed under the answer", () => {
  const words = "It is on the right.\u001b[2J";
  const [answer, support] = shown({
    support: { verdict: "contradicted", by: "model", words },
  }).split("\n");
  expect(answer).toBe("The left one.");
  expect(support).toMatch(/^The cited evidence contradicts the answer: It is on the right\./);
  expect(support).not.toContain("\u001b");
  expect(shown({ support: { verdict: "supported", by: "model", words: "" } })).toContain(
    "\nThe cited evidence supports the answer\n",
  );
  expect(shown({})).not.toContain("upported");
});

test("a fallback strategy is named with the reason", () => {
  const diagnostics = { handed_over: "rrd", why_handed_over: "The server knows no tools." };
  expect(shown({ diagnostics })).toContain(
    "Fell back to the strategy rrd. The server knows no tools.",
  );
});

test("an open question without an answer states what the moments are", () => {
  const none = { status: "not-answered", answer: null } as const;
  const moment = { start_s: 3, end_s: 5, text: "Red\u001b[2J", score: 0.1, evidence: [] };
  expect(shown(none)).toMatch(/^Not answered: the evidence contains no answer\.\n/);
  expect(shown({ ...none, moments: [{ ...moment, words: ["Red"] }] })).toMatch(
    /^No direct answer was found\. The moments .*\n\nBest matches:\n {2}1 {2}00:03-00:05 {2}Red\S* {2}\[Red\]\n/,
  );
  expect(shown({ ...none, moments: [{ ...moment, words: [] }] })).toMatch(
    /^No moment contains the words of the question\. .*\n\nNearest moments:\n {2}1 {2}00:03-00:05 {2}Red\S*\n/,
  );
});

test("without a model call, the answer says whether the strategy has a model", () => {
  const limited = shown({ status: "not-answered", answer: null, limits_met: ["cost"] }, "direct");
  expect(limited).toMatch(/\n\nLimits met: cost\.\n\nNo model call was made\.$/);
  expect(shown({}, "extractive")).toMatch(/\n\nStrategy extractive: no language model was used\.$/);
});
