import { withTextRun } from "../text-run.ts";
import type { Curves } from "./curve.ts";

const SAMPLES = [250, 1000, 4000];
const CONNECTIONS = 64;

/** Memory and CPU time of text questions by the number of samples of a run, with 64 calls in flight. */
export async function measure(): Promise<Curves> {
  const memory: [number, number][] = [];
  const cpu: [number, number][] = [];
  const again: [number, number][] = [];
  for (const samples of SAMPLES) {
    const [fresh, memo] = await withTextRun(samples, async (run) => [
      await run.eval(CONNECTIONS, "store"),
      await run.eval(CONNECTIONS, "store"),
    ]);
    if (fresh === undefined || memo === undefined) continue;
    memory.push([samples, fresh.peak_mb]);
    cpu.push([samples, (fresh.cpu_s * 1000) / samples]);
    again.push([samples, (memo.cpu_s * 1000) / samples]);
    console.log(`${samples} samples: ${fresh.peak_mb.toFixed(0)} MB`);
  }
  return {
    "samples-memory": {
      title: "Peak memory of a run of text questions",
      x: "samples",
      y: "MB",
      series: [{ name: "64 calls in flight", points: memory }],
    },
    "samples-cpu": {
      title: "CPU time of a sample, start included",
      x: "samples",
      y: "ms",
      series: [
        { name: "calls of 200 ms, 64 in flight", points: cpu },
        { name: "from the memo", points: again },
      ],
    },
  };
}
