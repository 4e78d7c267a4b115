import { execFile } from "node:child_process";
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isFailure } from "../../../src/core/errors.ts";
import { hashFile } from "../../../src/core/hash.ts";
import type { JobContext } from "../../../src/core/job-context.ts";
import { findFfmpeg } from "../../../src/media/find-ffmpeg.ts";
import { probe } from "../../../src/media/probe.ts";
import { openStore } from "../../../src/storage/open.ts";
import { readSubtitles, subtitleEvidence } from "../../../tools/speech/subtitles.ts";
import { isRecentFfmpeg } from "../../support/ffmpeg-build.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { encode, writeSubtitles } from "../../support/subtitle-files.ts";
import { tempFolder } from "../../support/temp.ts";

let job: JobContext;

beforeAll(async () => {
  job = { store: await openStore(join(await tempFolder(), "store")), run: "test" };
});

afterAll(() => job.store.close());

async function open(path: string) {
  return { hash: await hashFile(path), path, probe: await probe(path) };
}

/** A video with a name only. */
function named(path: string) {
  return { hash: "0".repeat(64), path, probe: { subtitles: [], origin_s: 0 } };
}

function srt(text: string): string {
  return writeSubtitles("srt", [{ start_ms: 1000, end_ms: 2000, lines: [text] }]);
}

async function failureOf(reading: Promise<unknown>) {
  const error: unknown = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isFailure(error)) throw new Error("Expected a Failure.", { cause: error });
  return error;
}

describe("files that belong to a video by name", () => {
  async function folderWith(...names: string[]) {
    const folder = join(await tempFolder(), "videos");
    for (const name of names) {
      await mkdir(join(folder, name, ".."), { recursive: true });
      await writeFile(join(folder, name), srt(`from ${name}`));
    }
    return named(join(folder, "lesson.1.mp4"));
  }

  async function textOf(video: ReturnType<typeof named>, language?: string) {
    return (await readSubtitles(video, { language }, job)).cues[0]?.text ?? null;
  }

  test.each([
    "lesson.1.srt",
    "lesson.1.SRT",
    "lesson.1.vtt",
    "lesson.1.ssa",
    "lesson.1.en.srt",
    "lesson.1.en.forced.srt",
    "lesson.1.mp4.srt",
    "subtitles/lesson.1.srt",
    "../subtitles/lesson.1.srt",
  ])("%s is found", async (name) => {
    expect(await textOf(await folderWith(name))).toBe(`from ${name}`);
  });

  test.each([
    ["NFC", "NFD"],
    ["NFD", "NFC"],
  ])("a name in %s belongs to a video whose name is in %s", async (form, other) => {
    const folder = await tempFolder();
    const name = (form: string, ending: string) => `Café für.1${ending}`.normalize(form);
    await writeFile(join(folder, name(form, ".en.srt")), srt("drinks"));
    const video = named(join(folder, name(other, ".mp4")));
    const { cues, source } = await readSubtitles(video, {}, job);
    expect(cues[0]?.text).toBe("drinks");
    expect(source).toMatchObject({ language: "en" });
  });

  test.each(["lesson.srt", "lesson.10.srt", "lesson.1.part.srt", "lesson.1.txt", "lesson.1"])(
    "%s belongs to another video",
    async (name) => {
      expect(await textOf(await folderWith(name))).toBeNull();
    },
  );

  test("the plainest name comes first, then English, then a file next to the video", async () => {
    const plain = await folderWith("lesson.1.en.srt", "lesson.1.vtt", "subtitles/lesson.1.srt");
    expect(await textOf(plain)).toBe("from lesson.1.vtt");
    const english = await folderWith(
      "lesson.1.de.srt",
      "lesson.1.en.forced.srt",
      "lesson.1.en.srt",
    );
    expect(await textOf(english)).toBe("from lesson.1.en.srt");
  });

  test("a file for only some of the speech comes after all others", async () => {
    const untagged = await folderWith("lesson.1.forced.srt", "lesson.1.de.srt");
    expect(await textOf(untagged)).toBe("from lesson.1.de.srt");
    const english = await folderWith("lesson.1.en.forced.srt", "lesson.1.de.srt");
    expect(await textOf(english)).toBe("from lesson.1.de.srt");
    expect(await textOf(english, "en")).toBe("from lesson.1.en.forced.srt");
    const below = await folderWith("lesson.1.en.forced.srt", "subtitles/lesson.1.en.srt");
    expect(await textOf(below, "en")).toBe("from subtitles/lesson.1.en.srt");
  });

  test("a language is found by any of its names, and another one is refused", async () => {
    const video = await folderWith("lesson.1.pt-BR.srt", "lesson.1.ger.srt");
    expect(await textOf(video, "de")).toBe("from lesson.1.ger.srt");
    expect(await textOf(video, "por")).toBe("from lesson.1.pt-BR.srt");
    const none = await readSubtitles(video, { language: "fr" }, job);
    expect(none).toMatchObject({ cues: [], source: null });
    expect(none.refused).toEqual([
      {
        what: "lesson.1.ger.srt",
        why: "lesson.1.ger.srt is in de, not in fr.",
      },
      {
        what: "lesson.1.pt-BR.srt",
        why: "lesson.1.pt-BR.srt is in pt-BR, not in fr.",
      },
    ]);
    const failure = await failureOf(readSubtitles(video, { language: "klingonese" }, job));
    expect(failure.kind).toBe("wrong-usage");
  });

  test("a file without a cue is skipped and named", async () => {
    const video = await folderWith("lesson.1.en.srt");
    await writeFile(video.path.replace(".mp4", ".srt"), "not subtitles");
    const { cues, source, refused } = await readSubtitles(video, {}, job);
    expect(cues[0]?.text).toBe("from lesson.1.en.srt");
    expect(source).toMatchObject({ kind: "sidecar", name: "lesson.1.en.srt", language: "en" });
    expect(refused).toHaveLength(1);
    expect(refused[0]?.why).toMatch(
      /^Cannot read .*lesson\.1\.srt as srt, vtt, ass or JSON subtitles: it has no timed cue\.$/,
    );
  });

  test("files in other formats are named, an sbv file is read", async () => {
    const video = await folderWith("lesson.1.en.ttml");
    const other = await readSubtitles(video, {}, job);
    expect(other).toMatchObject({ cues: [], source: null });
    expect(other.refused).toEqual([
      {
        what: "lesson.1.en.ttml",
        why: "This format of subtitles is not supported: convert it to .srt, .vtt or .ass.",
      },
    ]);
    const sbv = "0:00:01.500,0:00:02.250\nNow add[br]1,000\n\n0:00:03.000,0:00:04.000\nEggs\n";
    await writeFile(video.path.replace(".mp4", ".en.sbv"), sbv);
    const { cues, source } = await readSubtitles(video, {}, job);
    expect(source).toMatchObject({ name: "lesson.1.en.sbv", language: "en" });
    expect(cues).toEqual([
      { start_s: 1.5, end_s: 2.25, text: "Now add 1,000" },
      { start_s: 3, end_s: 4, text: "Eggs" },
    ]);
  });

  test("a given file precedes found ones, and is refused with the reason", async () => {
    const video = await folderWith("lesson.1.srt");
    const given = join(video.path, "..", "other.txt");
    await writeFile(given, encode(srt("given"), "utf-16le", false));
    const { cues, source } = await readSubtitles(video, { file: given }, job);
    expect(cues).toEqual([{ start_s: 1, end_s: 2, text: "given" }]);
    expect(source).toEqual({
      kind: "sidecar",
      name: "other.txt",
      format: "srt",
      encoding: "utf-16le",
      folded: false,
    });
    const missing = await failureOf(readSubtitles(video, { file: `${given}x` }, job));
    expect(missing.kind).toBe("file-unreadable");
    expect(missing.message).toContain("other.txtx");
    const device = join(video.path, "..", "endless.srt");
    await symlink("/dev/zero", device);
    expect((await failureOf(readSubtitles(video, { file: device }, job))).kind).toBe(
      "file-unreadable",
    );
  });

  test("a file of 50 MB is refused, one of 15 MB in one line is read quickly", async () => {
    const video = await folderWith("lesson.1.srt");
    const huge = join(video.path, "..", "huge.srt");
    await writeFile(huge, Buffer.alloc(50 * 2 ** 20, "1"));
    const failure = await failureOf(readSubtitles(video, { file: huge }, job));
    expect(failure.message).toBe(
      `Cannot read the subtitle file ${huge}: it has 50 MB, and the limit is 20 MB.`,
    );
    await writeFile(
      huge,
      `${srt("good")}\n2\n00:00:03,000 --> 00:00:04,000\n${"x".repeat(15 * 2 ** 20)}`,
    );
    expect(await readSubtitles(video, { file: huge }, job)).toMatchObject({
      cues: [{ text: "good" }],
      skipped: 1,
    });
    await writeFile(huge, Buffer.alloc(15 * 2 ** 20, "0:"));
    expect((await failureOf(readSubtitles(video, { file: huge }, job))).kind).toBe("no-subtitles");
  });
});

describe("streams inside a video", () => {
  /** A sound of four seconds with the given subtitle files muxed in, its clock starting at `offset_s`. */
  async function muxed(container: string, codec: string, files: string[], offset_s = 0) {
    const folder = await tempFolder();
    const path = join(folder, `film.${container}`);
    const { ffmpeg } = await findFfmpeg();
    const inputs = await Promise.all(
      files.map(async (text, index) => {
        const file = join(folder, `source-${index}.srt`);
        await writeFile(file, text);
        return ["-itsoffset", String(offset_s), "-i", file];
      }),
    );
    const maps = files.flatMap((_, index) => ["-map", String(index + 1)]);
    const languages = files.flatMap((_, index) => [
      `-metadata:s:s:${index}`,
      `language=${index === 0 ? "deu" : "eng"}`,
    ]);
    await promisify(execFile)(ffmpeg, [
      ...["-v", "error", "-itsoffset", String(offset_s), "-f", "lavfi", "-i", "sine=duration=4"],
      ...[...inputs.flat(), "-map", "0", ...maps, "-c:a", "aac", "-strict", "-2", "-c:s", codec],
      ...[...languages, path],
    ]);
    return open(path);
  }

  test.each([
    ["mkv", "srt", "srt"],
    ["mkv", "ass", "ass"],
    ["mkv", "webvtt", "vtt"],
    ["mp4", "mov_text", "srt"],
  ])("%s with %s is read, and stored", async (container, codec, format) => {
    const lines = ["a <i>b</i>, c", "d"];
    const words = writeSubtitles("srt", [{ start_ms: 1000, end_ms: 2500, lines }]);
    const video = await muxed(container, codec, [words]);
    const first = await readSubtitles(video, {}, job);
    expect(first.cues).toHaveLength(1);
    expect(first.cues[0]).toMatchObject({ text: "a b, c d" });
    expect(first.cues[0]?.start_s).toBeCloseTo(1, 1);
    expect(first.cues[0]?.end_s).toBeCloseTo(2.5, 1);
    expect(first.source).toEqual({
      kind: "embedded",
      name: `stream 1 of film.${container}`,
      format,
      language: "de",
      folded: false,
    });
    const moved = { ...video, path: "/gone/film.mkv" };
    expect((await readSubtitles(moved, {}, job)).cues).toEqual(first.cues);
  });

  test("of several streams the language, the number or English decides; a file next to the video precedes them", async () => {
    const video = await muxed("mkv", "srt", [srt("eins"), srt("one"), srt("two")]);
    const text = async (options: Parameters<typeof readSubtitles>[1]) =>
      (await readSubtitles(video, options, job)).cues[0]?.text;
    expect(await text({})).toBe("one");
    expect(await text({ language: "de" })).toBe("eins");
    expect(await text({ stream: 3 })).toBe("two");
    const wrong = await failureOf(readSubtitles(video, { stream: 0 }, job));
    expect(wrong.message).toBe(
      "film.mkv has no subtitle stream 0. Its subtitle streams are 1, 2, 3.",
    );
    await writeFile(video.path.replace(".mkv", ".srt"), srt("beside"));
    expect(await text({})).toBe("beside");
    expect(await text({ language: "de" })).toBe("eins");
  });

  test("times count from the start of the container, at any clock offset", async () => {
    const video = await muxed("mkv", "srt", [srt("late")], 7);
    expect(video.probe.origin_s).toBeCloseTo(7, 1);
    expect((await readSubtitles(video, {}, job)).cues[0]?.start_s).toBeCloseTo(1, 1);
  });
});

describe("a stream whose cues begin before the video", () => {
  const CUES = [
    { start_ms: 2000, end_ms: 4000, lines: ["before"] },
    { start_ms: 4000, end_ms: 7500, lines: ["across"] },
    { start_ms: 8000, end_ms: 9000, lines: ["after"] },
  ];

  /** A film whose picture begins at `at_s` of the clock by which the cues count. */
  async function film(container: string, codec: string, at_s: number, cues = CUES) {
    const folder = await tempFolder();
    const words = join(folder, "source.srt");
    await writeFile(words, writeSubtitles("srt", cues));
    const path = join(folder, `film.${container}`);
    const { ffmpeg } = await findFfmpeg();
    await promisify(execFile)(ffmpeg, [
      ...["-v", "error", "-itsoffset", String(at_s), "-f", "lavfi"],
      ...["-i", "testsrc2=s=64x48:r=10:d=12", "-i", words, "-map", "0", "-map", "1"],
      ...["-c:v", "mpeg4", "-c:s", codec, "-copyts", "-avoid_negative_ts", "disabled", path],
    ]);
    return open(path);
  }

  const cuesFrom = (at_s: number) =>
    CUES.filter(({ end_ms }) => end_ms / 1000 > at_s).map(({ start_ms, end_ms, lines }) => ({
      start_s: Math.max(0, start_ms / 1000 - at_s),
      end_s: end_ms / 1000 - at_s,
      text: lines[0],
    }));

  test.each([
    ["mkv", "srt"],
    ["mkv", "webvtt"],
    ["mkv", "ass"],
    ["mp4", "mov_text"],
  ])("%s with %s: no time is shifted", async (container, codec) => {
    for (const at_s of [5, 2, 1]) {
      const video = await film(container, codec, at_s);
      expect(video.probe.origin_s).toBe(at_s);
      expect((await readSubtitles(video, {}, job)).cues).toEqual(cuesFrom(at_s));
    }
  });

  test("a stream that ends before the video is named as unusable", async () => {
    const video = await film("mkv", "srt", 5, CUES.slice(0, 1));
    const { cues, source, refused } = await readSubtitles(video, {}, job);
    expect({ cues, source }).toEqual({ cues: [], source: null });
    expect(refused.map(({ why }) => why)).toEqual([
      "Cannot use stream 1 of film.mkv: all its cues end before the video begins.",
    ]);
  });
});

describe("streams by the marks of the file", () => {
  /** A sound with subtitle streams, each with its language and marks. */
  async function marked(streams: { text: string; language: string; marks: string }[]) {
    const folder = await tempFolder();
    const { ffmpeg } = await findFfmpeg();
    const files = await Promise.all(
      streams.map(async ({ text }, i) => {
        await writeFile(join(folder, `${i}.srt`), srt(text));
        return ["-i", join(folder, `${i}.srt`)];
      }),
    );
    const path = join(folder, "film.mkv");
    await promisify(execFile)(ffmpeg, [
      ...["-v", "error", "-f", "lavfi", "-i", "sine=duration=4", ...files.flat(), "-map", "0"],
      ...streams.flatMap(({ language, marks }, i) => [
        ...["-map", String(i + 1), `-metadata:s:s:${i}`, `language=${language}`],
        ...[`-disposition:s:${i}`, marks],
      ]),
      ...["-c:a", "flac", "-c:s", "srt", path],
    ]);
    return open(path);
  }

  type Marked = [streams: string[], language: string | undefined, expected: string];
  const forTheDeaf: Marked = [["eng hearing_impaired", "eng 0"], undefined, "eng 0"];

  test.each<Marked>([
    [["und forced", "und default"], undefined, "und default"],
    [["eng forced", "deu default"], undefined, "deu default"],
    [["eng forced", "eng default"], "en", "eng default"],
    [["eng forced", "deu default"], "en", "eng forced"],
    ...(isRecentFfmpeg ? [forTheDeaf] : []),
    [["eng 0", "eng default"], undefined, "eng default"],
    [["eng forced"], undefined, "eng forced"],
  ])("of %j in language %s: %s", async (streams, language, expected) => {
    const parts = streams.map((text) => {
      const [language = "", marks = ""] = text.split(" ");
      return { text, language, marks };
    });
    const { cues } = await readSubtitles(await marked(parts), { language }, job);
    expect(cues[0]?.text).toBe(expected);
  });

  test("a file for only some of the speech comes after a stream", async () => {
    const film = await marked([{ text: "all of it", language: "eng", marks: "default" }]);
    await writeFile(film.path.replace(/mkv$/, "en.forced.srt"), srt("some of it"));
    for (const language of [undefined, "en"]) {
      const { cues } = await readSubtitles(film, { language }, job);
      expect(cues[0]?.text).toBe("all of it");
    }
  });
});

test("cues become evidence with times, text and source", () => {
  const by = { who: "file", name: "lesson.srt" } as const;
  const [item] = subtitleEvidence("0".repeat(64), [{ start_s: 1, end_s: 2, text: "one" }], by);
  expect(item).toMatchObject({
    kind: "subtitle",
    start_s: 1,
    end_s: 2,
    text: "one",
    by,
    confidence: null,
  });
});

describeShared("every subtitle file", () => {
  interface Expected {
    cues: number;
    first_s: number;
    last_s: number;
    source: Record<string, unknown>;
    /** Words that the first cue begins with. */
    begins: string;
    skipped?: number;
  }

  const files: Record<string, Expected> = {
    "3b1b_moser_en.srt": {
      cues: 132,
      first_s: 3.78,
      last_s: 522.179,
      source: { format: "srt", encoding: "utf-8" },
      begins: "In my last video, I posed",
    },
    "ass_evangelion.ass": {
      cues: 1,
      first_s: 1.18,
      last_s: 6.85,
      source: { format: "ass", encoding: "utf-8" },
      begins: "Like an Angel with pity on nobody The second line in subtitle",
    },
    "elephantsdream_en.vtt": {
      cues: 78,
      first_s: 15,
      last_s: 539.867,
      source: { format: "vtt" },
      begins: "At the left we can see...",
    },
    "srt_bom-utf-16-le.srt": {
      cues: 7,
      first_s: 6.5,
      last_s: 50,
      source: { format: "srt", encoding: "utf-16le" },
      begins: "About 2 months ago I found myself on the comment section of YouTube",
    },
    "srt_bom-utf-8.srt": {
      cues: 7,
      first_s: 6.5,
      last_s: 50,
      source: { format: "srt", encoding: "utf-8" },
      begins: "About 2 months ago",
    },
    "srt_no-indexes.srt": {
      cues: 7,
      first_s: 6.5,
      last_s: 50,
      source: { format: "srt" },
      begins: "About 2 months ago",
    },
    "srt_windows-1252.srt": {
      cues: 1332,
      first_s: 1,
      last_s: 5849.634,
      source: { format: "srt", encoding: "windows-1252" },
      begins: "Downloaded From",
    },
    "vtt_style_blocks.vtt": {
      cues: 1,
      first_s: 0,
      last_s: 10,
      source: { format: "vtt" },
      begins: "Hello world.",
    },
    "vtt_tags.vtt": { cues: 28, first_s: 0, last_s: 28, source: { format: "vtt" }, begins: "<" },
    "youtube_auto_rolling_en.vtt": {
      cues: 84,
      first_s: 1.52,
      last_s: 599.56,
      source: { format: "vtt", folded: true },
      begins: "[Music]",
    },
    "embedded_subrip.mkv": {
      cues: 2,
      first_s: 1,
      last_s: 5.024,
      source: { kind: "embedded", format: "srt" },
      begins: "Line 1",
    },
    "embedded_movtext.mp4": {
      cues: 2,
      first_s: 1,
      last_s: 5.023,
      source: { kind: "embedded", format: "srt" },
      begins: "Line 1",
    },
  };

  test.each(Object.entries(files))("%s", async (name, expected) => {
    const path = sharedFile(`media/subtitles/${name}`);
    const isVideo = /\.(mkv|mp4)$/.test(name);
    const { cues, source, skipped, refused } = isVideo
      ? await readSubtitles(await open(path), {}, job)
      : await readSubtitles(named("/nowhere/x.mp4"), { file: path }, job);
    expect(cues).toHaveLength(expected.cues);
    expect(cues[0]?.start_s).toBeCloseTo(expected.first_s, 2);
    expect(Math.max(...cues.map((cue) => cue.end_s))).toBeCloseTo(expected.last_s, 2);
    expect(cues[0]?.text.slice(0, expected.begins.length)).toBe(expected.begins);
    expect(source).toMatchObject(expected.source);
    expect([skipped, refused]).toEqual([expected.skipped ?? 0, []]);
    for (const cue of cues)
      expect(cue.text).not.toMatch(/<\/?(c|i|b|font)\b[^<]*>|\{\\|&(amp|lt|nbsp);|[\n\ufffd]/);
  });

  test("French letters are decoded from a Windows code page", async () => {
    const file = sharedFile("media/subtitles/srt_windows-1252.srt");
    const { cues } = await readSubtitles(named("/nowhere/x.mp4"), { file }, job);
    expect(cues[1]).toEqual({
      start_s: 27.074,
      end_s: 30.566,
      text: "CE FILM RELATE DES ÉVÉNEMENTS QUI ONT EXISTÉ.",
    });
  });

  test("srt_invalid.srt is refused in a sentence that names it", async () => {
    const file = sharedFile("media/subtitles/srt_invalid.srt");
    const failure = await failureOf(readSubtitles(named("/nowhere/x.mp4"), { file }, job));
    expect(failure.kind).toBe("no-subtitles");
    expect(failure.message).toBe(
      `Cannot read ${file} as srt, vtt, ass or JSON subtitles: its cues (1) are invalid.`,
    );
  });

  test("image subtitles and teletext are reported by their type", async () => {
    const images = await readSubtitles(
      await open(sharedFile("media/subtitles/embedded_vobsub_pgs.mkv")),
      {},
      job,
    );
    expect(images).toEqual({
      cues: [],
      source: null,
      skipped: 0,
      refused: [
        {
          what: "stream 1 of embedded_vobsub_pgs.mkv",
          why: "Cannot read stream 1 of embedded_vobsub_pgs.mkv (dvd_subtitle): image subtitles are not supported.",
        },
        {
          what: "stream 2 of embedded_vobsub_pgs.mkv",
          why: "Cannot read stream 2 of embedded_vobsub_pgs.mkv (hdmv_pgs_subtitle): image subtitles are not supported.",
        },
      ],
    });
    const teletext = await open(sharedFile("media/subtitles/dvb_teletext_only.ts"));
    expect((await readSubtitles(teletext, {}, job)).refused).toEqual([
      {
        what: "stream 0 of dvb_teletext_only.ts",
        why: "Cannot read stream 0 of dvb_teletext_only.ts (dvb_teletext): teletext is not supported.",
      },
    ]);
  });

  test("a lecture's file is found next to it, a film's stream inside it", async () => {
    const folder = await tempFolder();
    await copyFile(
      sharedFile("media/videos/lecture_stream_ciphers.srt"),
      join(folder, "lecture_stream_ciphers.srt"),
    );
    const lecture = await readSubtitles(named(join(folder, "lecture_stream_ciphers.mp4")), {}, job);
    expect(lecture.cues).toHaveLength(36);
    expect(lecture.cues.at(-1)?.end_s).toBe(145.52);
    const film = await readSubtitles(
      await open(sharedFile("media/videos/nasa_webb_subs.mp4")),
      {},
      job,
    );
    expect(film.cues[2]).toEqual({
      start_s: 8.35,
      end_s: 12.47,
      text: "at NASA’s Goddard Space Flight Center in Greenbelt, Maryland.",
    });
    expect(film.source).toMatchObject({
      kind: "embedded",
      name: "stream 2 of nasa_webb_subs.mp4",
      language: "en",
    });
  });
});
