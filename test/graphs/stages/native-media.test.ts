import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import type { QuestionInput } from "../../../graphs/read-question.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { type Composition, compose } from "../../../src/media/compose.ts";
import { findFfmpeg } from "../../../src/media/find-ffmpeg.ts";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { agentTurns, call } from "../../support/agent-film.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { wordsOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { toneAt } from "../../support/tones.ts";

process.env.GOOGLE_API_KEY = "AIza-test-google-0123456789";

const FPS = 10;
const COLOURS = ["#c02020", "#20c020", "#2020c0"];
const GEMINI = "google-genai:scripted";
const VLLM = "openai:scripted";
const ORDER: QuestionInput = { text: "", task: "order", goal: "Paint a wall" };
const CHOICE: QuestionInput = { text: "Which colour comes last?", options: ["Red", "Blue"] };

let server: ModelServer;
let folder: string;
let store: Store;
let clips: string;
let made: Composition;
let large: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(reply);
  store = await openStore(join(folder, "store"));
  clips = join(folder, "clips.mp4");
  const size = { width: 160, height: 90, fps: FPS };
  made = await compose(
    {
      ...size,
      segments: COLOURS.flatMap((background, index) => [
        { kind: "card", text: `Clip ${index + 1}`, duration_s: 1 } as const,
        {
          kind: "picture",
          picture: { background, shapes: [] },
          duration_s: 2 + index,
          sound: { frequency: 300 * (index + 1) },
        } as const,
      ]),
    },
    clips,
  );
  const plain = join(folder, "plain.mp4");
  await compose(
    {
      ...size,
      segments: COLOURS.map((background) => ({
        kind: "picture",
        picture: { background, shapes: [] },
        duration_s: 4,
      })),
    },
    plain,
  );
  // Bytes after the last box, which readers skip: the same film, too large for a request.
  large = join(folder, "large.mp4");
  const padding = Buffer.alloc(18 * 2 ** 20);
  padding.writeUInt32BE(padding.length, 0);
  padding.write("free", 4);
  await writeFile(large, Buffer.concat([await readFile(plain), padding]));
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => {
  server.reset();
  server.answer(reply);
});

function reply(request: SeenRequest): string {
  const words = wordsOf(request);
  if (words.includes("Reply with one line a clip"))
    return "Clip 1: Red.\nClip 2: Green.\nClip 3: Blue.";
  if (/Look closely|Look only at|Describe/.test(words)) return "A wall is painted.";
  if (words.includes("Correct order:")) return "Correct order: 1, 2, 3";
  return words.includes("Event A") ? "A" : "Answer: B";
}

async function asked(
  file: string,
  about: QuestionInput,
  model: string,
  recognition: object,
  more: object = {},
) {
  const settings = {
    strategy: "rrd",
    model,
    recognition: { media: "video", ...recognition },
    runtime: { base_url: server.url },
    ...more,
  };
  const { answer } = await ask(file, about, { store, settings });
  return answer;
}

const videosOf = ({ parts }: SeenRequest) =>
  parts.flatMap((part) => (part.type === "video" ? [part] : []));
const soundsOf = ({ parts }: SeenRequest) =>
  parts.flatMap((part) => (part.type === "audio" ? [part] : []));

interface Read {
  seconds: number;
  streams: string[];
  /** Mean red, green and blue of the first and the last frame. */
  first: number[];
  last: number[];
  frames: number;
}

/** Properties of a file that reached the model, from ffprobe and ffmpeg. */
async function read(bytes: Buffer, name: string): Promise<Read> {
  const { ffmpeg, ffprobe } = await findFfmpeg();
  const path = join(folder, `read-${sha256(bytes).slice(0, 8)}-${name}`);
  await writeFile(path, bytes);
  const run = promisify(execFile);
  const { stdout } = await run(ffprobe, ["-v", "error", "-show_streams", "-of", "json", path]);
  const { streams } = JSON.parse(stdout) as { streams: { codec_type: string; duration: string }[] };
  const video = streams.find(({ codec_type }) => codec_type === "video");
  const kinds = streams.map(({ codec_type }) => codec_type).sort();
  const seconds = Number(video?.duration ?? streams[0]?.duration);
  if (video === undefined) return { seconds, streams: kinds, first: [], last: [], frames: 0 };
  const pixels = await run(
    ffmpeg,
    [
      "-v",
      "error",
      "-i",
      path,
      "-vf",
      "scale=1:1",
      "-f",
      "rawvideo",
      "-pix_fmt",
      "rgb24",
      "pipe:1",
    ],
    { encoding: "buffer" },
  );
  const colours = [...pixels.stdout];
  return {
    seconds,
    streams: kinds,
    first: colours.slice(0, 3),
    last: colours.slice(-3),
    frames: colours.length / 3,
  };
}

/** Places of the strongest channel, 0 to 2. */
const strongest = (colour: number[]) => colour.indexOf(Math.max(...colour));

test("rrd sends each clip as video, cut at the frame, without its title card", async () => {
  const answer = await asked(clips, ORDER, VLLM, { video_fps: 2 });
  expect(answer).toMatchObject({ status: "answered", answer: [1, 2, 3] });
  const described = server.chats().filter((seen) => videosOf(seen).length > 0);
  expect(described.flatMap(({ images }) => images)).toEqual([]);
  expect(described).toHaveLength(3);
  for (const seen of described) {
    expect(seen.body).toMatchObject({ media_io_kwargs: { video: { fps: 2, num_frames: -1 } } });
    const found = await read(videosOf(seen)[0]?.bytes as Buffer, "clip.mp4");
    const number = strongest(found.first);
    const { start_s, end_s } = made.segments[number * 2 + 1] as { start_s: number; end_s: number };
    // 0.2 s are removed at either end, as for frames.
    expect(found.seconds).toBeCloseTo(end_s - start_s - 0.4, 1);
    expect(found.frames).toBe(Math.round((end_s - start_s - 0.4) * FPS));
    expect(strongest(found.last)).toBe(number);
    expect(Math.max(...found.first)).toBeGreaterThan(120);
    expect(found.streams).toEqual(["audio", "video"]);
  }
  const again = server.chats().length;
  await asked(clips, ORDER, VLLM, { video_fps: 2 });
  expect(server.chats()).toHaveLength(again);
});

test("whole-video recognition sends the unchanged file", async () => {
  await asked(clips, ORDER, GEMINI, { input: "whole-video", mode: "all-at-once" });
  const [first] = server.chats();
  expect(videosOf(first as SeenRequest).map(({ bytes }) => sha256(bytes))).toEqual([
    sha256(await readFile(clips)),
  ]);
  expect(server.files.all).toEqual([]);
});

test("a large file is uploaded once to Gemini, and its parts are given by their times", async () => {
  await asked(large, CHOICE, GEMINI, { frames: 12, ocr: "off" });
  const parts = server.chats().flatMap(videosOf);
  // The parts are asked about at the same time, so their order of arrival varies.
  expect(
    parts.map(({ metadata }) => `${metadata?.startOffset} ${metadata?.endOffset}`).sort(),
  ).toEqual(["0s 4s", "4s 8s", "8s 12s"]);
  const bytes = await readFile(large);
  expect(parts.every((part) => part.bytes.equals(bytes))).toBe(true);
  expect(server.files.all).toMatchObject([{ deleted: true, mime: "video/mp4" }]);
  server.reset();
  await asked(large, CHOICE, GEMINI, { video_resolution: "low" }, { strategy: "direct" });
  const [seen] = server.chats();
  expect(videosOf(seen as SeenRequest)[0]?.bytes.equals(bytes)).toBe(true);
  expect(seen?.bytes).toBeLessThan(5000);
  expect(server.files.all.map(({ deleted }) => deleted)).toEqual([true, true]);
});

test("with --audio each clip has its sound as a separate part", async () => {
  await asked(clips, ORDER, VLLM, { media: "frames", audio: true });
  const [first] = server.chats();
  expect(first?.images.length).toBeGreaterThanOrEqual(4);
  const [sound] = soundsOf(first as SeenRequest);
  expect(sound?.mime).toBe("audio/mp3");
  const found = await read(sound?.bytes as Buffer, "sound.mp3");
  expect(found.streams).toEqual(["audio"]);
  expect(found.seconds).toBeGreaterThan(1.4);
  expect(found.seconds).toBeLessThan(3.8);
});

test("of several tracks the model hears the default one, whole or clip by clip", async () => {
  const film = join(folder, "tracks.mkv");
  await runFfmpeg([
    ...["-i", clips, "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-f", "lavfi"],
    ...[
      "-i",
      "aevalsrc='0.5*sin(2*PI*t*800)':s=16000",
      "-map",
      "0:v",
      "-map",
      "1:a",
      "-map",
      "2:a",
    ],
    ...["-disposition:a:0", "0", "-disposition:a:1", "default", "-c:v", "copy", "-c:a", "flac"],
    ...["-shortest", "-y", film],
  ]);
  const media = { media: "frames", audio: true };
  await asked(film, CHOICE, VLLM, media, { strategy: "direct" });
  await asked(film, ORDER, VLLM, media);
  const sounds = server.chats().flatMap((seen) => soundsOf(seen));
  expect(new Set(sounds.map(({ mime }) => mime))).toEqual(new Set(["audio/wav", "audio/mp3"]));
  for (const { bytes } of sounds) {
    const { stdout } = await runFfmpeg(
      ["-i", "pipe:0", "-ac", "1", "-ar", "16000", "-f", "s16le", "pipe:1"],
      { stdin: bytes },
    );
    expect(toneAt(new Int16Array(Uint8Array.from(stdout).buffer), 1)).toBe(800);
  }
});

test("sound that is too long for a WAV is sent as MP3, completely", async () => {
  const talk = join(folder, "talk.mkv");
  await runFfmpeg([
    ...["-f", "lavfi", "-i", "sine=sample_rate=8000:duration=700", "-c:a", "pcm_u8", "-y", talk],
  ]);
  const settings = {
    strategy: "direct",
    model: VLLM,
    recognition: { media: "video", audio: true },
    runtime: { base_url: server.url },
  };
  const film = join(folder, "film.mkv");
  await runFfmpeg([
    ...["-f", "lavfi", "-i", "color=s=64x48:r=1:d=700", "-i", talk, "-c:v", "libx264"],
    ...["-preset", "ultrafast", "-c:a", "copy", "-y", film],
  ]);
  await ask(film, CHOICE, { store, settings });
  const [sound] = soundsOf(server.chats()[0] as SeenRequest);
  expect(sound?.mime).toBe("audio/mp3");
  expect(sound?.bytes.length).toBeLessThan(6 * 2 ** 20);
  expect((await read(sound?.bytes as Buffer, "talk.mp3")).seconds).toBeCloseTo(700, -1);
});

test("a container that Gemini does not accept is refused with the command that converts it", async () => {
  const film = join(folder, "odd.mkv");
  await writeFile(film, await readFile(clips));
  const answer = await asked(film, CHOICE, GEMINI, {}, { strategy: "direct" });
  expect(answer).toMatchObject({
    status: "error",
    error: { kind: "media-limit", message: expect.stringContaining("ffmpeg -i odd.mkv -c copy") },
  });
  expect(server.requests).toEqual([]);
});

test("an agent that looks at a part gets the clip, and cites moments of it", async () => {
  server.answer(
    agentTurns([
      call("view_clip", { from_s: 3, to_s: 6 }),
      ({ toolResults }) => {
        const said = toolResults.map((result) => result.text).join("\n");
        const [, name] = /can name as evidence: \[(E\d+)\]/.exec(said) ?? [];
        return call("answer", { answer: "A", evidence: [name], confidence: 0.9 });
      },
    ]),
  );
  const answer = await asked(
    clips,
    CHOICE,
    VLLM,
    { video_fps: 1 },
    { strategy: "agent", search: { verify: false } },
  );
  const [first, second] = server.chats();
  const names = first?.tools.map(({ name }) => name);
  expect(names).toContain("view_clip");
  expect(names).not.toContain("view_frames");
  const [video] = videosOf(second as SeenRequest);
  expect((await read(video?.bytes as Buffer, "look.mp4")).seconds).toBeCloseTo(3, 1);
  expect(second?.body).toMatchObject({ mm_processor_kwargs: { fps: 1 } });
  expect(wordsOf(second as SeenRequest)).toContain("Clip from 3 s (00:03) to 6 s (00:06):");
  expect(answer).toMatchObject({ status: "answered", answer: "A" });
  expect(answer.cites).toHaveLength(1);
});

test("a provider that accepts no video is reported before anything is read", async () => {
  const settings = { strategy: "rrd", model: "openai:gpt-4o", recognition: { media: "video" } };
  process.env.OPENAI_API_KEY = "sk-test-openai-0123456789";
  await expect(ask("missing.mp4", CHOICE, { store, settings })).rejects.toMatchObject({
    kind: "wrong-setting",
    message: expect.stringMatching(/--media video.*openai:gpt-4o.*--media frames/),
  });
});
