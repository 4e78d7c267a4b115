import { join } from "node:path";
import { everyFrameArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";

export interface ToneFilm {
  /** Name of the file, whose extension is the format. */
  name: string;
  /** Frames from one key frame to the next. Default: 100. */
  group?: number;
  /** Second at which the picture begins. Default: 0. */
  late_s?: number;
  /** Seconds from which and until which it sounds. Default: all 16. */
  from_s?: number;
  to_s?: number;
}

/**
 * Makes a film of 16 seconds and 25 frames a second with a tone of 400 Hz in its first second, 600 in the second, and so
 * on: the tone tells the time.
 */
export async function makeTones(folder: string, film: ToneFilm): Promise<string> {
  const { name, group = 100, late_s = 0, from_s = 0, to_s = 16 } = film;
  const path = join(folder, name);
  const tone = "aevalsrc='0.5*sin(2*PI*t*(400+200*floor(t)))':s=48000:d=16";
  await runFfmpeg([
    ...["-itsoffset", String(late_s), "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=16"],
    ...["-f", "lavfi", "-i", tone, "-af", `atrim=start=${from_s}:end=${to_s}`],
    // A constant rate would fill a late start with frames.
    ...[...groupsOf(group, name), ...(late_s > 0 ? await everyFrameArgs() : [])],
    ...["-c:a", name.endsWith(".mpg") ? "mp2" : "aac", "-b:a", "128k", "-y", path],
  ]);
  return path;
}

/** H.264, or for `.mpg` MPEG-2, with reordered frames and a key frame only every `group` frames. */
export function groupsOf(group: number, name: string): string[] {
  const codec = name.endsWith(".mpg")
    ? ["-c:v", "mpeg2video", "-b:v", "3M", "-sc_threshold", "1000000000"]
    : ["-c:v", "libx264", "-preset", "ultrafast", "-sc_threshold", "0", "-pix_fmt", "yuv420p"];
  return [...codec, "-bf", "2", "-g", String(group), "-keyint_min", String(group)];
}

/** The tone in hertz in a stretch of 0.2 s, by its zero crossings; 0 for silence. */
export function toneAt(samples: Int16Array, at_s: number): number {
  const part = samples.subarray(Math.round(at_s * 16_000), Math.round((at_s + 0.2) * 16_000));
  if (part.every((value) => Math.abs(value) < 500)) return 0;
  const rises = part.filter((value, i) => i > 0 && (part[i - 1] ?? 0) < 0 && value >= 0);
  return Math.round(rises.length / 0.2 / 10) * 10;
}
