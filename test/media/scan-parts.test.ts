import { openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inspect } from "../../src/media/probe.ts";
import { everyFrameArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import {
  chromaAt,
  partOf,
  type Scan,
  type ScanWatch,
  scan,
  signatureAt,
} from "../../src/media/scan.ts";
import { joinParts, planParts, scanPart, WHOLE } from "../../src/media/scan-parts.ts";
import { PictureFile } from "../../src/media/scan-pictures.ts";
import { tempFolder } from "../support/temp.ts";

const FRAMES = 700;
const X264 = ["-c:v", "libx264", "-preset", "ultrafast"];
const RENEWED = ["-x264-params", "intra-refresh=1:bframes=0"];
const SLOWER = [
  ...["-vf", "settb=1/1000,setpts=N*40+N*N/100", ...(await everyFrameArgs())],
  ...["-enc_time_base", "1:1000"],
];
const OPEN = ["-bf", "3", "-x264-params", "open-gop=1:scenecut=0"];

async function film(name: string, args: string[]): Promise<string> {
  const path = join(await tempFolder(), name);
  const source = `testsrc2=s=96x64:r=25,trim=end_frame=${FRAMES}`;
  await runFfmpeg(["-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p", ...args, path]);
  return path;
}

const bytesOf = (scan: Scan) =>
  Buffer.concat(
    Array.from({ length: scan.count }, (_, i) =>
      Buffer.concat([signatureAt(scan, i), chromaAt(scan, i)]),
    ),
  );

test("a picture is handed over once enough of its part is scanned, or the part has ended", async () => {
  const path = join(await tempFolder(), "long.mp4");
  const source = "testsrc2=s=640x360:r=25:d=40";
  await runFfmpeg(["-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p", ...X264, path]);
  const { probe, table } = await inspect(path);
  if (table === null) throw new Error("no table");
  const size = { max_side: 64, max_area: null, quality: 90 };
  const handed = async (after_s: number) => {
    const parts: number[][] = [];
    const onPicture = (frame: { t_s: number }, { pts_s, count }: Scan) =>
      parts.push([frame.t_s, pts_s[count - 1] ?? 0]);
    const pictures = { table, frames: [0], size, after_s, onPicture };
    // Without a table, the film is one part.
    await scan(path, probe, { pictures });
    return parts;
  };
  const [[t_s, soon_s = 0] = []] = await handed(5);
  expect(t_s).toBe(0);
  expect(soon_s).toBeGreaterThanOrEqual(5);
  expect(soon_s).toBeLessThan(35);
  expect(await handed(100)).toEqual([[0, 39.96]]);
  const onPicture = () => {
    throw new Error("not wanted");
  };
  const pictures = { table, frames: [0], size, after_s: 5, onPicture };
  await expect(scan(path, probe, { pictures })).rejects.toThrow("not wanted");
});

test.each([
  ["open groups of pictures", "b.mp4", [...X264, "-g", "48", ...OPEN], 2],
  ["pictures renewed bit by bit", "i.mp4", [...X264, "-g", "50", ...RENEWED], 2],
  ["frames that become slower", "v.mkv", [...SLOWER, "-c:v", "mpeg4", "-g", "40"], 2],
  ["one group of pictures", "one.mp4", [...X264, "-g", "9999", "-sc_threshold", "0"], 1],
])("%s: the parts of a film give what one decoder gives", async (_name, file, args, parts) => {
  const path = await film(file, args);
  const { probe, table } = await inspect(path);
  if (table === null) throw new Error("no table");
  expect(planParts(table, probe.origin_s, 2)).toHaveLength(parts);
  let done = 0;
  const progress = (frames: number) => {
    expect(frames).toBeGreaterThanOrEqual(done);
    done = frames;
  };
  const watched: { span: { from_s: number; until_s: number }; times: number[]; seen: Buffer }[] =
    [];
  const watch: ScanWatch = (span) => {
    const part = { span, times: [0], seen: Buffer.alloc(0) };
    watched.push(part);
    return (soFar) => {
      part.times = [...soFar.pts_s];
      part.seen = bytesOf(soFar);
    };
  };
  const split = await scan(path, probe, { table, progress, watch });
  const whole = await scan(path, probe);
  expect([split.count, done]).toEqual([FRAMES, FRAMES]);
  expect(split.pts_s).toEqual(whole.pts_s);
  expect(bytesOf(split).equals(bytesOf(whole))).toBe(true);
  let end_s = 0;
  // Parts that do not join are scanned in vain, and the film comes again as one.
  const again = watched.slice(1).filter(({ span }) => span.from_s === 0);
  for (const { span, times, seen } of again.length > 0 ? again : watched) {
    expect(span.from_s).toBe(end_s);
    end_s = span.until_s;
    const first = table.pts_s.indexOf(span.from_s);
    expect(times).toEqual([...whole.pts_s.slice(first, first + times.length)]);
    expect(times.length % 48).toBe(0);
    expect(bytesOf(partOf(whole, first, first + times.length)).equals(seen)).toBe(true);
    expect(span.until_s - (times.at(-1) ?? 0)).toBeLessThan((span.until_s - span.from_s) / 2);
  }
  expect(end_s).toBe(table.end_s);
});

test("a film is split at the key frame nearest to its middle, also before it", async () => {
  const path = await film("u.mp4", [...X264, "-force_key_frames", "11,21", "-g", "9999"]);
  const { probe, table } = await inspect(path);
  const parts = planParts(table ?? undefined, probe.origin_s, 2);
  expect(parts.map(({ start }) => start)).toEqual([0, 275]);
});

test("parts are joined only if their frames are those of the table, and both show the frame between them", () => {
  const pts_s = Float64Array.from({ length: 6 }, (_, i) => i);
  const part = (from: number, to: number, level = 0) => {
    const times = pts_s.slice(from, to);
    const pictures = { at: (i: number) => Uint8Array.of(from + i + level) };
    return { count: times.length, pts_s: times, pictures, stderr: "" };
  };
  expect(joinParts([part(0, 4), part(3, 6)], { pts_s })?.map(({ count }) => count)).toEqual([3, 3]);
  expect(joinParts([part(0, 4), part(3, 6, 1)], { pts_s })).toBeUndefined();
  expect(joinParts([part(0, 4), part(3, 5)], { pts_s })).toBeUndefined();
  expect(joinParts([part(0, 4), part(2, 5)], { pts_s })).toBeUndefined();
  expect(joinParts([part(0, 3), part(3, 6)], { pts_s })).toBeUndefined();
});

test.skipIf(process.platform !== "linux")("a full disk ends a scan, and is named", async () => {
  const path = await film("full.mp4", X264);
  const { probe } = await inspect(path);
  const file = Object.assign(PictureFile.nameless(join(await tempFolder(), "x")), {
    fd: openSync("/dev/full", "r+"),
  });
  await expect(
    scanPart(path, probe, WHOLE, { file, width: 64, height: 36 }, () => {}),
  ).rejects.toMatchObject({ kind: "disk-full", message: expect.stringContaining("full.mp4") });
});
