import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSlowModel } from "../eval-data.ts";
import { smallLecture } from "../lecture.ts";
import { cpuOf } from "../measured.ts";
import { packagedCommand } from "../measured-command.ts";
import { runTree } from "../process-tree.ts";
import type { Curves } from "./curve.ts";

const FRAMES = [1, 8, 32, 128, 512];

/** One question of `direct` about a film of ten minutes by the number of its frames, fresh and with stored frames. */
export async function measure(): Promise<Curves> {
  const command = await packagedCommand();
  const film = await smallLecture(10);
  const model = await startSlowModel(0.2);
  const cpu: Record<"fresh" | "stored", [number, number][]> = { fresh: [], stored: [] };
  const memory: [number, number][] = [];
  try {
    for (const frames of FRAMES) {
      const data = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
      const ask = (question: string) => [
        ...[command, "ask", film, question, "--strategy", "direct", "--json"],
        ...["--model", "openai:slow", "--base-url", model.url],
        ...["--frames", String(frames), "--data-dir", data],
      ];
      try {
        let peak_mb = 0;
        const fresh_s = await cpuOf(async () => {
          ({ peak_mb } = await runTree(ask("What is shown first?")));
        });
        const stored_s = await cpuOf(() => runTree(ask("What is shown last?")));
        cpu.fresh.push([frames, fresh_s]);
        cpu.stored.push([frames, stored_s]);
        memory.push([frames, peak_mb]);
        console.log(`${frames} frames: ${fresh_s.toFixed(1)} and ${stored_s.toFixed(1)} s of CPU`);
      } finally {
        await rm(data, { recursive: true, force: true });
      }
    }
  } finally {
    model.stop();
  }
  const x = "frames (480x270, of a film of 10 minutes)";
  return {
    "frames-cpu": {
      title: "CPU time of one question of direct, with start",
      ...{ x, y: "s" },
      series: [
        { name: "first question", points: cpu.fresh },
        { name: "later question, frames stored", points: cpu.stored },
      ],
    },
    "frames-memory": {
      title: "Peak memory of a first question of direct",
      ...{ x, y: "MB, with child processes" },
      series: [{ name: "video-rrd ask", points: memory }],
    },
  };
}
