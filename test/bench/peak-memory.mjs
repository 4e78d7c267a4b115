import { readFileSync } from "node:fs";

/**
 * The most memory that this process has had, in MB. Not the system's `maxRSS`, in which the memory of the process that
 * started it counts. Not TypeScript: see `report-usage.mjs`.
 */
export function peakMemory() {
  try {
    const status = readFileSync("/proc/self/status", "latin1");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  } catch {
    // Not on Linux.
    return process.resourceUsage().maxRSS / 1024;
  }
}
