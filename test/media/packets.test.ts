import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Header } from "../../src/media/container-header.ts";
import { readHeaderAndPackets } from "../../src/media/header-and-packets.ts";
import { createNumberList, medianOf, sortUnique } from "../../src/media/number-list.ts";
import { collectPackets } from "../../src/media/packets.ts";
import { inspect } from "../../src/media/probe.ts";
import { runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { makeClip } from "../support/clips.ts";
import { scanCodes } from "../support/codes.ts";
import { isRecentFfmpeg } from "../support/ffmpeg-build.ts";
import { writePacketBomb } from "../support/packet-bomb.ts";
import { tempFolder } from "../support/temp.ts";

/** What `work` gives, and how many times other work could run meanwhile: a count that no busy machine changes. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let ended = false;
  const count = () => {
    turns++;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  ended = true;
  return { result, turns };
}

test.each(["video", "audio"] as const)(
  "a file of one-byte packets of %s is refused once it has more than the limit, and read below it",
  async (kind) => {
    const path = await writePacketBomb(join(await tempFolder(), "bomb.mkv"), kind, 40_000);
    await expect(inspect(path, { maxPackets: 20_000 })).rejects.toMatchObject({
      kind: "media-limit",
      message:
        "bomb.mkv has more than 20000 packets, which is too many to read: convert it with ffmpeg, or split it.",
      facts: { max_packets: 20_000 },
    });
    const { probe, table } = await inspect(path, { maxPackets: 40_000 });
    expect(probe.duration_s).toBeCloseTo(40, 2);
    expect(table?.pts_s.length).toBe(kind === "video" ? 40_000 : undefined);
  },
);

test("a file whose packets take too long to read is given up at its time, with one sentence", async () => {
  const path = await writePacketBomb(join(await tempFolder(), "bomb.mkv"), "video", 300_000);
  const began = performance.now();
  await expect(inspect(path, { timeout_s: 0.3 })).rejects.toMatchObject({
    kind: "media-limit",
    message: "Stopped reading bomb.mkv: it took longer than 0.3 s.",
  });
  expect(performance.now() - began).toBeLessThan(10_000);
});

test.runIf(isRecentFfmpeg)(
  "a small file, which one process reads, has the same header and packets as a long one",
  async () => {
    const path = await makeClip(await tempFolder(), "film.ts", { frames: 50, rate: 25 });
    const [small, long] = await Promise.all(
      [0, Number.POSITIVE_INFINITY].map((size) => readHeaderAndPackets(path, size, {})),
    );
    expect(small?.packets.table?.pts_s).toHaveLength(50);
    expect(small).toEqual(long);
  },
);

const LINES_A_CHUNK = 3000;

test("a table of a million frames out of order is made without holding up the event loop", async () => {
  const frames = 1_000_000;
  const header = Header.parse({
    streams: [{ index: 0, codec_type: "video", codec_name: "h264", time_base: "1/1000" }],
    format: { format_name: "matroska,webm" },
  });
  const packets = collectPackets(header, header.streams[0]);
  // A step that shares no factor with the count reaches every time once, far from its neighbours.
  const step = 618_033;
  for (let first = 0; first < frames; first += LINES_A_CHUNK) {
    let lines = "";
    for (let i = first; i < Math.min(frames, first + LINES_A_CHUNK); i++)
      lines += `0,${(i * step) % frames},N/A,N/A,K_\n`;
    packets.take(Buffer.from(lines));
  }
  const { result, turns } = await turnsDuring(() => packets.finish());
  expect(turns).toBeGreaterThan(100);
  const { table, count } = result;
  expect(count).toBe(frames);
  expect(table?.pts_s.length).toBe(frames);
  expect(table?.keys_s.length).toBe(frames);
  expect(table?.pts_s.every((time, i) => time === i / 1000)).toBe(true);
  expect(table?.end_s).toBeCloseTo(1000, 6);
});

test("long lists sort, drop what is there twice and find the median as plain arrays do", async () => {
  const blocks = fc.record({
    length: fc.nat({ max: 200_000 }),
    range: fc.constantFrom(3, 1000, 1e9),
    seed: fc.nat({ max: 2 ** 30 }),
    sorted: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(blocks, async ({ length, range, seed, sorted }) => {
      const values = Array.from(
        { length },
        (_, i) => (((i + seed) * 48_271) % 2_147_483_647) % range,
      );
      if (sorted) values.sort((a, b) => a - b);
      const list = createNumberList();
      for (const value of values) list.push(value);
      expect(list.toArray()).toEqual(Float64Array.from(values));
      const plain = Float64Array.from(values).sort();
      expect(await sortUnique(list)).toEqual(Float64Array.from(new Set(plain)));
      expect(await medianOf(Float64Array.from(values))).toBe(plain[plain.length >> 1] ?? 0);
    }),
    { numRuns: 12 },
  );
});

test.runIf(isRecentFfmpeg)(
  "a recording whose clock begins again says so, and its copy has all frames",
  async () => {
    const folder = await tempFolder();
    const once = await makeClip(folder, "once.ts", { frames: 50, rate: 25 });
    expect((await inspect(once)).probe.notes).toEqual([]);
    const joined = join(folder, "joined.ts");
    await writeFile(joined, Buffer.concat(Array(3).fill(await readFile(once))));
    const { probe } = await inspect(joined);
    expect(probe.video?.frames).toBe(50);
    expect(probe.notes).toEqual([
      "The clock of the file begins again 2 times, as in joined recordings: of pictures and sounds with the same time, only the first are used. To use all, convert it with `ffmpeg -fflags +genpts -i joined.ts -c copy joined.ts.mkv`.",
    ]);
    const copy = `${joined}.mkv`;
    await runFfmpeg(["-fflags", "+genpts", "-i", joined, "-c", "copy", copy]);
    const { probe: copied } = await inspect(copy);
    expect(copied.video?.frames).toBe(150);
    expect(copied.notes).toEqual([]);
  },
);

test("only decoding times of pictures that go back by more than a second are a clock that begins again", async () => {
  const header = Header.parse({
    streams: [
      { index: 0, codec_type: "video", codec_name: "h264", time_base: "1/10" },
      { index: 1, codec_type: "subtitle", codec_name: "subrip", time_base: "1/10" },
    ],
    format: { format_name: "mpegts" },
  });
  const restartsOf = async (
    ...times: [stream: number, pts: number, dts: number, flags?: string][]
  ) => {
    const packets = collectPackets(header, header.streams[0]);
    for (const [stream, pts, dts, flags = "__"] of times)
      packets.add({ stream, pts, dts, duration: 1, flags });
    return (await packets.finish()).restarts;
  };
  expect(await restartsOf([0, 0, 0], [0, 100, 100], [0, 0, 0], [0, 50, 50], [0, 0, 0])).toBe(2);
  // Reordered pictures, cues, pictures without a time of decoding, an edit list, and jitter.
  expect(await restartsOf([0, 40, 0], [0, 1, 1], [0, 2, 2], [0, 80, 3], [0, 41, 4])).toBe(0);
  expect(await restartsOf([0, 90, 90], [1, 0, 0], [1, 50, 50], [1, 20, 20], [0, 91, 91])).toBe(0);
  expect(await restartsOf([0, 90, 90], [0, 20, Number.NaN], [0, 91, 91])).toBe(0);
  expect(await restartsOf([0, 90, 90], [0, 0, 0, "_D"], [0, 91, 91])).toBe(0);
  expect(await restartsOf([0, 90, 90], [0, 81, 81], [0, 92, 92])).toBe(0);
});

test("a bare H.264 stream has no times, and its failure tells how to give it some", async () => {
  const folder = await tempFolder();
  const film = await makeClip(folder, "film.mp4", { frames: 50, rate: 25 });
  const bare = join(folder, "bare.h264");
  await runFfmpeg(["-i", film, "-c", "copy", "-f", "h264", "-y", bare]);
  await expect(inspect(bare)).rejects.toMatchObject({
    kind: "not-media",
    message:
      "bare.h264 has no times of its frames, as it is a bare h264 stream: convert it and give its frame rate, for example with `ffmpeg -framerate 25 -i bare.h264 bare.h264.mp4`.",
  });
  const converted = join(folder, "bare.h264.mp4");
  await runFfmpeg(["-framerate", "25", "-i", bare, "-y", converted]);
  expect(await scanCodes(converted)).toEqual(Array.from({ length: 50 }, (_, i) => i));
});

test("an animated PNG is a video", async () => {
  const path = join(await tempFolder(), "moving.apng");
  await makeClip(join(path, ".."), "moving.apng", { frames: 12, rate: 10, encode: ["-f", "apng"] });
  const { probe, table } = await inspect(path);
  expect(probe.video).toMatchObject({ codec: "apng", frames: 12, fps: 10 });
  expect(probe.duration_s).toBeCloseTo(1.2, 3);
  expect(await scanCodes(path)).toEqual(Array.from({ length: 12 }, (_, i) => i));
  expect(table?.pts_s[11]).toBeCloseTo(1.1, 3);
});
