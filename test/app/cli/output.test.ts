import { expect, test } from "vitest";
import { table } from "../../../src/app/cli/output.ts";

test("a cell of a table cannot begin another line or control a terminal", () => {
  const lines = table([
    ["name", "done"],
    ["a.mp4\n2026-11-27  ann  video.deleted", "yes"],
    ["b\u001b[2J.mp4\r\n", "no\u2028or\tyes"],
  ]).split("\n");
  expect(lines).toEqual([
    "name                                  done",
    "a.mp4 2026-11-27  ann  video.deleted  yes",
    "b[2J.mp4                              no or yes",
  ]);
});
