import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { decodeFrames } from "../../src/media/decode.ts";
import { inspect } from "../../src/media/probe.ts";
import { readSound } from "../../src/media/read-sound.ts";
import { element, number, text } from "../support/matroska.ts";
import { tempFolder } from "../support/temp.ts";

/* Small files that would expand enormously: each ends immediately, or at a limit that the message names. */

const TEN_HOURS_MS = 36_000_000;
const LOOK = { max_side: 64, max_area: null, quality: 80 };

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});

interface Film {
  /** Pixels of a side of the picture, as the header has it. */
  side: number;
  /** Times of the blocks in milliseconds, and their content. */
  blocks: [at_ms: number, data: Uint8Array][];
  /** Further elements of the track. */
  more?: Uint8Array[];
}

/** A Matroska file of raw grey pictures. */
async function writeFilm(name: string, { side, blocks, more = [] }: Film): Promise<string> {
  const picture = element(
    [0xe0],
    element([0xb0], number(side, 4)),
    element([0xba], number(side, 4)),
    element([0x2e, 0xb5, 0x24], text("Y800")),
  );
  const codec = element([0x86], text("V_UNCOMPRESSED"));
  return write(name, [element([0x83], number(1)), codec, picture, ...more], blocks);
}

async function write(name: string, track: Uint8Array[], blocks: Film["blocks"]): Promise<string> {
  const path = join(folder, name);
  const clusters = blocks.map(([at_ms, data]) =>
    element(
      [0x1f, 0x43, 0xb6, 0x75],
      element([0xe7], number(at_ms, 5)),
      element([0xa3], Buffer.of(0x81, 0, 0, 0x80), data),
    ),
  );
  const scale = element([0x2a, 0xd7, 0xb1], number(1_000_000, 3));
  const entry = element(
    [0xae],
    element([0xd7], number(1)),
    element([0x73, 0xc5], number(1)),
    ...track,
  );
  await writeFile(
    path,
    Buffer.concat([
      element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text("matroska"))),
      Buffer.of(0x18, 0x53, 0x80, 0x67, 0x01, ...Array(7).fill(0xff)),
      element([0x15, 0x49, 0xa9, 0x66], scale),
      element([0x16, 0x54, 0xae, 0x6b], entry),
      ...clusters,
    ]),
  );
  return path;
}

test.each([20_000, 60_000, 1_000_000])(
  "a picture that claims %i pixels a side counts as none",
  async (side) => {
    const path = await writeFilm("large.mkv", { side, blocks: [[0, Buffer.alloc(100)]] });
    expect(await inspect(path)).toMatchObject({ probe: { video: null }, table: null });
  },
);

test("pictures hours apart are two pictures, without any between them", async () => {
  const grey = (value: number) => Buffer.alloc(16 * 16, value);
  const path = await writeFilm("apart.mkv", {
    side: 16,
    blocks: [
      [0, grey(30)],
      [TEN_HOURS_MS, grey(200)],
    ],
  });
  const { probe, table } = await inspect(path);
  expect(probe).toMatchObject({ video: { frames: 2 } });
  expect(probe.duration_s).toBeGreaterThanOrEqual(TEN_HOURS_MS / 1000);
  if (table === null) throw new Error("No frame table.");
  const frames = await decodeFrames(path, probe, table, [0, TEN_HOURS_MS / 1000], LOOK);
  expect(frames.map(({ t_s }) => t_s)).toEqual([0, TEN_HOURS_MS / 1000]);
});

test("a hole of hours in the sound is not filled with a gigabyte of silence", async () => {
  const audio = [
    element([0x83], number(2)),
    element([0x86], text("A_PCM/INT/LIT")),
    element([0xe1], element([0x9f], number(1)), element([0x62, 0x64], number(8))),
  ];
  const noise = Buffer.alloc(800, 100);
  const path = await write("hole.mkv", audio, [
    [0, noise],
    [TEN_HOURS_MS, noise],
  ]);
  const { probe } = await inspect(path);
  const piece = { stream: 0, from_s: 0, to_s: probe.duration_s };
  await expect(readSound(path, probe, piece)).rejects.toMatchObject({
    kind: "media-limit",
    message: expect.stringMatching(/^Stopped reading hole\.mkv: it gave more than \d+ bytes\.$/),
  });
  const { seconds } = await readSound(path, probe, { ...piece, to_s: 10 });
  expect(seconds).toBeLessThanOrEqual(10);
});

test("blocks that unpack to a thousand times their size are left out", async () => {
  const packed = deflateSync(Buffer.alloc(2 ** 26));
  const zlib = element(
    [0x6d, 0x80],
    element([0x62, 0x40], element([0x50, 0x34], element([0x42, 0x54], number(0)))),
  );
  const picture = deflateSync(Buffer.alloc(16 * 16, 30));
  const path = await writeFilm("packed.mkv", {
    side: 16,
    blocks: [0, 1, 2, 3].map((i) => [i * 1000, i === 0 ? picture : packed]),
    more: [zlib],
  });
  const { probe, table } = await inspect(path);
  if (table === null) throw new Error("No frame table.");
  const frames = await decodeFrames(path, probe, table, [0], LOOK);
  expect(frames).toMatchObject([{ t_s: 0, width: 16, height: 16 }]);
});
