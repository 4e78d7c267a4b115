import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { toFailure } from "../../src/core/errors.ts";
import { readTextIfPresent } from "../../src/core/read-text.ts";

/* `event-test.jsonl` in the folder of a run: the event recognition test of its model, one line for each clip. */

const FILE = "event-test.jsonl";

const EventLine = z.object({
  sample: z.string(),
  /** From 1. */
  clip: z.int(),
  /** Clips of one source are not independent. */
  cluster: z.string(),
  /** Null: the reply chooses no step. */
  right: z.boolean().nullable(),
  /** The budget that did not allow the call: the clip is in no figure. */
  stopped_by: z.string().optional(),
});
/** Whether the model recognises the step of one clip. */
export type EventLine = z.infer<typeof EventLine>;

/** The result of the test in a run's folder; null if it was not made. */
export async function readEventTest(folder: string): Promise<EventLine[] | null> {
  const path = join(folder, FILE);
  const text = await readTextIfPresent(path);
  if (text === null) return null;
  try {
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => EventLine.parse(JSON.parse(line)));
  } catch (error) {
    throw toFailure(error, "data-malformed", `reading ${path}`);
  }
}

export async function writeEventTest(folder: string, lines: readonly EventLine[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeAtomically(join(folder, FILE), text);
}
