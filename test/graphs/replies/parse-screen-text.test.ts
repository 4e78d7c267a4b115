import { expect, test } from "vitest";
import { parseScreenText } from "../../../graphs/replies/parse-screen-text.ts";

test.each([
  ["Text: Rivers\nEquation: v = s/t", ["text Rivers", "equation v = s/t"]],
  ["- **Text:** Rivers\n- `Equation`: v = s/t", ["text Rivers", "equation v = s/t"]],
  ["<think>Text: no</think>\ntext:  two   blanks", ["text two blanks"]],
  ["Rivers\ncarry sand", ["text Rivers", "text carry sand"]],
  ["```\nText: Rivers\n```", ["text Rivers"]],
  ["Text: -5 degrees", ["text -5 degrees"]],
  [
    "Text:\nRivers\ncarry sand\nEquation: v = s/t",
    ["text Rivers", "text carry sand", "equation v = s/t"],
  ],
  ["Text: Rivers\ncarry sand", ["text Rivers", "text carry sand"]],
  ["Equation: v = s/t\ns = v t", ["equation v = s/t", "equation s = v t"]],
  [
    "Chart: bars by year.\nThe last is the highest.\nText: Rain",
    ["chart bars by year. The last is the highest.", "text Rain"],
  ],
  ["Here is the text:\nText: Rivers", ["text Rivers"]],
  ["Text: Rivers\nFigure: none\nThere is nothing else.", ["text Rivers"]],
  ["Text:\nFigure: a map", ["figure a map"]],
  ["NO TEXT", []],
  ["**No text.**", []],
  ["Text: none", []],
  ["", []],
])("%j", (reply, expected) => {
  expect(parseScreenText(reply).map(({ kind, text }) => `${kind} ${text}`)).toEqual(expected);
});
