import type { JobContext } from "../../src/core/job-context.ts";
import type { Settings } from "../../src/core/settings.ts";
import { fitWithin } from "../../src/media/decode.ts";
import { videoOf } from "../../src/media/frame-stream.ts";
import { checkFrameTotals } from "../../src/models/frame-limits.ts";
import { chooseFrames, type SampleSpec } from "./samplers.ts";
import { frameTable, type Video } from "./video.ts";

/**
 * Checks, before any frame is decoded, that a question may send the frames of all these samples.
 * Throws `Failure` `media-limit`, and what `frameTable` and `chooseFrames` throw.
 */
export async function checkFrames(
  video: Video,
  specs: readonly SampleSpec[],
  { runtime }: Pick<Settings, "runtime">,
  job: JobContext,
): Promise<void> {
  const table = await frameTable(video, job);
  let frames = 0;
  let pixels = 0;
  let quality = 1;
  for (const spec of specs) {
    const { width, height } = fitWithin(videoOf(video.probe), spec);
    const count = chooseFrames(spec, table).length;
    frames += count;
    pixels += count * width * height;
    quality = Math.max(quality, spec.quality);
  }
  checkFrameTotals({ frames, pixels, quality }, runtime);
}
