import { z } from "zod";
import { strategies } from "../../graphs/define-strategy.ts";
import { Failure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import type { SharedTask, TakenTask } from "../../src/core/shared-runs.ts";
import type { Task } from "../run/remaining-tasks.ts";
import { readStoredSample } from "../run/stored-samples.ts";

const Stored = z.object({ sample: z.unknown(), round: z.int().min(0), shift: z.int().min(0) });

/**
 * Questions of a run as workers get them, each with its sample, so that workers need no data file; and before them the
 * videos of the questions, to be prepared once, each with its first question.
 */
export function toSharedTasks(tasks: readonly Task[], strategy: string): SharedTask[] {
  const needsFile = strategies.get(strategy).withoutVideo === undefined;
  const questions = tasks.map(
    ({ sample, epoch, attempt, round, shift }): SharedTask => ({
      stage: "reason",
      sample: sample.id,
      epoch,
      video: needsFile && sample.hasVideo ? sample.video : "",
      attempt,
      json: JSON.stringify({ sample, round, shift }),
    }),
  );
  const first = Map.groupBy(
    questions.filter(({ video }) => video !== ""),
    ({ video }) => video,
  );
  const videos = [...first].flatMap(([video, [question]]) =>
    question === undefined
      ? []
      : [{ ...question, stage: "index" as const, sample: video, epoch: 0, attempt: 0 }],
  );
  return [...videos, ...questions];
}

/** The question of a task; for a video, the one that it is prepared with. Throws `Failure` `data-malformed`. */
export function fromSharedTask({ run, json, epoch, attempt }: TakenTask): Task {
  const read = Stored.safeParse(jsonOrUndefined(json));
  const sample = read.success ? readStoredSample(read.data.sample) : null;
  if (!read.success || sample === null)
    throw new Failure(
      "data-malformed",
      `Cannot read a question of the run ${run}: it is damaged.`,
      {
        run,
      },
    );
  const { round, shift } = read.data;
  return { sample, epoch, attempt, round, shift };
}
