import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { compose } from "../../../src/media/compose.ts";
import { findFfmpeg } from "../../../src/media/find-ffmpeg.ts";
import { runCommand } from "../../support/command-line.ts";
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

const cli = (...args: string[]) => runCommand(folder, args);
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

test("text is read in the language of --ocr-language, with the data of --ocr-data", async () => {
  const english = createRequire(import.meta.url).resolve("@tesseract.js-data/eng/package.json");
  await mkdir(join(folder, "data"));
  await copyFile(
    join(english, "../4.0.0_best_int/eng.traineddata.gz"),
    join(folder, "data/own.traineddata.gz"),
  );
  const own = ["--ocr-language", "own", "--ocr-data", "data"];
  expect(await json("text", "film.mp4", ...own)).toMatchObject([{ text: "Night trains" }]);
  const missing = await cli("text", "film.mp4", "--ocr-language", "own");
  expect(missing.code).toBe(1);
  expect(missing.err).toContain('No tesseract data for the language "own"');
});

test("a file without pictures is asked: what is said is used, or the missing engine is named", async () => {
  const { ffmpeg } = await findFfmpeg();
  const tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=3"];
  const files = ["talk.m4a", "quiet.mp3"].flatMap((name) => ["-map", "0:a", join(folder, name)]);
  await promisify(execFile)(ffmpeg, ["-v", "error", ...tone, ...files]);
  await writeFile(
    join(folder, "talk.srt"),
    "1\n00:00:01,000 --> 00:00:02,500\nEight hundred students came.\n",
  );
  const asked = await json("ask", "talk.m4a", "How many students came?");
  expect(asked.answer).toMatchObject({
    ...{ status: "answered", answer: "Eight hundred (800)" },
    moments: [{ start_s: 1, end_s: 2.5, words: ["students", "came"] }],
  });
  const quiet = await cli("ask", "quiet.mp3", "How many students came?");
  expect(quiet.code).toBe(1);
  expect(quiet.out).toBe(
    `Not answered. No subtitles were found. Put a subtitle file next to the video.

The sound of this video was not heard. To change that, name an engine with --transcriber, for example --transcriber openai:whisper-1.

Strategy extractive: no language model was used.
`,
  );
});

test("describe --media opens the videos of a set", async () => {
  const row = { video: "film.mp4", question: "Which trains?", answer: "Night trains" };
  await writeFile(join(folder, "set.jsonl"), `${JSON.stringify({ id: "1", ...row })}\n`);
  expect(await json("describe", "set.jsonl", "--media")).toMatchObject({
    samples: 1,
    media: {
      ...{ opened: 1, unreadable: [], total_s: 4, with_sound: 0, with_embedded_subtitles: 1 },
      sizes: [{ size: "480x270", videos: 1 }],
    },
  });
  expect((await json("describe", "set.jsonl")).media).toBeNull();
});

test("wrong flags are refused in a sentence that names the flag", async () => {
  const limit = await cli("search", "film.mp4", "train", "--limit", "none");
  expect(limit).toMatchObject({ code: 2, out: "" });
  expect(limit.err).toContain("--limit");
  const none = await cli("subtitles", "film.mp4", "--file", "missing.srt");
  expect(none.code).toBe(1);
  expect(none.err).toContain("missing.srt");
});
