import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../../src/core/errors.ts";
import type { CallRecord, Emit } from "../../../src/core/events.ts";
import type { JobContext } from "../../../src/core/job-context.ts";
import { everyFrameArgs, runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import type { HeardSpeech } from "../../../tools/speech/hear-speech.ts";
import { transcribe } from "../../../tools/speech/transcribe.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import {
  soundOf,
  type ToneWord,
  toneSamples,
  toneServer,
  toneWords,
  writeToneFilm,
} from "../../support/tone-speech.ts";

const DURATION_S = 200;
const SHORT_S = 45;

let server: ModelServer;
let job: JobContext;
let video: Video;
let words: ToneWord[];
/** The beginning of the film. */
let short: Video;
let shortWords: string[];
/** Another name for the same server, since a client remembers the formats that a server refuses. */
let fresh = 0;

beforeAll(async () => {
  server = await startModelServer(() => "");
  const folder = await tempFolder();
  job = { store: await openStore(join(folder, "store")), run: "test" };
  words = toneWords(DURATION_S, "unit");
  const film = join(folder, "film.mkv");
  await writeToneFilm(film, toneSamples(words, DURATION_S), false);
  video = await openVideo(film, job);
  const beginning = words.filter(({ start_s }) => start_s < SHORT_S - 1);
  shortWords = beginning.map(({ text }) => text);
  const shortFilm = join(folder, "short.mkv");
  await writeToneFilm(shortFilm, toneSamples(beginning, SHORT_S), false);
  short = await openVideo(shortFilm, job);
});

beforeEach(() => server.reset());

afterAll(async () => {
  await server.close();
  await job.store.close();
});

/** A call as it is recorded, with the time of its end, in milliseconds. */
type Recorded = CallRecord & { at: number };

/** The most calls that the model worked on at once, by their record. */
function mostAtOnce(calls: readonly Recorded[]): number {
  const from = ({ at, model_s }: Recorded) => at - 1000 * (model_s ?? 0);
  return Math.max(
    ...calls.map(
      (one) => calls.filter((other) => from(other) <= from(one) && from(one) < other.at).length,
    ),
  );
}

/** Transcribes the film and records the calls. */
async function hear(
  given: { recognition?: object; budget?: object; heard?: Video; same?: boolean } = {},
): Promise<HeardSpeech & { calls: Recorded[] }> {
  if (!given.same) fresh++;
  const calls: Recorded[] = [];
  const emit: Emit = (_stage, body) => {
    if (body.type === "call") calls.push({ ...body.call, at: Date.now() });
  };
  const settings = {
    recognition: { transcriber: "openai:whisper-1", ...given.recognition },
    runtime: { transcriber_url: server.url.replace("/v1", `/${fresh}/v1`) },
    ...(given.budget === undefined ? {} : { budget: given.budget }),
  };
  const heard = await transcribe(given.heard ?? video, settings, job, emit);
  return { ...heard, calls };
}

/** Words with the times of their segments, or their own. */
function heardWords({ segments }: HeardSpeech): ToneWord[] {
  return segments.flatMap(({ text, start_s, words }) =>
    words === undefined
      ? text
          .split(" ")
          .map((word, at) => ({ text: word, start_s: at === 0 ? start_s : Number.NaN }))
      : words.map((word) => ({ text: word.text, start_s: word.start_s })),
  );
}

test("hears every word at its second, sends no silence, and several parts at once", async () => {
  const transcribeTones = toneServer("words");
  const third = Promise.withResolvers<void>();
  server.answer(async (request) => {
    // The first part is sent alone; the second waits for the third, as a slow server would let it.
    if (server.requests.length === 2) await Promise.race([third.promise, sleep(20_000)]);
    if (server.requests.length > 2) third.resolve();
    return transcribeTones(request);
  });
  const heard = await hear();
  const found = heardWords(heard);
  expect(found.map(({ text }) => text)).toEqual(words.map(({ text }) => text));
  for (const [at, { start_s }] of found.entries())
    expect(Math.abs(start_s - (words[at]?.start_s ?? 0))).toBeLessThan(0.05);
  for (const { start_s, end_s, confidence } of heard.segments) {
    expect(end_s - start_s).toBeLessThan(30);
    expect(confidence).toBeCloseTo(Math.exp(-0.2), 3);
  }
  const sounds = server.requests.map(soundOf);
  for (const { silent_s, seconds } of sounds) {
    expect(silent_s).toBeLessThan(1.1);
    expect(seconds).toBeLessThanOrEqual(60);
  }
  const sent_s = sounds.reduce((sum, { seconds }) => sum + seconds, 0);
  expect(sent_s).toBeCloseTo(heard.sound_s, 1);
  expect(sent_s).toBeLessThan(0.9 * DURATION_S);
  expect(server.maxInFlight()).toBeGreaterThan(1);
  expect(mostAtOnce(heard.calls)).toBeGreaterThan(1);
  expect(heard.calls).toHaveLength(server.requests.length);
  const cost = heard.calls.reduce((sum, { usage }) => sum + (usage.paid ?? 0), 0);
  expect(cost).toBeCloseTo((0.006 * sent_s) / 60, 5);
  expect(await hear({ same: true })).toMatchObject({ segments: heard.segments });
  expect(server.requests).toHaveLength(sounds.length);
});

test("of several tracks the default one is heard, and sound before the first key frame too", async () => {
  const folder = await tempFolder();
  const tracks = join(folder, "tracks.mkv");
  const late = join(folder, "late.flv");
  const silence = ["-f", "lavfi", "-t", String(SHORT_S), "-i", "anullsrc=r=16000:cl=mono"];
  const picture = ["-f", "lavfi", "-t", "9", "-i", "color=c=navy:s=64x36:r=5"];
  await runFfmpeg([
    ...[...silence, "-i", short.path, "-map", "0:a", "-map", "1:a", "-c:a", "flac"],
    ...["-disposition:a:0", "0", "-disposition:a:1", "default", tracks],
  ]);
  await runFfmpeg([
    ...["-itsoffset", "4", ...picture, "-i", short.path, "-map", "0:v", "-map", "1:a"],
    ...["-c:v", "flv1", "-c:a", "pcm_s16le", "-ar", "44100", ...(await everyFrameArgs()), late],
  ]);
  server.answer(toneServer("words"));
  for (const path of [tracks, late]) {
    const heard = heardWords(await hear({ heard: await openVideo(path, job) }));
    expect(heard.map(({ text }) => text)).toEqual(shortWords);
  }
});

test("segments without words keep their times across silence that was left out", async () => {
  server.answer(toneServer("segments"));
  const found = heardWords(await hear());
  expect(found.map(({ text }) => text)).toEqual(words.map(({ text }) => text));
  const timed = found.flatMap(({ start_s }, at) =>
    Number.isNaN(start_s) ? [] : Math.abs(start_s - (words[at]?.start_s ?? 0)),
  );
  expect(timed.length).toBeGreaterThan(20);
  expect(Math.max(...timed)).toBeLessThan(0.05);
});

test("a server without times gets short parts, whose times are known", async () => {
  server.answer(({ format, ...request }) =>
    format === "json"
      ? toneServer("none")({ format, ...request })
      : { status: 400, text: "response_format is not supported" },
  );
  const heard = await hear({ heard: short });
  const found = heardWords(heard);
  expect(found.map(({ text }) => text)).toEqual(shortWords);
  for (const { start_s, end_s } of heard.segments) expect(end_s - start_s).toBeLessThan(17);
});

test("sound that a server refuses as too large is sent in smaller parts", async () => {
  const most = 700_000;
  server.answer(
    toneServer("words", ({ bytes }) => (bytes > most ? { status: 413, text: "too large" } : {})),
  );
  const heard = await hear({ heard: short });
  expect(heardWords(heard).map(({ text }) => text)).toEqual(shortWords);
  expect(heard.calls.every(({ error }) => error === undefined)).toBe(true);
  server.answer(() => ({ status: 413, text: "too large" }));
  const error: unknown = await hear({ heard: short }).catch((thrown: unknown) => thrown);
  expect(isFailure(error, "media-limit")).toBe(true);
  expect(String(error)).toContain("Raise the upload limit");
});

test("a limit of dollars leaves the rest unheard", async () => {
  server.answer(toneServer("words"));
  const heard = await hear({ budget: { cost: 0.009 } });
  const sent_s = server.requests.reduce((sum, request) => sum + soundOf(request).seconds, 0);
  expect((0.006 * sent_s) / 60).toBeLessThanOrEqual(0.009);
  expect(heard.segments.length).toBeGreaterThan(10);
  expect(heard.unheard_s).toBeGreaterThan(10);
  expect(heard.unheard_s + sent_s).toBeCloseTo(heard.sound_s, 1);
});

test("a model without a price is refused under a limit of dollars, and a film without sound always", async () => {
  const unpriced = hear({ recognition: { transcriber: "openai:large" }, budget: { cost: 1 } });
  await expect(unpriced).rejects.toThrow("{ minute: 0.006 }");
  const mute = { ...video, probe: { ...video.probe, audio: [] } };
  await expect(hear({ heard: mute })).rejects.toThrow("it has no audio track");
  expect(server.requests).toHaveLength(0);
});
