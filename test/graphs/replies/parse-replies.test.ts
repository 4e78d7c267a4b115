import { expect, test } from "vitest";
import { parseCitations, withoutCitations } from "../../../graphs/replies/parse-citations.ts";
import { parseComparison } from "../../../graphs/replies/parse-comparison.ts";
import {
  parseCount,
  parseDescription,
  parseDescriptions,
} from "../../../graphs/replies/parse-descriptions.ts";
import { parseScreenText } from "../../../graphs/replies/parse-screen-text.ts";
import { finalText } from "../../../graphs/replies/reply-text.ts";

test.each([
  ["A", "A"],
  ["b", "B"],
  [" B. ", "B"],
  ["**A**", "A"],
  ["(B)", "B"],
  ["Event A", "A"],
  ["Answer: B", "B"],
  ["The answer is Event B.", "B"],
  ["A\n\nCutting has to come before squeezing.", "A"],
  ["Cutting has to come before squeezing.\n\nB", "B"],
  ["<think>A or B?</think>B", "B"],
  ["A\nB", null],
  ["A or B", null],
  ["C", null],
  ["A lemon is cut first", null],
  ["Both", null],
  ["", null],
])("comparison %j is %s", (text, first) => {
  expect(parseComparison(text)).toBe(first);
});

test.each([
  ["5", 5],
  ["There are 5 clips.", 5],
  ["five", 5],
  ["**7**", 7],
  ["5 clips: 5", 5],
  ["<think>3 or 4</think>4", 4],
  ["Between 3 and 5", null],
  ["0", null],
  ["1000", null],
  ["many", null],
  ["", null],
])("count %j is %s", (text, count) => {
  expect(parseCount(text)).toBe(count);
});

test.each([
  ["Clip 1: cut the lemon\nClip 2: squeeze it"],
  ["**Clip 1:** cut the lemon\n\n**Clip 2:** squeeze it"],
  ["- Clip 1 - cut the lemon\n- Clip 2 – squeeze it"],
  ["Here they are:\nclip 1 : cut the lemon\nCLIP 2: squeeze it"],
  ["1. Clip 1: cut the lemon\n2. Clip #2: squeeze it"],
  ["### Clip 1 (00:02 to 00:08):\ncut the\nlemon\n### Clip 2:\nsqueeze it"],
  ["Clip 2: squeeze it\nClip 1: cut the lemon"],
  ["<think>Clip 1: x\nClip 3: y</think>Clip 1: cut the lemon\nClip 2: squeeze it"],
  ["Clip 1: cut the lemon\nClip 2: squeeze it\n\nTogether they show how lemonade is begun."],
  ["Clip 1: cut the lemon\nClip 2: squeeze it\nNote: the order of the clips is not given."],
  ["**Clip 1:**\ncut the lemon\n\n**Clip 2:**\nsqueeze it\n\nLet me know if you want more."],
  ["Clip 1: first draft\nClip 1: cut the lemon\nClip 2: squeeze it"],
])("descriptions are found in %j", (text) => {
  expect([...parseDescriptions(text, "Clip")].sort()).toEqual([
    [1, "cut the lemon"],
    [2, "squeeze it"],
  ]);
});

test("a clip mentioned inside a sentence starts no description, and an empty description is none", () => {
  const found = parseDescriptions("Clip 1: as in Clip 2: a bowl\nClip 3:\nClip 0: none", "Clip");
  expect([...found]).toEqual([[1, "as in Clip 2: a bowl"]]);
});

test("a single description loses its own heading and its line breaks, nothing else", () => {
  expect(parseDescription("Clip 3: cut\nthe lemon.", "Clip", 3)).toBe("cut the lemon.");
  expect(parseDescription("Someone cuts 2 lemons: slowly.", "Clip", 3)).toBe(
    "Someone cuts 2 lemons: slowly.",
  );
  expect(
    parseDescription("Here is the sentence:\n\ncut the lemon.\n\nIt is lemonade.", "Clip", 3),
  ).toBe("cut the lemon.");
  expect(parseDescription("**Clip 3**: cut\nthe lemon.\n\nI chose so.", "Clip", 3)).toBe(
    "cut the lemon.",
  );
  expect(parseDescription(" <think>hm</think> ", "Clip", 3)).toBeNull();
});

test("citations name known evidence once, in order of mention", () => {
  const known = new Set(["E1", "E2", "E3"]);
  expect(parseCitations("It falls [E3]. Then [E1, E3][e2] and [E9], [see E1].", known)).toEqual({
    cited: ["E3", "E1", "E2"],
    unknown: ["E9"],
  });
  expect(withoutCitations("It falls [E3]. Then [E1, E3][E2] rain [sic].")).toBe(
    "It falls. Then rain [sic].",
  );
});

test("reasoning between tags is not part of the reply", () => {
  expect(finalText("<think>a</think> b <thinking>c</thinking>")).toBe("b");
  expect(finalText("a</think> b")).toBe("b");
  expect(finalText("<think>never closed")).toBe("");
});

test("nested and unclosed tags hide no answer", () => {
  expect(finalText("<think>a <think> b</think> c")).toBe("c");
  expect(finalText("A<Think>x</THINK>B <reasoning>y</reasoning>")).toBe("AB");
  expect(finalText("<think><thinking>a</thinking>b</think>c")).toBe("c");
  expect(finalText("B<thinking>x<think>y</think>")).toBe("B");
});

/** Space, markup or tags without end, as models write that are lost: to be read in the time that it takes to look at it. */
const ENDLESS = 200_000;

test.each([" ", "\n", "\t", "*", "`", "_", "-", "> "])(
  "a reply with endless %j is read quickly",
  (mark) => {
    const run = mark.repeat(ENDLESS / mark.length);
    expect(withoutCitations(`It falls${run}x`)).toBe(`It falls${run}x`);
    expect(withoutCitations(`It falls [E1${run}x`)).toBe(`It falls [E1${run}x`);
    const descriptions = parseDescriptions(
      `Clip 1: cut${run}\nClip 2: squeeze\nClip 3${run}x`,
      "Clip",
    );
    expect(descriptions.get(1)).toBe("cut");
    expect(descriptions.get(2)).toContain("squeeze");
    expect(parseScreenText(`Text: ${run}a${run}`)).toHaveLength(1);
    expect(parseScreenText(`Text: a\n${run}`)).toHaveLength(1);
  },
);

test("endless tags are read quickly", () => {
  expect(finalText(`A${"<think>".repeat(ENDLESS / 7)}`)).toBe("A");
  expect(finalText(`${"<think>x</think>".repeat(ENDLESS / 16)}B`)).toBe("B");
});
