import { readEvalSettings } from "../run/eval-settings.ts";
import { hasStepNames } from "../run/gold-descriptions.ts";
import { prepare } from "../run/prepare-run.ts";
import type { Sweep, SweepCell } from "./sweep-settings.ts";

/**
 * The sweep without those runs that its data cannot serve: gold descriptions want step names. What is left out is told
 * among its remarks. Throws as `startRun` for data that cannot be read.
 */
export async function fitSweep(sweep: Sweep): Promise<Sweep> {
  const unserved: SweepCell[] = [];
  for (const cell of sweep.cells) if (!(await isServed(cell))) unserved.push(cell);
  // Where nothing would be left, the first run says why it cannot begin.
  if (unserved.length === 0 || unserved.length === sweep.cells.length) return sweep;
  const names = unserved.map(({ name }) => name).join(", ");
  return {
    ...sweep,
    cells: sweep.cells.filter((cell) => !unserved.includes(cell)),
    remarks: [
      ...sweep.remarks,
      `${names} is left out, since gold descriptions are made of step names, and this set has none (released VCRBench has none).`,
    ],
  };
}

async function isServed({ input }: SweepCell): Promise<boolean> {
  const asked = readEvalSettings(input);
  if (asked.descriptions === "recognised") return true;
  const { samples } = await prepare({ ...asked, descriptions: "recognised" });
  return samples.some(hasStepNames);
}
