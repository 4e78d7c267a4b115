import { z } from "zod";
import type { RunHeader, RunSample } from "../core/contracts.ts";
import { Failure, oneLine } from "../core/errors.ts";
import { jsonOrUndefined } from "../core/json-or-undefined.ts";

/* Headers and results of runs, as every run log reads them. */

const Header = z.looseObject({
  run: z.string(),
  format: z.int(),
  status: z.enum(["running", "finished", "stopped", "failed"]),
  created_at: z.string(),
});

/** Reads the text of a header. `where`, such as its path, completes "... is not the header of a run". Throws `Failure` `data-malformed`. */
export function readRunHeader(text: string, where: string): RunHeader {
  const read = Header.safeParse(jsonOrUndefined(text));
  if (read.success) return read.data;
  throw new Failure(
    "data-malformed",
    `${where} is not the header of a run: ${JSON.stringify(oneLine(text, 80))}.`,
    { where },
  );
}

/** Whether a value is a result: it has a `sample` and an `epoch`. Without zod: a run may have many thousands. */
export function isSample(value: unknown): value is RunSample {
  if (typeof value !== "object" || value === null) return false;
  const { sample, epoch } = value as Record<string, unknown>;
  return typeof sample === "string" && Number.isSafeInteger(epoch);
}

/** Checks a result. Throws `Failure` `data-malformed`. */
export function checkSample(sample: RunSample): RunSample {
  if (isSample(sample)) return sample;
  throw new Failure(
    "data-malformed",
    `A result must have a \`sample\` and a whole number \`epoch\`: ${oneLine(JSON.stringify(sample), 80)}.`,
  );
}

/** A line with these members. `error` is always kept: it decides whether the result may be replaced. */
export function onlyMembers(sample: RunSample, members: readonly string[] | undefined): RunSample {
  if (members === undefined) return sample;
  const kept: RunSample = { sample: sample.sample, epoch: sample.epoch };
  for (const name of ["error", ...members]) if (name in sample) kept[name] = sample[name];
  return kept;
}

/** Whether a result has no error, so that no other may replace it. */
export function isGoodLine(sample: RunSample): boolean {
  return sample.error === undefined || sample.error === null;
}
