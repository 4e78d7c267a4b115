import { join } from "node:path";
import { z } from "zod";
import { EVIDENCE_STAGES } from "../../graphs/evidence-stages.ts";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import { readTextIfPresent } from "../../src/core/read-text.ts";

/*
 * `gold.json` in the folder of an attribution: the gold of its samples, as it was when the attribution started. Its runs
 * read it, so that a sidecar that changes later does not mix two golds.
 */

const GOLD = "gold.json";
const FORMAT = 1;

/** What gold says of a span of the video. Seconds from the start of the container. */
export const GoldItem = z.strictObject({
  start_s: z.number().min(0),
  end_s: z.number().min(0),
  text: z.string().min(1),
  /** Number of a shuffled clip, from 1; of captions only. */
  clip: z.int().positive().optional(),
});
export type GoldItem = z.infer<typeof GoldItem>;

const Items = z.strictObject({
  /** The name of the evidence's source: a sidecar, or a subtitle file. */
  by: z.string(),
  items: z.array(GoldItem),
});

/** The gold of one sample, by stage; a stage without gold is missing. */
export const SampleGold = z.strictObject({
  /** `step names`: those of the data, at the clips between title cards. `oracle`: of the run of the stronger model. */
  captions: z.union([Items, z.enum(["step names", "oracle"])]).optional(),
  text: z.union([Items, z.literal("oracle")]).optional(),
  speech: Items.optional(),
  /** Where the evidence is, as [start, end] seconds. */
  search: z
    .strictObject({ by: z.string(), spans: z.array(z.tuple([z.number(), z.number()])) })
    .optional(),
});
export type SampleGold = z.infer<typeof SampleGold>;

/** The gold of an attribution. */
export const GoldFile = z.object({
  format: z.literal(FORMAT),
  stages: z.array(z.enum(EVIDENCE_STAGES)).min(1),
  /** The stronger model that recognises again; null: none is used. */
  oracle: z.string().nullable(),
  /** Gold by sample id, of the samples that have it for every stage. */
  samples: z.record(z.string(), SampleGold),
  /** Samples that are left out, and the stages for which they have no gold. */
  without_gold: z.array(z.object({ sample: z.string(), lacks: z.array(z.enum(EVIDENCE_STAGES)) })),
  /** What a person should know of the gold. */
  notes: z.array(z.object({ what: z.string(), count: z.int(), examples: z.array(z.string()) })),
});
export type GoldFile = z.infer<typeof GoldFile>;

export async function writeGold(folder: string, gold: Omit<GoldFile, "format">): Promise<void> {
  await writeAtomically(
    join(folder, GOLD),
    `${JSON.stringify({ format: FORMAT, ...gold }, null, 1)}\n`,
  );
}

/** Reads `gold.json` of an attribution; null if the folder has none. Throws `Failure` `data-malformed`, `file-unreadable`. */
export async function readGold(folder: string): Promise<GoldFile | null> {
  const path = join(folder, GOLD);
  const text = await readTextIfPresent(path);
  if (text === null) return null;
  const read = GoldFile.safeParse(jsonOrUndefined(text));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Cannot read ${path}: \`${issue?.path.join(".")}\` must be ${describeExpected(issue)}.`,
    { path },
  );
}
