import sharp from "sharp";
import { decodeFrames } from "../../src/media/decode.ts";
import { inspect } from "../../src/media/probe.ts";
import { readCode } from "./clips.ts";

/** The numbers that `makeClip` drew into the frames of a video, in order. */
export async function scanCodes(file: string): Promise<number[]> {
  const { probe, table } = await inspect(file);
  if (table === null) throw new Error(`${file} has no pictures`);
  const frames = await decodeFrames(file, probe, table, [...table.pts_s], {
    max_side: null,
    max_area: null,
    quality: 95,
  });
  return Promise.all(
    frames.map(async ({ jpeg, width }) => readCode(await sharp(jpeg).raw().toBuffer(), width, 3)),
  );
}
