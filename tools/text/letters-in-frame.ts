import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";

/** Raise when the same picture would be judged differently. */
const VERSION = 1;

/** Whether a frame has marks that look like letters; `look` finds it out, once for all callers. */
export async function lettersInFrame(
  frame: FrameRef,
  job: JobContext,
  look: () => Promise<boolean>,
): Promise<boolean> {
  const { value } = await job.store.memo.once<boolean>(
    {
      key: hashOf(["letters in a frame", VERSION, frame.hash]),
      tags: [frame.video],
      run: job.run,
      signal: job.signal,
    },
    look,
  );
  return value;
}
