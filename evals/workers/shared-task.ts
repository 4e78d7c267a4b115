import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import type { SharedTask, TakenTask } from "../../src/core/shared-runs.ts";
import type { Task } from "../run/prepare-run.ts";
import { readStoredSample } from "../run/run-folder.ts";

const Stored = z.object({ sample: z.unknown(), round: z.int().min(0), shift: z.int().min(0) });

/** A question of a run as workers get it: with its sample, so that they need no data file. */
export function toSharedTask({ sample, epoch, attempt, round, shift }: Task): SharedTask {
  const json = JSON.stringify({ sample, round, shift });
  return { sample: sample.id, epoch, attempt, json };
}

/** Throws `Failure` `data-malformed`. */
export function fromSharedTask({ run, json, epoch, attempt }: TakenTask): Task {
  const read = Stored.safeParse(JSON.parse(json));
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
