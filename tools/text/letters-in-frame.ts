import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";

/** Raise when the same picture would be judged differently. */
const VERSION = 2;

/** Number of marks of a frame that look like letters; `count` finds it out, once for all callers. */
export async function lettersInFrame(
  frame: FrameRef,
  job: JobContext,
  count: () => Promise<number>,
): Promise<number> {
  const { value } = await job.store.memo.once<number>(
    {
      key: hashOf(["letters in a frame", VERSION, frame.hash]),
      tags: [frame.video],
      run: job.run,
      signal: job.signal,
    },
    count,
  );
  return value;
}
