import { writeFileSync } from "node:fs";
import { peakMemory } from "./peak-memory.mjs";

/*
 * Preloaded into a command that is measured: writes what the process used to the file `USAGE_FILE` when it ends. Not
 * TypeScript, whose types Node would have to strip first, in the process that is measured.
 */
const file = process.env.USAGE_FILE;
if (file !== undefined) {
  delete process.env.USAGE_FILE;
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const alive_s = performance.now() / 1000;
    const cpu_s = (userCPUTime + systemCPUTime) / 1e6;
    writeFileSync(file, JSON.stringify({ alive_s, cpu_s, peak_mb: peakMemory() }));
  });
}
