import { oneLine } from "../../src/core/errors.ts";
import type { SharedRuns, TakenTask, WorkerSession } from "../../src/core/shared-runs.ts";
import type { SampleContext } from "../run/run-sample.ts";
import { failedLine } from "../run/run-sample.ts";
import { fromSharedTask } from "./shared-task.ts";
import type { TaskOutcome, WorkerOptions } from "./worker-options.ts";

/** Seconds for which a task whose video is missing here is left to other workers. */
const LEFT_S = 5;
const VIDEO_WAIT_S = 600;

/** Tasks whose videos the run has seen and this machine does not have: no errors of the samples, unless no worker has them. */
export function createMissingVideos(
  session: WorkerSession,
  runs: SharedRuns,
  { video_wait_s = VIDEO_WAIT_S, onNote }: Pick<WorkerOptions, "video_wait_s" | "onNote">,
) {
  const noted = new Set<string>();
  return {
    /** Leaves the task to other workers, or ends it if none has had the video for long. */
    async leave(
      task: TakenTask,
      path: string,
      { benchmark }: Pick<SampleContext, "benchmark">,
    ): Promise<{ outcome: TaskOutcome; isStored: boolean }> {
      if (task.missing_s === null || task.missing_s < video_wait_s) {
        if (!noted.has(path))
          onNote(
            `The video ${oneLine(path)} is missing on this machine: its questions are left to other workers. Mount the folder at the same path.`,
          );
        noted.add(path);
        await session.missVideo(task, true);
        await session.release(task, false, LEFT_S);
        return { outcome: "released", isStored: false };
      }
      let isStored = false;
      if (task.stage === "reason") {
        const message = `No worker has had the video ${oneLine(path)} for ${Math.round(task.missing_s)} s. Mount its folder at the same path on a worker, then continue the run to try this sample again.`;
        const error = { kind: "file-unreadable", message } as const;
        const line = failedLine(fromSharedTask(task), error, benchmark);
        isStored = (await runs.results(task.run).append(line)) === "written";
      }
      await session.finish(task);
      return { outcome: "failed", isStored };
    },
  };
}
