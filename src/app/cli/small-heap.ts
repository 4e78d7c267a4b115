import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8's space for new objects at its first size of 1 MB. It would grow to 48 MB while modules load, and stay so: a
 * question then takes a third more memory, in the same time. A size given to Node (`--max-semi-space-size`) stays.
 */
export function keepHeapSmall(): void {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ""];
  if (given.some((option) => option.includes("semi-space"))) return;
  setFlagsFromString("--semi-space-growth-factor=1");
}
