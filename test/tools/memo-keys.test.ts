import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { GraphContext } from "../../graphs/context.ts";
import { storeSeen } from "../../graphs/stages/recalled-evidence.ts";
import { wholeVideoFile } from "../../graphs/stages/whole-media.ts";
import type { Store } from "../../src/core/contracts.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { packFrameTable } from "../../src/media/frame-table.ts";
import { SCAN_VERSION } from "../../src/media/scan.ts";
import { packScan } from "../../src/media/scan-file.ts";
import { picturesIn } from "../../src/media/scan-pictures.ts";
import { openStore } from "../../src/storage/open.ts";
import { extractStream } from "../../tools/speech/subtitles/embedded.ts";
import { transcribe } from "../../tools/speech/transcribe.ts";
import { readText } from "../../tools/text/read-text.ts";
import { readTextAt } from "../../tools/text/read-text-at.ts";
import { textPictures } from "../../tools/text/text-pictures.ts";
import { makeSheet } from "../../tools/video/contact-sheet.ts";
import { writeDerived } from "../../tools/video/derived-files.ts";
import { sampleFrames } from "../../tools/video/frames.ts";
import { overviewSheets } from "../../tools/video/overview.ts";
import { scanVideo } from "../../tools/video/scan.ts";
import { detectShots } from "../../tools/video/shots.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import { openVideo, type Video } from "../../tools/video/video.ts";
import { zoomCrop } from "../../tools/video/zoom.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * Memo keys of everything that is recognised in a video, for a video that exists only by its hash. Users' stores hold
 * these keys: a changed value here means that their videos are read again. Raise a version (`SCAN_VERSION` and the
 * like) only where the results differ, and then pin the new value.
 */

const HASH = "11".repeat(32);
const FRAME: FrameRef = { hash: "a1".repeat(32), video: HASH, t_s: 1.5, width: 640, height: 360 };

const VIDEO: Video = {
  hash: HASH,
  path: "/nowhere/film.mp4",
  probe: {
    path: "/nowhere/film.mp4",
    size: 1000,
    container: "mov,mp4,m4a,3gp,3g2,mj2",
    origin_s: 0,
    duration_s: 4,
    claimed_duration_s: 4,
    video: {
      index: 0,
      codec: "h264",
      width: 640,
      height: 360,
      coded_width: 640,
      coded_height: 360,
      rotation: 0,
      fps: 2,
      variable: false,
      frames: 8,
      start_s: 0,
      end_s: 4,
    },
    audio: [
      {
        index: 1,
        codec: "aac",
        channels: 2,
        sample_rate: 48_000,
        language: "eng",
        start_s: 0,
        default: true,
      },
    ],
    subtitles: [
      {
        index: 2,
        codec: "subrip",
        kind: "text",
        language: "eng",
        title: null,
        default: true,
        forced: false,
        hearing_impaired: false,
      },
    ],
    cover_art: false,
    notes: [],
  },
};

/** Frame times of the video. */
const PTS_S = Float64Array.from({ length: 8 }, (_, index) => index / 2);

/** Pictures of the video as the scan keeps them: one still picture, darker at its right. */
const SCAN = {
  count: 8,
  width: 32,
  height: 18,
  pts_s: PTS_S,
  signatures: picturesIn(
    Uint8Array.from({ length: 8 * 32 * 18 }, (_, cell) => 200 - 4 * (cell % 32)),
    32 * 18,
  ),
  chroma: picturesIn(new Uint8Array(8 * 16 * 9 * 2).fill(128), 16 * 9 * 2),
};

/** Levels of four seconds of sound, and an empty transcription of them. */
const LOUD = Buffer.from(new Int8Array(80).fill(-20)).toString("base64");
const NOTHING_SAID = { segments: [], isTimed: true, silent: 0 };

/** In place of a value: the step is done, and asks for others. */
const DONE = Symbol("done");

/** Steps by name, with the value that the store holds and the key. */
const HELD: [name: string, value: unknown, key: string][] = [
  ["probe", VIDEO.probe, "638ef9509c003b071ad1915f1203696a2bea94c440fcff71b6e0c772d362c5d9"],
  ["scan", 8, "0f56f86a70d992e6ed74ae9c2caaf38c70657461d337cee55dd01e086ec9b0f4"],
  [
    "frames at even times",
    [FRAME],
    "4e0d3c73038cfa87dc9767b6cdc91230ea0da575cb79c3f68ee8e1a96fefcf37",
  ],
  [
    "frames at given times, in full size",
    [FRAME],
    "4dc2df01d7342be732fc2c6263f9655134ba1f8619ef989ec89fff1df1788a91",
  ],
  ["frames to read", [FRAME], "5a428d2b8002bfc6170dca4e66b3add9328c401e3691c712c4cb3b0f6bfed094"],
  [
    "frames of an overview",
    [FRAME],
    "e67fe2bd2a9ca25b40e46117c2a6ac521c3014e9459a10a994777437b7200683",
  ],
  ["shots", [], "d44d3fdcc229f9102a85b2e0ee3c2faf024aa26b48424dd14f476a728f1907fd"],
  [
    "title cards",
    { cards: [], clips: [], notes: [] },
    "30ede184eec52c613553454f78a7ecdfbec1d024e260a236ab377e7f1de1ecf5",
  ],
  ["text", [], "6a49940eaf5e7ffabe92bebf2dd4a9d6b67135bbe9966d2132becaed98eab213"],
  [
    "text of other languages",
    [],
    "4e7ad1cc10c4539dccb004fc84365f657f60182c6ef02b834e1dd232200bdf29",
  ],
  [
    "text that is read here",
    DONE,
    "a171cb0e9773a156a334f71a1fdb78ec24934ad68acc3cf0e70e8b5b9d4c8eaa",
  ],
  ["text of a picture", [], "32bacec1533b565e3390d7a2eeeb4382179d9a64ab47f6c55144e345704c88c2"],
  ["text at a time", [], "97dd8138e387cf3ce1e5eb16752d4284e781cfb214b6dcbb19c2592d37ee205a"],
  ["pictures with text", [], "a8b9993590c5f643f2325b6356f8d1bcd8ae5528179b54ad20243cedfa1ea24c"],
  ["a part of a frame", FRAME, "d543aed4b081de614f0b3773c6a02e005aaa1443e6653fee9cab099f81b00a25"],
  [
    "a part of a frame, to read",
    FRAME,
    "cab4f8e5bef4c711b292f98a233d21e17d6b7d65f4251e045555d58a18759b48",
  ],
  [
    "moments of an overview",
    [1.5],
    "1c541a6ed32e7cda01edcd2fe1ddee180c58609ee589a21a0466618dde1a386a",
  ],
  [
    "moments of a part, beside others",
    [1.5],
    "23b6866b8cf9c549ea8c7ead4f2ce94cdf3b192a3159c0408604f3d37d430dfd",
  ],
  ["sheet", FRAME, "8749486a8a606d89f25d66ecdab31205c8dc33edc577e6b9eef50aa8acfc921a"],
  [
    "sheet of an overview",
    FRAME,
    "973da3c99e20b1bfd8d70d140ec0fce948482203ceb06b92ec9ea746ebd77769",
  ],
  ["subtitles of a stream", "", "b4dcca91be271de0fd9307d42c43efd09e369aef4189177dc32b42fa863d5c0c"],
  ["converted subtitles", "", "96b90babf4177ae3116324acfbd0de497883d0165aa861b8bcf29db1f182ddce"],
  ["levels of the sound", LOUD, "40fef6943549957e606e37f21e566cd95a58f2dbd8bc9b3369796ed76094dd12"],
  ["speech", NOTHING_SAID, "2802873cafa5b7bfba4a283b3da63505fdb24bb00996346bf1d99ea0a3045bbd"],
  [
    "speech heard by another server",
    NOTHING_SAID,
    "d3a0e89cacaed9a0c190d2767b37117d37eb191ad166866117a590d637672fcf",
  ],
  [
    "the file itself",
    { hash: "d4".repeat(32) },
    "963d046572cbaa8f610f3e7dd8e52f12ccf2fc017caa646d8e9539c17a3f6486",
  ],
  ["captions of an index", [], "155a8c53b9079420659b58bfe98a5363ee6ca7d80067007cf31d17ababde3709"],
];

let store: Store;
let asked: string[] = [];
let job: JobContext;

beforeAll(async () => {
  const folder = await tempFolder();
  const real = await openStore(join(folder, "store"));
  const held = new Map(HELD.map(([name, value, key]) => [key, { name, value }]));
  store = {
    ...real,
    memo: {
      ...real.memo,
      async once(step, done) {
        const found = held.get(step.key);
        asked.push(found?.name ?? step.key);
        if (found !== undefined && found.value !== DONE)
          return { value: found.value as never, cached: true };
        return real.memo.once(step, done);
      },
    },
  };
  job = { store, run: "run" };
  const table = {
    pts_s: PTS_S,
    end_s: 4,
    keys_s: Float64Array.of(0),
    reference: new Uint8Array(8),
    seekable: true,
  };
  await writeDerived(job.store, HASH, "frames-1.bin", packFrameTable(table));
  await writeDerived(job.store, HASH, `scan-${SCAN_VERSION}.bin`, packScan(SCAN));

  // The version of ffmpeg is part of the key of title cards.
  const programs = join(folder, "programs");
  await mkdir(programs);
  for (const name of ["ffmpeg", "ffprobe"]) {
    await writeFile(join(programs, name), "#!/bin/sh\necho 'ffmpeg version 7.0-pinned'\n");
    await chmod(join(programs, name), 0o755);
  }
  vi.stubEnv("FFMPEG_PATH", programs);
  vi.stubEnv("OPENAI_API_KEY", "not-sent");
  vi.stubEnv("OPENAI_BASE_URL", "");
  return () => real.close();
});

/** Steps requested from the memo, in order; an unknown key is listed itself. */
async function steps(recognise: () => Promise<unknown>): Promise<string[]> {
  asked = [];
  // A step with a changed key really runs and fails without a file; its key says more than the failure.
  await Promise.allSettled([recognise()]);
  return asked;
}

const SIZE = { max_side: 768, max_area: null, quality: 85 };
const LEVELS = "levels of the sound";
const SPEECH = { recognition: { transcriber: "openai:whisper-1" } };

test.each<[string, () => Promise<unknown>, string[]]>([
  ["the scan", () => scanVideo(VIDEO, job), ["scan"]],
  [
    "frames at even times",
    () => sampleFrames(VIDEO, { sampler: "ends", n: 4, ...SIZE }, job),
    ["frames at even times"],
  ],
  [
    "frames at given times",
    () =>
      sampleFrames(
        VIDEO,
        { sampler: "times", times_s: [0.6, 2], max_side: null, max_area: 100_000, quality: 92 },
        job,
      ),
    ["frames at given times, in full size"],
  ],
  ["shots", () => detectShots(VIDEO, job), ["shots"]],
  ["title cards", () => findTitleCards(VIDEO, job), ["title cards"]],
  ["text", () => readText(VIDEO, {}, job), ["text"]],
  [
    "text of other languages",
    () => readText(VIDEO, { languages: ["eng", "deu"], max_side: null, min_confidence: 0.5 }, job),
    ["text of other languages"],
  ],
  [
    "text that is read here",
    () => readText(VIDEO, { max_side: 1280, min_confidence: 0.6 }, job),
    ["text that is read here", "scan", "frames to read", "text of a picture"],
  ],
  [
    "pictures with text",
    () => textPictures(VIDEO, { most: 12, ...SIZE }, job),
    ["pictures with text"],
  ],
  [
    "a part of a frame",
    () => zoomCrop(VIDEO, { at_s: 1.6, box: { x: 10, y: 20, width: 300, height: 200 } }, job),
    ["a part of a frame"],
  ],
  [
    "text at a time",
    () => readTextAt(VIDEO, { at_s: 1.6 }, job),
    ["a part of a frame, to read", "text at a time"],
  ],
  [
    "an overview",
    () => overviewSheets(VIDEO, { count: 24 }, job),
    ["moments of an overview", "frames of an overview", "sheet of an overview"],
  ],
  [
    "an overview of a part, beside moments shown before",
    () => overviewSheets(VIDEO, { count: 6, from_s: 1, to_s: 3, shown_s: [2] }, job),
    ["moments of a part, beside others", "frames of an overview", "sheet of an overview"],
  ],
  [
    "a sheet",
    () => makeSheet([FRAME, { ...FRAME, t_s: 2 }], { columns: 2, quality: 80 }, job),
    ["sheet"],
  ],
  [
    "subtitles of a stream",
    () => extractStream(VIDEO, { index: 2, codec: "subrip" }, job),
    ["subtitles of a stream"],
  ],
  [
    "subtitles that are converted",
    () => extractStream(VIDEO, { index: 3, codec: "mov_text" }, job),
    ["converted subtitles"],
  ],
  ["speech", () => transcribe(VIDEO, SPEECH, job), [LEVELS, LEVELS, "speech"]],
  [
    "speech heard by another server",
    () =>
      transcribe(
        VIDEO,
        { ...SPEECH, runtime: { transcriber_url: "http://127.0.0.1:8000/v1" } },
        job,
      ),
    [LEVELS, LEVELS, "speech heard by another server"],
  ],
  [
    "the file itself",
    () => wholeVideoFile({ video: VIDEO, job: () => job } as unknown as GraphContext, "answer"),
    ["the file itself"],
  ],
  [
    "captions of an index",
    () =>
      storeSeen(
        "index",
        [
          makeEvidence({
            video: HASH,
            kind: "caption",
            start_s: 0,
            end_s: 2,
            text: "A red cup.",
            by: { who: "model", name: "openai:gpt-4.1" },
            confidence: null,
            from: [],
          }),
        ],
        job,
      ),
    ["captions of an index"],
  ],
])("the keys of %s do not change", async (_name, recognise, expected) => {
  expect(await steps(recognise)).toEqual(expected);
});

test("the key of a probe does not change", async () => {
  const path = join(await tempFolder(), "film.mp4");
  await writeFile(path, "not read, since its hash is known");
  const { size, mtimeMs } = await stat(path);
  await store.catalogue.putVideo({ hash: HASH, path, size, modified_ms: Math.trunc(mtimeMs) });
  expect(await steps(() => openVideo(path, job))).toEqual(["probe"]);
});
