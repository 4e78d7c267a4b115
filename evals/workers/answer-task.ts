import { existsSync } from "node:fs";
import { join } from "node:path";
import { strategies } from "../../graphs/define-strategy.ts";
import type { TakenTask } from "../../src/core/shared-runs.ts";
import type { RunLine } from "../run/run-line.ts";
import { failedLine, runSample, type SampleContext } from "../run/run-sample.ts";
import { fromSharedTask } from "./shared-task.ts";

/**
 * Answers a task as a local run does. Null: an internal error, and the task may be tried again. A sample that has used up
 * its starts is parked: its line says so. Throws failures that do not concern the sample, such as a full disk.
 */
export async function answerTask(
  taken: TakenTask,
  most_tries: number,
  work: SampleContext,
): Promise<RunLine | null> {
  const task = fromSharedTask(taken);
  if (taken.tries > most_tries)
    return failedLine(
      task,
      { kind: "worker-lost", message: parkedText(most_tries) },
      work.benchmark,
    );
  const line = await runSample(task, work);
  const isInternal = line.error?.kind === "unexpected";
  if (isInternal && taken.tries < most_tries) return null;
  return line;
}

function parkedText(tries: number): string {
  const what = tries === 1 ? "a worker" : `${tries} workers, one after another,`;
  return `Parked: ${what} ended while answering this sample. Check their logs and memory, then continue the run to try it again.`;
}

/** The path of the video of a task, if the run has seen it and this machine does not have it. */
export function missingVideo(
  taken: TakenTask,
  { folder, settings }: Pick<SampleContext, "folder" | "settings">,
): string | null {
  const { video, hasVideo } = fromSharedTask(taken).sample;
  if (!hasVideo || strategies.get(settings.strategy).withoutVideo !== undefined) return null;
  const path = join(folder, video);
  return existsSync(path) ? null : path;
}
