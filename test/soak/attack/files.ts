import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";

/** The same MP4 with other bytes: a `free` box of 24 random bytes is added. */
export function withOtherBytes(mp4: Uint8Array): Uint8Array<ArrayBuffer> {
  const box = Buffer.alloc(32);
  box.writeUInt32BE(box.length);
  box.write("free", 4, "latin1");
  randomBytes(24).copy(box, 8);
  return new Uint8Array(Buffer.concat([mp4, box]));
}

/** A video of `frames` frames of 4096x2304 with constant noise: a small file whose frames are large as JPEG. */
export async function makeLargeFrames(folder: string, frames: number): Promise<string> {
  const file = join(folder, "large.mp4");
  await runFfmpeg([
    ...["-f", "lavfi", "-i", "color=gray:s=4096x2304:r=10,noise=alls=60:allf=u"],
    ...["-f", "lavfi", "-i", "testsrc2=s=320x180:r=10"],
    ...["-filter_complex", "[0:v][1:v]overlay=0:0:shortest=1[v]", "-map", "[v]"],
    ...["-frames:v", String(frames), "-c:v", "libx264", "-preset", "ultrafast", "-crf", "28"],
    ...["-g", "50", "-pix_fmt", "yuv420p", file],
  ]);
  return file;
}
