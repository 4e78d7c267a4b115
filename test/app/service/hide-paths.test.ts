import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPathHider } from "../../../src/app/service/hide-paths.ts";

test("messages for callers name no folder of this machine", () => {
  const hide = createPathHider("/srv/video (1)/data");
  expect(hide("Cannot read /srv/video (1)/data/uploads/a-B_9/a-B_9: it is damaged.")).toBe(
    "Cannot read the video: it is damaged.",
  );
  expect(hide("No room in /srv/video (1)/data/blobs.")).toBe("No room in the data folder/blobs.");
  expect(
    hide(`See ${join(process.cwd(), "prompts/x.md")} and ${join(homedir(), "x")}.`),
  ).not.toContain(homedir());
  expect(hide("http://example.org/srv/film.mp4 is 3/4 of a/b")).toBe(
    "http://example.org/srv/film.mp4 is 3/4 of a/b",
  );
});
