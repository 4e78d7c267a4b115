import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure, toFailure } from "../../src/core/errors.ts";
import { readsSetting, valueAt } from "../../src/core/settings.ts";
import { reportPage } from "../../src/pages/report.ts";
import { merged } from "../run/eval-settings.ts";
import { openCap } from "../run/paid-log.ts";
import type { ResumeChanges } from "../run/prepare-run.ts";
import {
  continueSweep,
  planSweep,
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
import { costOf, type LimitedAttribution, limitOfRuns, withOwnResume } from "./attribution-cost.ts";
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
  extends Omit<AttributionOptions, "other" | "cap">,
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
  const limited = { folder, limit: sweep.total_cost_limit, sweep, signal: options.signal };
  return withOwnResume(limited, async () =>
    conclude((await startSweep(sweep, folder, options)).sweep, limited, {}, options),
  );
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
  const sweep = await readSweepFolder(folder);
  const { name } = sweep;
  if (name !== NAME)
    throw new Failure(
      "wrong-usage",
      `${folder} is the folder of the sweep ${name}, not of an attribution: continue it with \`sweep --resume ${folder}\`.`,
      { folder, name },
    );
  const limit = changes.total_cost_limit ?? limitOf(sweep);
  const limited = { folder, limit, sweep, signal: options.signal };
  return withOwnResume(limited, async () => {
    const left = { ...changes, ...(await limitOfRuns(limit, folder, sweep)) };
    return conclude((await continueSweep(folder, left, options)).sweep, limited, changes, options);
  });
}

/** Attributions of earlier versions have the limit in each run. */
function limitOf({ total_cost_limit, cells }: Sweep): number | null {
  const own = valueAt(cells[0]?.input, "total_cost_limit");
  return total_cost_limit ?? (typeof own === "number" ? own : null);
}

function arms(input: unknown, other: string | undefined): SweepInput {
  const { total_cost_limit, ...given } = merged(input, {}) as Record<string, unknown>;
  // Gold descriptions are given clip by clip, so the recognised ones are, too.
  const isRead = readsSetting(String(given.strategy), "recognition.replies");
  const byClip = { recognition: { replies: "by-clip" } };
  const base = isRead ? (merged(given, byClip) as Record<string, unknown>) : given;
  const recogniser = { recognition: { model: other } };
  const reasoner = { reasoning: { model: other } };
  return {
    name: NAME,
    base,
    total_cost_limit: typeof total_cost_limit === "number" ? total_cost_limit : null,
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

async function conclude(
  sweep: Sweep,
  { folder, limit }: LimitedAttribution,
  changes: ResumeChanges,
  options: AttributionFolderOptions,
): Promise<AttributionResult> {
  const { cells } = sweep;
  const both = cells.find(({ name }) => name.endsWith(BOTH));
  const other = valueAt(both?.input, "recognition.model");
  const { fail_on_error: _stops, total_cost_limit: _total, ...given } = changes;
  const { runs } = await costOf(folder, sweep);
  const found = await attributeStages(merged(cells[0]?.input, given), {
    ...options,
    cap: await openCap(folder, limit === null ? null : limit - runs, 0),
    ...(typeof other === "string" ? { other } : {}),
  });
  await write(join(folder, "attribution.json"), `${JSON.stringify(found, null, 2)}\n`);
  await write(join(folder, "attribution.html"), reportPage(attributionReport(found)));
  return found;
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${path}`);
  }
}
