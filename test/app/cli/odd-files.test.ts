import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { findFfmpeg } from "../../../src/media/find-ffmpeg.ts";
import { everyFrameArgs } from "../../../src/media/run-ffmpeg.ts";
import { makeClip } from "../../support/clips.ts";
import { runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

/* What commands say of files that are not quite as usual. */

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});
const run = (args: string[]) => runCommand(folder, args, {});

test("probe tells the average of a variable rate, and cards what counts as a card", async () => {
  // 20 frames: gaps of 0.04 s, then of 0.4 s.
  const uneven = "setpts='if(lt(N,10),N*0.04,0.4+(N-10)*0.4)/TB'";
  const film = await makeClip(folder, "uneven.mp4", {
    ...{ frames: 20, filter: uneven },
    encode: ["-c:v", "libx264", "-bf", "0", ...(await everyFrameArgs())],
  });
  const { out } = await run(["probe", film, "--json"]);
  const { video } = z
    .object({ video: z.object({ start_s: z.number(), end_s: z.number(), variable: z.boolean() }) })
    .parse(JSON.parse(out));
  expect(video.variable).toBe(true);
  const average = (20 / (video.end_s - video.start_s)).toFixed(3);
  expect((await run(["probe", film])).out).toContain(
    `variable rate, ${average} frames/s on average, 20 frames`,
  );
  expect((await run(["cards", film])).out).toMatch(
    /^No title cards found\. A card shows only `Clip N` .* centred on black/,
  );
});

test("an answer from a file that was cut off says so in the terminal, on the page and in JSON", async () => {
  const whole = await makeClip(folder, "whole.mp4", {
    frames: 250,
    encode: ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-movflags", "+faststart"],
  });
  const bytes = await readFile(whole);
  const cut = join(folder, "cut.mp4");
  await writeFile(cut, bytes.subarray(0, bytes.length >> 1));
  const page = join(folder, "cut.html");
  const sentence =
    /The header claims 10\.0 s, but picture and sound end at \d\.\d s\. If the file was cut off, what came later is missing from this answer\./;
  const asked = ["What is seen?", "--options", "A pattern", "A dog"];
  expect((await run(["ask", cut, ...asked, "--html", page])).out).toMatch(sentence);
  expect(await readFile(page, "utf8")).toMatch(sentence);
  expect(JSON.parse((await run(["ask", cut, ...asked, "--json"])).out)).toMatchObject({
    answer: { diagnostics: { cut_off: expect.stringMatching(sentence) } },
  });
  expect((await run(["ask", whole, ...asked])).out).not.toContain("header claims");
});

test.each([
  [
    "https://example.com/a/film.mp4?x=1",
    "Cannot open https://example.com/a/film.mp4?x=1: videos are read from files. Download it",
  ],
  ["file:///films/a.mp4", "use a path, without file://."],
])("what to do is said of the address %j", async (address, message) => {
  for (const args of [["probe"], ["ask"]]) {
    const { code, err } = await run([...args, address, ...(args[0] === "ask" ? ["What?"] : [])]);
    expect(code).toBe(1);
    expect(err).toContain(message);
  }
});

test.each([["probe"], ["frames"], ["ask"]])(
  "`%s` says that an empty path is empty",
  async (command) => {
    const { code, err } = await run([command, "", ...(command === "ask" ? ["What?"] : [])]);
    expect(code).toBe(1);
    expect(err).toContain("The path of the video is empty.");
  },
);

test("control characters in tags and names of files do not reach the terminal", async () => {
  const film = join(folder, "tone.mkv");
  const { ffmpeg } = await findFfmpeg();
  await promisify(execFile)(ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "flac"],
    ...["-metadata:s:a:0", "language=e\u001b[31mn", film],
  ]);
  const subtitles = "1\n00:00:00,000 --> 00:00:01,000\nHello\n";
  await writeFile(join(folder, "\u001b[31mred.srt"), subtitles);
  const named = ["subtitles", film, "--file", "\u001b[31mred.srt"];
  for (const [args, says] of [
    [["probe", film], "Hz, e[31mn"],
    [["probe", "no\u001b[31mfilm.mp4"], "Cannot find no[31mfilm.mp4"],
    [["ask", "no\u001b[31mfilm.mp4", "What?"], "no[31mfilm.mp4"],
    [named, "cues from [31mred.srt"],
  ] as const) {
    const { out, err } = await run([...args]);
    expect(out + err).toContain(says);
    expect(out + err).not.toContain("\u001b");
  }
});
