import { expect, test } from "vitest";
import { commandLines, fencesOf, showsOutput, stepsOf } from "./pages.ts";

const PAGE = `Text.

\`\`\`sh exit=1
false
\`\`\`

\`\`\`text
nothing
\`\`\`

\`\`\`yaml file=grid.yaml
axes: {}
\`\`\`
`;

test("a block knows its language, words, values, text and line, and the output that follows it", () => {
  const fences = fencesOf(PAGE);
  expect(fences).toMatchObject([
    { language: "sh", values: { exit: "1" }, text: "false\n", line: 3 },
    { language: "text", text: "nothing\n", line: 7 },
    { language: "yaml", values: { file: "grid.yaml" }, text: "axes: {}\n" },
  ]);
  const steps = stepsOf({ name: "page.md", text: PAGE, fences });
  expect(steps.map(({ output }) => output?.text)).toEqual(["nothing\n", undefined, undefined]);
  expect(() => fencesOf("```sh\nfalse\n")).toThrow("line 1 has no end");
});

test.each([
  ["one line of several", "two", "one\ntwo\nthree", true],
  ["lines that follow one another", "one\nthree", "one\ntwo\nthree", false],
  ["any lines between", "one\n...\nthree", "one\ntwo\nthree", true],
  ["any lines, in the other order", "three\n...\none", "one\ntwo\nthree", false],
  ["any characters of a line", "cost  $... in all", "cost $0.12 in all", true],
  ["no characters of the next line", "cost ... in all", "cost\n$1 in all", false],
  ["signs of a regular expression", "[x] (1.5)", "[x]  (1.5)", true],
  ["a sign that matches anything", "1.5", "1x5", false],
  ["one figure that differs", "right  4", "right  3", false],
])("%s", (_name, shown, output, expected) => {
  expect(showsOutput(shown, output)).toBe(expected);
});

test("a continued command is one line", () => {
  expect(commandLines("# a note\nvideo-rrd ask a.mp4 \\\n  --json\n\nls\n")).toEqual([
    "video-rrd ask a.mp4 --json",
    "ls",
  ]);
});
