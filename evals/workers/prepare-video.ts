import { endsRun, Failure } from "../../src/core/errors.ts";
import type { TakenTask } from "../../src/core/shared-runs.ts";
import { createModels } from "../../src/models/models.ts";
import { runSample, type SampleContext } from "../run/run-sample.ts";
import { fromSharedTask } from "./shared-task.ts";

/**
 * Does for a video what its first question needs before its first call of a chat model: hash, scan, frames, text on screen
 * and speech. All of it is stored, so that questions about the video decode nothing. What fails is left to the questions,
 * which say so. Throws what would fail for every other video too.
 */
export async function prepareVideo(taken: TakenTask, work: SampleContext): Promise<void> {
  const task = fromSharedTask(taken);
  const ready = new AbortController();
  const stop = new Failure("cancelled", "The video is prepared.");
  const events = `prepare ${work.run} ${task.sample.video}`;
  try {
    await runSample(task, {
      ...work,
      events,
      keepsRequests: false,
      signal: AbortSignal.any([work.signal, ready.signal]),
      createModels: (options) => ({
        ...createModels(options),
        call: async () => {
          ready.abort(stop);
          throw stop;
        },
      }),
    });
  } catch (error) {
    work.signal.throwIfAborted();
    if (!ready.signal.aborted && endsRun(error)) throw error;
  } finally {
    await work.store.events.forget(events);
  }
}
