import { existsSync } from "node:fs";
import { join } from "node:path";
import { strategies } from "../../graphs/define-strategy.ts";
import { Failure, oneLine } from "../../src/core/errors.ts";
import type { TakenTask } from "../../src/core/shared-runs.ts";
import type { RunLine } from "../run/run-folder.ts";
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
  requireVideo(task.sample, work);
  const line = await runSample(task, work);
  const isInternal = line.error?.kind === "unexpected";
  if (isInternal && taken.tries < most_tries) return null;
  return line;
}

function parkedText(tries: number): string {
  const what = tries === 1 ? "a worker" : `${tries} workers, one after another,`;
  return `Parked: ${what} ended while answering this sample. Check their logs and memory, then continue the run to try it again.`;
}

/** A video that the run has seen and this machine does not have is no error of the sample. */
export function requireVideo(
  { video, hasVideo }: { video: string; hasVideo: boolean },
  { folder, settings }: SampleContext,
): void {
  if (!hasVideo || strategies.get(settings.strategy).withoutVideo !== undefined) return;
  if (existsSync(join(folder, video))) return;
  throw new Failure(
    "store-busy",
    `The video ${oneLine(join(folder, video))} is missing on this machine: mount the folder at the same path.`,
    { video },
  );
}
