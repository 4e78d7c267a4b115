import { Failure } from "../../src/core/errors.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { type EvalSettings, readEvalSettings } from "../run/eval-settings.ts";
import { prepare } from "../run/prepare-run.ts";
import { hasStepNames } from "../run/step-names.ts";
import type { Need } from "./presets/preset.ts";
import { presetNamed } from "./presets/presets.ts";
import type { Sweep, SweepCell } from "./sweep-settings.ts";

/**
 * Leaves out the runs that the data do not support: gold descriptions need step names, and a preset says what its arms
 * need. The remarks name what was left out. Throws `Failure` `wrong-usage` for data that a whole preset cannot use, and as
 * `startRun` for data that cannot be read.
 */
export async function fitSweep(asked: Sweep): Promise<Sweep> {
  const samplesOf = cachedSamples();
  const sweep = await withoutNeedy(asked, samplesOf);
  const unsupported: SweepCell[] = [];
  for (const cell of sweep.cells)
    if (!(await supportsDescriptions(cell, samplesOf))) unsupported.push(cell);
  // If nothing would be left, the first run fails with the reason.
  if (unsupported.length === 0 || unsupported.length === sweep.cells.length) return sweep;
  return leaveOut(
    sweep,
    unsupported,
    "gold descriptions need step names, which this set does not have (nor does released VCRBench).",
  );
}

type SamplesOf = (cell: SweepCell) => Promise<{ samples: readonly Sample[]; folder: string }>;

/** Reads the samples of a cell; cells with the same data and selection share them. */
function cachedSamples(): SamplesOf {
  const known = new Map<string, ReturnType<SamplesOf>>();
  return ({ input }) => {
    const asked: EvalSettings = { ...readEvalSettings(input), descriptions: "recognised" };
    const { benchmark, data, load, subset, limit, sample_id, sample_shuffle } = asked;
    const key = JSON.stringify([benchmark, data, load, subset, limit, sample_id, sample_shuffle]);
    const found =
      known.get(key) ??
      prepare(asked).then(({ samples, loaded }) => ({ samples, folder: loaded.folder }));
    known.set(key, found);
    return found;
  };
}

async function supportsDescriptions(cell: SweepCell, samplesOf: SamplesOf): Promise<boolean> {
  if (readEvalSettings(cell.input).descriptions === "recognised") return true;
  return (await samplesOf(cell)).samples.some(hasStepNames);
}

/** Without the arms whose needs the data do not meet. */
async function withoutNeedy(sweep: Sweep, samplesOf: SamplesOf): Promise<Sweep> {
  const { name, needs = [] } = presetNamed(sweep.preset ?? "") ?? {};
  let fitted = sweep;
  for (const need of needs) {
    const unmet: SweepCell[] = [];
    let samples = 0;
    for (const cell of fitted.cells) {
      if (need.arms !== undefined && !need.arms.includes(cell.arm ?? "")) continue;
      const found = await samplesOf(cell);
      samples = found.samples.length;
      if (!(await isMet(need, found))) unmet.push(cell);
    }
    if (unmet.length === fitted.cells.length) throw refusal(name ?? "", need, samples);
    if (unmet.length > 0)
      fitted = leaveOut(fitted, unmet, `none of the samples has ${need.what}. ${need.advice}`);
  }
  return fitted;
}

async function isMet(
  need: Need,
  { samples, folder }: Awaited<ReturnType<SamplesOf>>,
): Promise<boolean> {
  for (const sample of samples) if (await need.has(sample, folder)) return true;
  return false;
}

function leaveOut(sweep: Sweep, cells: readonly SweepCell[], why: string): Sweep {
  const [names, verb] = [cells.map(({ name }) => name).join(", "), cells.length > 1 ? "are" : "is"];
  return {
    ...sweep,
    cells: sweep.cells.filter((cell) => !cells.includes(cell)),
    remarks: [...sweep.remarks, `${names} ${verb} left out: ${why}`],
  };
}

function refusal(preset: string, { what, advice }: Need, samples: number): Failure {
  return new Failure(
    "wrong-usage",
    `The preset ${preset} needs ${what}, and none of the ${samples} samples has them. ${advice}`,
    { preset, needs: what },
  );
}
