import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { indexVideo } from "../../../graphs/index-video.ts";
import { findProgram } from "../../../src/core/program.ts";
import { findFfmpeg } from "../../../src/media/find-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { tempFolder } from "../../support/temp.ts";

/* A real synthesiser speaks, and a real recogniser listens through the example in `examples/`. */

const run = promisify(execFile);
const EXAMPLES = join(import.meta.dirname, "../../../examples");
const RATE = 22_050;
const NOISE = 100;
/** The grammar's 20 words, each twice, in an order of their own. */
const SPOKEN = [
  "hospital window million river",
  "seventeen butter saturday square",
  "elephant purple triangle garden",
  "november mountain computer sugar",
  "circle telephone water yellow",
  "garden million elephant november",
  "square sugar hospital triangle",
  "yellow river telephone butter",
  "window saturday purple mountain",
  "computer circle seventeen water",
].map((group) => group.split(" "));
const isInstalled = ["espeak-ng", "pocketsphinx_continuous"].every(
  (name) => findProgram(name) !== null,
);

/** A film of one colour, in which each word begins at a known time. */
async function makeFilm(folder: string) {
  const words = new Map<string, Buffer>();
  for (const word of new Set(SPOKEN.flat())) {
    const options = ["-v", "en-us", "-s", "140", "--stdout", word];
    const { stdout } = await run("espeak-ng", options, { encoding: "buffer", maxBuffer: 2 ** 24 });
    words.set(word, stdout.subarray(44));
  }
  const parts: Buffer[] = [];
  const times: { word: string; at_s: number }[] = [];
  let bytes = 0;
  const add = (part: Buffer) => {
    parts.push(part);
    bytes += part.length;
  };
  const pause = (seconds: number) => add(Buffer.alloc(Math.round(seconds * RATE) * 2));
  for (const group of SPOKEN) {
    pause(1);
    for (const word of group) {
      times.push({ word, at_s: bytes / 2 / RATE });
      add(words.get(word) as Buffer);
      pause(0.3);
    }
  }
  pause(1);
  const sound = new Int16Array(new Uint8Array(Buffer.concat(parts)).buffer);
  // A faint hiss: recognisers are made for rooms.
  let seed = 1;
  for (const index of sound.keys()) {
    seed = (seed * 48_271) % 2_147_483_647;
    sound[index] = Math.max(
      -32_768,
      Math.min(32_767, (sound[index] ?? 0) + (seed % NOISE) - NOISE / 2),
    );
  }
  const raw = join(folder, "sound.raw");
  await writeFile(raw, sound);
  const film = join(folder, "film.mp4");
  const { ffmpeg } = await findFfmpeg();
  const length = (bytes / 2 / RATE).toFixed(2);
  await run(ffmpeg, [
    ...["-v", "error", "-f", "s16le", "-ar", String(RATE), "-ac", "1", "-i", raw],
    ...["-f", "lavfi", "-i", `color=c=white:s=64x48:r=2:d=${length}`, "-c:a", "aac", film],
  ]);
  return { film, times };
}

test.skipIf(!isInstalled && !process.env.CI)(
  "spoken words of a film without subtitles become evidence at the right second",
  async () => {
    const folder = await tempFolder();
    const { film, times } = await makeFilm(folder);
    const grammar = join(EXAMPLES, "pocketsphinx.jsgf");
    const job = { store: await openStore(join(folder, "store")), run: "test" };
    const transcriber = `command:node ${join(EXAMPLES, "pocketsphinx.ts")} {audio} ${grammar}`;
    const recognition = { transcriber, ocr: "off" } as const;
    const { items } = await indexVideo(await openVideo(film, job), { recognition }, job);
    await job.store.close();

    const speech = items.filter(({ kind }) => kind === "speech");
    expect(speech[0]).toMatchObject({ by: { who: "tool", name: "node" } });
    type Word = { start_s: number; text: string };
    const heard = speech.flatMap(({ data }) => (data?.words ?? []) as Word[]);
    const right = times.filter(({ word, at_s }) =>
      heard.some(({ start_s, text }) => text === word && Math.abs(start_s - at_s) <= 0.5),
    );
    const report = `${right.length} of ${times.length} words right, ${heard.length} heard`;
    console.log(report);
    expect(right.length, report).toBeGreaterThanOrEqual(34);
    expect(heard.length, report).toBeLessThanOrEqual(times.length + 6);
  },
);
