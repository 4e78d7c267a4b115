import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { compose } from "../../../src/media/compose.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
  const line = { draw: "text", x: 0.5, y: 0.5, size: 0.16, colour: "black" } as const;
  await compose(
    {
      width: 480,
      height: 270,
      fps: 5,
      silent: true,
      segments: [
        { kind: "picture", duration_s: 2, picture: { background: "#305030", shapes: [] } },
        {
          kind: "picture",
          duration_s: 2,
          picture: { background: "white", shapes: [{ ...line, text: "Night trains" }] },
        },
      ],
      subtitles: {
        captions: [{ start_s: 0.5, end_s: 1.5, text: "All aboard!" }],
        where: "embedded",
        language: "eng",
      },
    },
    join(folder, "film.mp4"),
  );
});

async function cli(...args: string[]): Promise<{ out: string; code: number; err: string }> {
  const command = [join(import.meta.dirname, "../../../src/app/cli/main.ts"), ...args];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
      cwd: folder,
    });
    return { out: stdout, code: 0, err: stderr };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
    return { out: stdout, code, err: stderr };
  }
}
const json = async (...args: string[]) => JSON.parse((await cli(...args, "--json")).out);

test("shots, text, subtitles, index and search each print one JSON value", async () => {
  expect(await json("shots", "film.mp4")).toMatchObject([
    { start_s: 0, end_s: 2 },
    { start_s: 2, end_s: expect.closeTo(4) },
  ]);
  expect(await json("text", "film.mp4")).toMatchObject([{ text: "Night trains", start_s: 2 }]);
  expect(await json("subtitles", "film.mp4", "--language", "en")).toMatchObject({
    cues: [{ text: "All aboard!", start_s: 0.5 }],
  });
  const { items } = await json("index", "film.mp4", "--ocr", "off");
  expect(items.map((item: { kind: string }) => item.kind)).toEqual(["frame", "subtitle", "frame"]);
  expect(await json("search", "film.mp4", "boarding a train", "--kinds", "text")).toMatchObject([
    { evidence: { text: "Night trains" } },
  ]);
  expect(await json("search", "film.mp4", "train", "--to", "1.9")).toEqual([]);
});

test("wrong flags are refused in a sentence that names the flag", async () => {
  const limit = await cli("search", "film.mp4", "train", "--limit", "none");
  expect(limit).toMatchObject({ code: 2, out: "" });
  expect(limit.err).toContain("--limit");
  const none = await cli("subtitles", "film.mp4", "--file", "missing.srt");
  expect(none.code).toBe(1);
  expect(none.err).toContain("missing.srt");
});
