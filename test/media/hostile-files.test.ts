import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { Store } from "../../src/core/contracts.ts";
import { cutClip } from "../../src/media/cut.ts";
import { decodeFrames } from "../../src/media/decode.ts";
import { inspect } from "../../src/media/probe.ts";
import { openStore } from "../../src/storage/open.ts";
import { extractStream } from "../../tools/speech/subtitles/embedded.ts";
import { GREY, hostileFilms } from "../support/hostile-matroska.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * Files that point at other files and addresses. Another film in their folder has brighter pictures, lasts longer and says a word
 * of its own, and a server writes down who asks it: nothing of either may be seen.
 */

const WORD = "canary";
const UID = Buffer.alloc(16, 2);

let server: Server;
const asked: string[] = [];
let url: string;
let folder: string;
let secret: string;
let store: Store;
let films: Record<string, Buffer>;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(WORD);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const root = await tempFolder();
  folder = join(root, "a", "b");
  await mkdir(folder, { recursive: true });
  secret = join(folder, "secret.mkv");
  store = await openStore(join(root, "store"));
  await writeFile(secret, secretFilm());
  films = hostileFilms({ file: secret, uid: UID, url });
  await writeFile(join(folder, "canary.srt"), `1\n00:00:00,000 --> 00:00:09,000\n${WORD}\n`);
  return async () => {
    await store.close();
    server.close();
  };
});

/** All names below the folder that holds the folder of the films, which `../../x` of a film leads to. */
const around = async () =>
  (await readdir(join(folder, "..", ".."), { recursive: true }))
    .filter((name) => !name.startsWith("store"))
    .sort();

/** The plain film with the id that others point at, and bright pictures. */
function secretFilm(): Buffer {
  const linked = hostileFilms({ file: "", uid: UID, url: "" });
  const film = linked["a plain film"] ?? Buffer.alloc(0);
  return Buffer.from(film.map((byte) => (byte === GREY ? 220 : byte)));
}

const NAMES = Object.keys(hostileFilms({ file: "", uid: UID, url: "" }));

test.each(NAMES)("a film with %s shows only what it holds itself", async (name) => {
  const path = join(folder, "film.mkv");
  await writeFile(path, films[name] ?? "");
  const before = await around();
  const { probe, table } = await inspect(path);
  expect(probe).toMatchObject({ duration_s: 1, video: { index: 0, width: 16, frames: 10 } });
  if (table === null) throw new Error("No frame table.");
  const look = { max_side: null, max_area: null, quality: 90 };
  const frames = await decodeFrames(path, probe, table, [0, 0.5, 0.9], look);
  expect(frames.map(({ t_s }) => t_s)).toEqual([0, 0.5, 0.9]);
  for (const { jpeg } of frames) {
    const { channels } = await sharp(jpeg).stats();
    expect(channels[0]?.max).toBeLessThan(GREY + 8);
  }
  const work = { store, run: "test" };
  for (const { index, codec } of probe.subtitles) {
    const words = await extractStream({ hash: name, path, probe }, { index, codec }, work);
    expect(words).toContain("Plain words");
    expect(words).not.toContain(WORD);
  }
  expect([asked, await around()]).toEqual([[], before]);
});

test("a clip that is cut from such a film brings no attachment along", async () => {
  const path = join(folder, "film.mkv");
  await writeFile(path, films["attached pictures that are playlists"] ?? "");
  const { probe } = await inspect(path);
  const clip = join(folder, "clip.mp4");
  await cutClip(path, probe, { from_s: 0, to_s: 0.5, max_side: null, sound: true }, clip);
  const bytes = await readFile(clip);
  for (const words of ["ffconcat", WORD, "127.0.0.1"]) expect(bytes.includes(words)).toBe(false);
  expect(asked).toEqual([]);
});

const PLAYLISTS: [string, (file: string, url: string) => string][] = [
  ["concat of a file", (file) => `ffconcat version 1.0\nfile ${file}\n`],
  ["concat of an address", (_file, at) => `ffconcat version 1.0\nfile ${at}film.mkv\n`],
  [
    "HLS of a file",
    (file) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${file}\n#EXT-X-ENDLIST\n`,
  ],
  ["HLS of an address", (_file, at) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${at}film.m3u8\n`],
  [
    "HLS with a key from an address",
    (file, at) =>
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI="${at}key"\n#EXTINF:1,\n${file}\n`,
  ],
  [
    "DASH of an address",
    (_file, at) =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${at}film.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  ],
  [
    "a session of an address",
    () =>
      "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n",
  ],
  ["a list of addresses", (_file, at) => `[playlist]\nFile1=${at}film.mkv\nNumberOfEntries=1\n`],
  [
    "an XML list",
    (_file, at) => `<asx version="3.0"><entry><ref href="${at}film.mkv"/></entry></asx>`,
  ],
  [
    "an index of subtitles",
    () =>
      "# VobSub index file, v7\nsize: 720x576\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 000000000\n",
  ],
  ["metadata of ffmpeg", (file) => `;FFMETADATA1\ntitle=${file}\n[STREAM]\n`],
  [
    "a composition of files",
    (file) =>
      `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:1</Id><Reel>${file}</Reel></CompositionPlaylist>`,
  ],
];

test.each(PLAYLISTS)("%s is no video, whatever it is called", async (_name, written) => {
  const path = join(folder, "list.mkv");
  await writeFile(path, written(secret, url));
  await expect(inspect(path)).rejects.toMatchObject({
    kind: expect.stringMatching(/^(not-media|damaged)$/),
    message: expect.stringMatching(/^[^\n]*list\.mkv[^\n]*$/),
  });
  expect(asked).toEqual([]);
});
