import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smallLecture } from "../lecture.ts";
import { cpuOf } from "../measured.ts";
import { packagedCommand } from "../measured-command.ts";
import { runTree } from "../process-tree.ts";
import type { Curves } from "./curve.ts";

/** The lecture of ten minutes, cut or repeated. */
const MINUTES = [2.5, 10, 40];

/** An index of a lecture at 480x270 with text on its slides, by its length, without a model. */
export async function measure(): Promise<Curves> {
  const command = await packagedCommand();
  const elapsed: [number, number][] = [];
  const cpu: [number, number][] = [];
  const memory: [number, number][] = [];
  for (const minutes of MINUTES) {
    const film = await smallLecture(minutes);
    const data = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
    try {
      const began = performance.now();
      let peak_mb = 0;
      const cpu_s = await cpuOf(async () => {
        ({ peak_mb } = await runTree([command, "index", film, "--data-dir", data, "--json"]));
      });
      elapsed.push([minutes, (performance.now() - began) / 1000 / minutes]);
      cpu.push([minutes, cpu_s / minutes]);
      memory.push([minutes, peak_mb]);
      console.log(`${minutes} minutes: ${cpu_s.toFixed(1)} s of CPU, ${peak_mb.toFixed(0)} MB`);
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  }
  const x = "minutes of film (480x270, 25 fps)";
  return {
    "length-time": {
      title: "Time of an index per minute of film",
      ...{ x, y: "s per minute of film" },
      series: [
        { name: "elapsed, 2 cores", points: elapsed },
        { name: "CPU", points: cpu },
      ],
    },
    "length-memory": {
      title: "Peak memory of an index",
      ...{ x, y: "MB, with child processes" },
      series: [{ name: "video-rrd index", points: memory }],
    },
  };
}
