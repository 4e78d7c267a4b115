import { readEvalSettings } from "../run/eval-settings.ts";
import { hasStepNames } from "../run/gold-descriptions.ts";
import { prepare } from "../run/prepare-run.ts";
import type { Sweep, SweepCell } from "./sweep-settings.ts";

/**
 * Leaves out the runs that the data do not support: gold descriptions need step names. The remarks name what was left
 * out. Throws as `startRun` for data that cannot be read.
 */
export async function fitSweep(sweep: Sweep): Promise<Sweep> {
  const unsupported: SweepCell[] = [];
  for (const cell of sweep.cells) if (!(await isSupported(cell))) unsupported.push(cell);
  // If nothing would be left, the first run fails with the reason.
  if (unsupported.length === 0 || unsupported.length === sweep.cells.length) return sweep;
  const names = unsupported.map(({ name }) => name).join(", ");
  return {
    ...sweep,
    cells: sweep.cells.filter((cell) => !unsupported.includes(cell)),
    remarks: [
      ...sweep.remarks,
      `${names} is left out: gold descriptions need step names, which this set does not have (nor does released VCRBench).`,
    ],
  };
}

async function isSupported({ input }: SweepCell): Promise<boolean> {
  const asked = readEvalSettings(input);
  if (asked.descriptions === "recognised") return true;
  const { samples } = await prepare({ ...asked, descriptions: "recognised" });
  return samples.some(hasStepNames);
}
