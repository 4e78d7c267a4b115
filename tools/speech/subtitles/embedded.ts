import { Failure, oneLine } from "../../../src/core/errors.ts";
import { hashOf } from "../../../src/core/hash.ts";
import type { JobContext } from "../../../src/core/job-context.ts";
import { inputArgs, runFfmpeg } from "../../../src/media/run-ffmpeg.ts";

/** Codecs whose packets are the text of a file of that format. All others are converted by ffmpeg. */
const OWN_FORMAT: Record<string, string> = {
  subrip: "srt",
  webvtt: "webvtt",
  ass: "ass",
  ssa: "ass",
};
const LARGEST_OUTPUT = 32 * 1024 * 1024;
/**
 * Time limit in seconds. Subtitles are spread over the file, so all of it is read; a disk reads 100 GB in this time.
 */
const LONGEST_S = 900;

/**
 * Returns one text stream as the text of an srt, vtt or ass file. Its times are those of the container's own clock, which
 * shows `origin_s` of the probe at the start of the video. The result is stored by the video's content, because the whole file must be read.
 */
export async function extractStream(
  video: { hash: string; path: string; probe: { origin_s: number } },
  stream: { index: number; codec: string },
  job: JobContext,
): Promise<string> {
  const format = OWN_FORMAT[stream.codec];
  const codec = format === undefined ? "srt" : "copy";
  const step = {
    key: hashOf({
      step: "subtitle-stream",
      video: video.hash,
      stream: stream.index,
      codec,
      // Only of these files could times before the start be shown wrongly; the text of others is the same.
      ...(video.probe.origin_s > 0 ? { clock: "container" } : {}),
    }),
    tags: [video.hash],
    run: job.run,
    signal: job.signal,
  };
  const { value } = await job.store.memo.once(step, async (signal) => {
    const { stdout, stderr, code } = await runFfmpeg(
      [
        // Without it, times before the start of the video would be negative, and the formats have no such times.
        ...["-copyts", ...inputArgs(video.path)],
        ...["-map", `0:${stream.index}`, "-c:s", codec, "-f", format ?? "srt", "pipe:1"],
      ],
      { signal, timeout_s: LONGEST_S, maxOutput: LARGEST_OUTPUT, anyExit: true },
    );
    // The cues before the damage of a damaged file are still usable.
    if (code !== 0 && stdout.length === 0)
      throw new Failure(
        "damaged",
        `Cannot read subtitle stream ${stream.index} (${stream.codec}) of ${video.path}. ffmpeg reported: ${oneLine(stderr)}`,
        { path: video.path, stream: stream.index },
      );
    return stdout.toString("utf8");
  });
  return value;
}
