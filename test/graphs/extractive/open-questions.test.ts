import { expect, test } from "vitest";
import type { GraphContext } from "../../../graphs/context.ts";
import { matchWords } from "../../../graphs/extractive/match.ts";
import { readQuestion } from "../../../graphs/read-question.ts";
import { outcome, type State } from "../../../graphs/state.ts";
import { makeEvidence } from "../../../src/core/evidence.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { answerText, momentsTitle } from "../../../src/pages/answer-words.js";
import { subtitleEvidence } from "../../../tools/speech/subtitles.ts";

const VIDEO = "c".repeat(64);
const SAID = [
  "We start with the wheels of the wooden cart.",
  "Then we paint the container red and let it dry overnight.",
  "The box goes on the wooden cart.",
  "Finally we tighten every screw.",
];
const EVIDENCE = subtitleEvidence(
  VIDEO,
  SAID.map((text, place) => ({ start_s: 10 * place, end_s: 10 * place + 4, text })),
  { who: "file", name: "film.srt" },
);

function asked(text: string, given: Partial<State> = {}) {
  const question = readQuestion(VIDEO, text);
  const context = {
    ...{ emit: () => {}, settings: readSettings({}), video: { probe: { video: {} } } },
  } as unknown as GraphContext;
  const state = { question, evidence: EVIDENCE, outcome: null, ...given } as State;
  const update = matchWords(state, context);
  const found = update.outcome ?? outcome({ status: "error" });
  const moments = found.moments ?? [];
  const seconds = moments.map(({ start_s }) => start_s);
  const { diagnostics } = update;
  const headline = answerText(question, { ...found, limits_met: [], diagnostics });
  return { ...found, moments, seconds, headline };
}

test("a phrase that the words lead to is the answer, with its second", () => {
  const { status, answer, seconds } = asked("What is said about the box?");
  expect(status).toBe("answered");
  expect(answer).toContain("The box goes on the wooden cart.");
  expect(seconds[0]).toBe(20);
});

test("if too few words match, the best moments are cited without an answer", () => {
  const { status, answer, seconds, moments, cites, headline } = asked(
    "Which animal pulls the wooden sledge through the deep winter snow?",
  );
  expect({ status, answer }).toEqual({ status: "not-answered", answer: null });
  expect(seconds).toEqual([0, 20]);
  expect(moments.map(({ words }) => words)).toEqual([["wooden"], ["wooden"]]);
  expect(cites).toEqual([EVIDENCE[0]?.id, EVIDENCE[2]?.id]);
  expect(momentsTitle(moments)).toBe("Best matches");
  expect(headline).toBe(
    "No direct answer was found. The moments that match the question best are listed.",
  );
});

test("if no word matches, the nearest moments are listed, and nothing is cited", () => {
  const { status, seconds, moments, cites, headline } = asked("Why did he overpaint it?");
  expect(status).toBe("not-answered");
  // `overpaint` is like `paint` and `overnight`.
  expect(seconds[0]).toBe(10);
  expect(moments.every(({ words }) => words.length === 0)).toBe(true);
  expect(cites).toEqual([]);
  expect(momentsTitle(moments)).toBe("Nearest moments");
  expect(headline).toContain("No moment contains the words of the question.");
});

test.each(["What?", "What is this video about?", "Why do zebras bark?", "什么?"])(
  "%s leads to what the video repeats",
  (text) => {
    const { status, seconds } = asked(text);
    expect(status).toBe("not-answered");
    // The wooden cart is named twice.
    expect(seconds.slice(0, 2).toSorted()).toEqual([0, 20]);
    expect(seconds).toHaveLength(4);
  },
);

test("a result of arithmetic that is not unique keeps its status, and gets the moments", () => {
  const settled = outcome({ status: "not-answered" });
  const { status, answer, seconds } = asked("What is said about the box?", { outcome: settled });
  expect({ status, answer }).toEqual({ status: "not-answered", answer: null });
  expect(seconds[0]).toBe(20);
});

test("if only equations are seen that could not be read, the reason names them", () => {
  const unread = (start_s: number) =>
    makeEvidence({
      ...{ video: VIDEO, kind: "equation", start_s, end_s: start_s + 4, text: "" },
      ...{ by: { who: "tool", name: "ocr" }, confidence: null, from: [], data: { unread: true } },
    });
  expect(asked("What is x?", { evidence: [unread(0)] }).headline).toMatch(
    /^Not answered\. No subtitles were found and an equation is on screen at 00:00 that could not be read\. /,
  );
  expect(asked("What is x?", { evidence: [unread(70), unread(12)] }).headline).toContain(
    "No subtitles were found and 2 equations on screen from 00:12 on could not be read.",
  );
});
