import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../../src/core/errors.ts";
import { hashFile } from "../../../src/core/hash.ts";
import type { JobContext } from "../../../src/core/job-context.ts";
import { findFfmpeg } from "../../../src/media/find-ffmpeg.ts";
import { probe } from "../../../src/media/probe.ts";
import { openStore } from "../../../src/storage/open.ts";
import { joinPieces, transcribe } from "../../../tools/speech/transcribe.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

let server: ModelServer;
let job: JobContext;

beforeAll(async () => {
  server = await startModelServer(() => "");
  job = { store: await openStore(join(await tempFolder(), "store")), run: "test" };
});

beforeEach(() => server.reset());

afterAll(async () => {
  await server.close();
  await job.store.close();
});

/** A tone of this many seconds, without pictures. */
async function tone(seconds: number) {
  const path = join(await tempFolder(), "tone.mkv");
  const { ffmpeg } = await findFfmpeg();
  const source = `sine=frequency=${seconds}:duration=${seconds}:sample_rate=16000`;
  await promisify(execFile)(ffmpeg, [
    "-v",
    "error",
    "-f",
    "lavfi",
    "-i",
    source,
    "-c:a",
    "flac",
    path,
  ]);
  return { hash: await hashFile(path), path, probe: await probe(path) };
}

function spec() {
  return { model: "openai:whisper-1", base_url: server.url, timeout_s: 30, connections: 2 };
}

/** Seconds of sound in a 16 kHz mono WAV of 16 bits. */
function secondsOf(wav: Uint8Array | undefined): number {
  return ((wav?.length ?? 0) - 44) / 32_000;
}

test("a long sound goes to the server in pieces, whose words come back in order and once", async () => {
  const video = await tone(310);
  server.answer(({ audios }) =>
    secondsOf(audios[0]) > 100
      ? {
          text: "",
          segments: [
            { start: 10, end: 20, text: "early" },
            { start: 298, end: 303, text: "on the border" },
          ],
        }
      : {
          text: "",
          segments: [
            { start: 0, end: 3, text: "the border" },
            { start: 4, end: 9, text: "late" },
          ],
        },
  );
  const cues = await transcribe(video, spec(), job);
  expect(cues).toEqual([
    { start_s: 10, end_s: 20, text: "early" },
    { start_s: 298, end_s: 303, text: "on the border" },
    { start_s: 304, end_s: 309, text: "late" },
  ]);
  const lengths = server.requests.map(({ audios }) => secondsOf(audios[0])).sort((a, b) => a - b);
  expect(lengths).toHaveLength(2);
  expect(lengths[0]).toBeCloseTo(10, 1);
  expect(lengths[1]).toBeCloseTo(305, 1);
  expect(await transcribe(video, spec(), job)).toEqual(cues);
  expect(server.requests).toHaveLength(2);
});

test("another model is asked again, a video without sound is refused", async () => {
  const video = await tone(3);
  server.answer(() => ({ text: "hum" }));
  expect(await transcribe(video, spec(), job)).toMatchObject([{ start_s: 0, text: "hum" }]);
  await transcribe(video, { ...spec(), model: "openai:whisper-large" }, job);
  expect(server.requests.map(({ model }) => model)).toEqual(["whisper-1", "whisper-large"]);
  const silent = { ...video, probe: { ...video.probe, audio: [] } };
  const error: unknown = await transcribe(silent, spec(), job).catch((thrown: unknown) => thrown);
  expect(isFailure(error, "no-audio")).toBe(true);
});

test("what two pieces heard is told once", () => {
  const said = (start_s: number, end_s: number, text: string) => ({
    ...{ start_s, end_s, text },
    ...{ confidence: null, speaker: null },
  });
  const pieces = [
    {
      from_s: 0,
      to_s: 305,
      said: [said(290, 299, "a"), said(299, 302, "b"), said(302, 305, "cut o")],
    },
    { from_s: 300, to_s: 400, said: [said(0, 2, "b"), said(2, 7, "cut off not"), said(7, 9, "d")] },
  ];
  expect(joinPieces(pieces).map(({ text }) => text)).toEqual(["a", "b", "cut off not", "d"]);
});
