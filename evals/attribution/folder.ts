import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure, isFailure, toFailure } from "../../src/core/errors.ts";
import { valueAt } from "../../src/core/settings.ts";
import { reportPage } from "../../src/pages/report.ts";
import { merged } from "../run/eval-settings.ts";
import type { ResumeChanges } from "../run/prepare-run.ts";
import { resumeCommand } from "../run/resume-command.ts";
import {
  planSweep,
  resumeSweep,
  type SweepOptions,
  type SweepPlan,
  startSweep,
} from "../sweep/sweep.ts";
import { readSweepFolder } from "../sweep/sweep-folder.ts";
import { readSweep, type Sweep, type SweepInput } from "../sweep/sweep-settings.ts";
import {
  type AttributionOptions,
  type AttributionResult,
  attributeStages,
  prepareAttribution,
} from "./attribution.ts";
import { requireAttribution } from "./check-folder.ts";
import { attributionReport } from "./report.ts";

/*
 * An attribution with all that it rests on: its arms are the runs of a sweep, scored, compared and reported as any runs
 * are; the result is next to them, in `attribution.json` and as a page.
 */

const NAME = "attribution";
/** The arm that has the second model in both roles. */
const BOTH = "other-in-both";

/** As `AttributionOptions`, for an attribution that is kept in a folder. */
export interface AttributionFolderOptions
  extends Omit<AttributionOptions, "other">,
    Pick<SweepOptions, "onProgress"> {}

/**
 * `attributeStages` with each arm stored as a run below `folder`: recognised and gold descriptions, and a second model in
 * either role and in both. What the arms have paid for is not paid again for the tests of recognition.
 * Throws as `attributeStages` and `startSweep`; after a stop `resumeAttribution` continues.
 */
export async function startAttribution(
  input: unknown,
  folder: string,
  { other, ...options }: AttributionFolderOptions & { other?: string } = {},
): Promise<AttributionResult> {
  await prepareAttribution(input, { ...options, other });
  const sweep = readSweep(arms(input, other));
  return concluded(folder, {}, options, () => startSweep(sweep, folder, options));
}

/** The runs of `startAttribution` with their calls and prices; nothing is sent. Throws as that. */
export async function planAttribution(
  input: unknown,
  { other, signal }: { other?: string; signal?: AbortSignal } = {},
): Promise<SweepPlan> {
  await prepareAttribution(input, { other });
  return planSweep(readSweep(arms(input, other)), { signal });
}

/** Continues an attribution that was stopped. Throws what `startAttribution`, `resumeSweep` and `requireAttribution` throw. */
export async function resumeAttribution(
  folder: string,
  changes: ResumeChanges = {},
  options: AttributionFolderOptions = {},
): Promise<AttributionResult> {
  await requireAttribution(folder);
  const { name } = await readSweepFolder(folder);
  if (name !== NAME)
    throw new Failure(
      "wrong-usage",
      `${folder} is the folder of the sweep ${name}, not of an attribution: continue it with \`sweep --resume ${folder}\`.`,
      { folder, name },
    );
  return concluded(folder, changes, options, () => resumeSweep(folder, changes, options));
}

function arms(input: unknown, other: string | undefined): SweepInput {
  const recogniser = { recognition: { model: other } };
  const reasoner = { reasoning: { model: other } };
  return {
    name: NAME,
    base: merged(input, {}) as Record<string, unknown>,
    arms: [
      { name: "recognised", settings: {} },
      { name: "gold", settings: { descriptions: "gold" } },
      ...(other === undefined
        ? []
        : [
            { name: "other-recogniser", settings: recogniser },
            { name: "other-reasoner", settings: reasoner },
            { name: BOTH, settings: { ...recogniser, ...reasoner } },
          ]),
    ],
  };
}

async function concluded(
  folder: string,
  changes: ResumeChanges,
  options: AttributionFolderOptions,
  runArms: () => Promise<{ sweep: Sweep }>,
): Promise<AttributionResult> {
  try {
    const { cells } = (await runArms()).sweep;
    const both = cells.find(({ name }) => name.endsWith(BOTH));
    const other = valueAt(both?.input, "recognition.model");
    const { fail_on_error: _stops, ...given } = changes;
    const found = await attributeStages(merged(cells[0]?.input, given), {
      ...options,
      ...(typeof other === "string" ? { other } : {}),
    });
    await write(join(folder, "attribution.json"), `${JSON.stringify(found, null, 2)}\n`);
    await write(join(folder, "attribution.html"), reportPage(attributionReport(found)));
    return found;
  } catch (error) {
    if (!isFailure(error, "cancelled") && options.signal?.aborted !== true) throw error;
    throw new Failure(
      "cancelled",
      `Interrupted: continue with \`${resumeCommand("attribute", folder)}\`.`,
      { folder, resume: resumeCommand("attribute", folder) },
      { cause: error },
    );
  }
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${path}`);
  }
}
