import { everyFrameArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { BITS, readCode, SQUARE } from "./clips.ts";

const WIDTH = BITS * SQUARE;

/** The numbers that `makeClip` drew into the frames of a video, in order. */
export async function scanCodes(file: string): Promise<number[]> {
  const { stdout } = await runFfmpeg([
    ...["-i", file, "-map", "0:v:0", "-vf", `crop=${WIDTH}:${SQUARE}:0:0,format=gray`],
    ...[...(await everyFrameArgs()), "-f", "rawvideo", "pipe:1"],
  ]);
  const bytes = WIDTH * SQUARE;
  return Array.from({ length: stdout.length / bytes }, (_, frame) =>
    readCode(stdout.subarray(frame * bytes, (frame + 1) * bytes), WIDTH, 1),
  );
}
