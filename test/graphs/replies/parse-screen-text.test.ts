import { expect, test } from "vitest";
import { parseScreenText } from "../../../graphs/replies/parse-screen-text.ts";

test.each([
  ["Text: Rivers\nEquation: v = s/t", ["text Rivers", "equation v = s/t"]],
  ["- **Text:** Rivers\n- `Equation`: v = s/t", ["text Rivers", "equation v = s/t"]],
  ["<think>Text: no</think>\ntext:  two   blanks", ["text two blanks"]],
  ["Rivers\ncarry sand", ["text Rivers", "text carry sand"]],
  ["```\nText: Rivers\n```", ["text Rivers"]],
  ["Text: -5 degrees", ["text -5 degrees"]],
  ["NO TEXT", []],
  ["**No text.**", []],
  ["Text: none", []],
  ["", []],
])("%j", (reply, expected) => {
  expect(parseScreenText(reply).map(({ kind, text }) => `${kind} ${text}`)).toEqual(expected);
});
