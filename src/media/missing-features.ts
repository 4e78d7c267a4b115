import { runFfmpeg } from "./run-ffmpeg.ts";

const NEEDED = {
  filters: ["scale", "pad", "overlay", "fade", "concat", "aresample", "anullsrc"],
  encoders: ["libx264", "aac", "mov_text", "rawvideo", "pcm_s16le", "libmp3lame"],
  decoders: ["h264", "hevc", "vp9", "mpeg4"],
} as const;

/** Required features that the ffmpeg in use lacks, such as `encoder libx264`. Throws as `runFfmpeg`. */
export async function missingFeatures(signal?: AbortSignal): Promise<string[]> {
  const lists = await Promise.all(
    (["filters", "encoders", "decoders"] as const).map(async (list) => {
      const { stdout } = await runFfmpeg([`-${list}`], { timeout_s: 20, signal });
      const lines = stdout.toString().split("\n");
      const names = new Set(lines.map((line) => line.trim().split(/\s+/)[1] ?? ""));
      return NEEDED[list]
        .filter((name) => !names.has(name))
        .map((name) => `${list.slice(0, -1)} ${name}`);
    }),
  );
  return lists.flat();
}
