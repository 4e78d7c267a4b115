import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { EVIDENCE_STAGES } from "../../graphs/evidence-stages.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, systemCode, toFailure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import type { ReportPart } from "../../src/pages/report-data.ts";
import { readGold } from "../run/gold-file.ts";
import { readMetric } from "../score/metrics.ts";
import { stageReport } from "./stage-report.ts";

/** Result of an attribution by gold, in its folder. */
export const RESULT = "attribution.json";

const Noted = z.object({ what: z.string(), count: z.int(), examples: z.array(z.string()) });
const Stored = z.object({
  benchmark: z.string(),
  strategy: z.string(),
  recogniser: z.string().nullable(),
  reasoner: z.string().nullable(),
  metric: z.string().transform(readMetric),
  extractor: z.string(),
  seed: z.number(),
  relative_to: z.string().nullable(),
  gold: z.array(
    z.object({ stage: z.enum(EVIDENCE_STAGES), from: z.record(z.string(), z.number()) }),
  ),
  without_gold: z.array(z.object({ sample: z.string(), lacks: z.array(z.enum(EVIDENCE_STAGES)) })),
  failed: z.array(z.object({ sample: z.string(), message: z.string() })),
  stopped: z
    .array(z.object({ sample: z.string(), by: z.string(), run: z.string().optional() }))
    .optional(),
  at_limit: z.int().optional(),
  notes: z.array(Noted),
  table: z.object({
    stages: z.array(z.string()),
    samples: z.array(z.string()),
    clusters: z.array(z.string()),
    arms: z.array(z.array(z.number())),
  }),
});

/**
 * The sections of a report on the attributions by gold among some folders; none for other folders, and for one without a
 * result yet. Throws `Failure` `data-malformed`.
 */
export async function attributionParts(folders: readonly string[]): Promise<ReportPart[]> {
  const parts = await Promise.all(folders.map(partsOf));
  return parts.flat();
}

async function partsOf(folder: string): Promise<ReportPart[]> {
  const path = join(folder, RESULT);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return [];
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  // Attributions over step names have a result of another form.
  if ((await readGold(folder)) === null) return [];
  const read = Stored.safeParse(jsonOrUndefined(text));
  if (read.success) return stageReport(read.data).parts;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Cannot read ${path}: \`${issue?.path.join(".")}\` must be ${describeExpected(issue)}. Make it again with \`attribute --resume ${folder}\`.`,
    { path },
  );
}
