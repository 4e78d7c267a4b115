import { expect, test } from "vitest";
import { checkResult } from "../../../graphs/toolbox/check-result.ts";

test.each<[unknown, string]>([
  [undefined, "returned nothing: return { type:"],
  ["a text", 'returned "a text": return'],
  [{ type: "text", text: "x" }, "returned a wrong `type`"],
  [{ type: "items" }, "returned a wrong `items`: use a list. A tool has to return"],
  [{ type: "frames", frames: [{ t_s: "1" }] }, "returned a wrong `frames.0."],
  [{ type: "quoted" }, "returned a wrong `text`: use a string"],
])("the result %j of a tool is refused by its name", (wrong, message) => {
  expect(() => checkResult(wrong as never, "peek")).toThrowError(
    expect.objectContaining({
      kind: "code-failed",
      message: expect.stringContaining(`The tool peek ${message}`),
    }),
  );
});

test("results of every type are accepted", () => {
  const frame = { hash: "h", video: "v", t_s: 1, width: 2, height: 2 };
  for (const result of [
    { type: "items", items: [] },
    { type: "frames", frames: [frame] },
    { type: "sheets", sheets: [] },
    { type: "clip", moments: [frame], media: [] },
    { type: "quoted", text: "x" },
  ])
    expect(() => checkResult(result as never, "peek")).not.toThrow();
});
