import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobContext } from "../../../../src/core/job-context.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { parseSubtitles } from "../../../../tools/speech/subtitles/parse-subtitles.ts";
import { readSubtitles } from "../../../../tools/speech/subtitles.ts";
import { tempFolder } from "../../../support/temp.ts";

const cue = (start_s: number, end_s: number, text: string) => ({ start_s, end_s, lines: [text] });

test("cues with times as text, and cues with a pair of seconds, in one list", () => {
  const text = JSON.stringify([
    { start: "00:00:01.500", end: "00:00:03,25", line: "first" },
    { timestamp: [4, 5.5], text: "second" },
    { timestamp: [6, null], text: "without an end" },
    { timestamp: [7.5, null], text: "the last" },
  ]);
  expect(parseSubtitles(text)).toEqual({
    format: "json",
    skipped: 0,
    cues: [
      cue(1.5, 3.25, "first"),
      cue(4, 5.5, "second"),
      cue(6, 7.5, "without an end"),
      cue(7.5, 12.5, "the last"),
    ],
  });
});

test("Whisper's segments, with a byte order of members of its own", () => {
  const text = JSON.stringify({
    text: "a b",
    segments: [{ id: 0, start: 0, end: 2, text: " a b" }],
  });
  expect(parseSubtitles(text).cues).toEqual([cue(0, 2, " a b")]);
});

test("words, one a line, become cues that end at pauses and sentences", () => {
  const words: [string, number, number][] = [
    ["We", 0.5, 0.8],
    ["begin.", 0.8, 1.2],
    ["Now", 1.4, 1.6],
    ["look", 1.7, 1.9],
    ["here", 3, 3.4],
  ];
  const lines = words.map(([text, start_time, end_time]) =>
    JSON.stringify({ text, start_time, end_time }),
  );
  const { cues, skipped } = parseSubtitles(`${lines.join("\n")}\n{"text": "cut of`);
  expect(cues).toEqual([
    cue(0.5, 1.2, "We begin."),
    cue(1.4, 1.9, "Now look"),
    cue(3, 3.4, "here"),
  ]);
  expect(skipped).toBe(1);
});

test("cues without words or times are skipped and counted", () => {
  const bad = [
    null,
    7,
    { start: "soon", end: 2, text: "x" },
    { start: 1, end: 2 },
    { start: 3, end: 2, text: "y" },
  ];
  expect(parseSubtitles(JSON.stringify([{ start: 1, end: 2, text: "z" }, ...bad]))).toMatchObject({
    cues: [cue(1, 2, "z")],
    skipped: 5,
  });
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (items) => {
      const { cues, skipped } = parseSubtitles(JSON.stringify([{}, ...items]));
      expect(skipped).toBeGreaterThanOrEqual(1);
      expect(cues.every(({ start_s, end_s }) => start_s >= 0 && end_s > start_s)).toBe(true);
    }),
  );
});

test("an ass file that begins with a bracket stays one", () => {
  expect(parseSubtitles("[Script Info]\nTitle: x\n").format).toBe("ass");
});

let job: JobContext;
beforeAll(async () => {
  job = { store: await openStore(join(await tempFolder(), "store")), run: "test" };
});
afterAll(() => job.store.close());

test("the file that is named for a video comes first, from the time at which the video begins", async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, "subs"));
  const named = join(folder, "subs", "talk_en.json");
  const video = {
    hash: "0".repeat(64),
    path: join(folder, "talk.mp4"),
    probe: { subtitles: [], origin_s: 0 },
  };
  await writeFile(join(folder, "talk.srt"), "1\n00:00:01,000 --> 00:00:02,000\nsidecar\n");
  await writeFile(
    named,
    JSON.stringify([
      { start: 10, end: 19, line: "before" },
      { start: 19, end: 21, line: "across" },
      { start: 25, end: 26, line: "after" },
    ]),
  );
  const read = await readSubtitles({ ...video, subtitles: { path: named, from_s: 20 } }, {}, job);
  expect(read.cues).toEqual([
    { start_s: 0, end_s: 1, text: "across" },
    { start_s: 5, end_s: 6, text: "after" },
  ]);
  expect(read.source).toMatchObject({ name: "talk_en.json", format: "json" });
  await writeFile(named, "[]");
  const without = await readSubtitles({ ...video, subtitles: { path: named } }, {}, job);
  expect(without.cues).toEqual([{ start_s: 1, end_s: 2, text: "sidecar" }]);
  expect(without.refused).toMatchObject([{ what: "talk_en.json" }]);
});
