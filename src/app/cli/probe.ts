import type { Command } from "commander";
import { countOf } from "../../core/count-of.ts";
import { clock } from "../../core/time.ts";
import type { Probe, VideoStream } from "../../media/probe.ts";
import { withExamples } from "./example.ts";
import { print, printable, printJson, run, table } from "./output.ts";
import { withJobContext } from "./with-job-context.ts";

export function configureProbe(command: Command): void {
  withExamples(
    command
      .argument("<video>", "a video file")
      .option(
        "--data-dir <folder>",
        "folder of the store for the result (default: the result is not stored)",
      )
      .option("--json", "print one JSON value")
      .action((file: string, options: { dataDir?: string; json?: boolean }) =>
        run(async (signal) => {
          const found = await probeFile(file, options.dataDir, signal);
          if (options.json) {
            printJson(found);
            return undefined;
          }
          const { video } = found;
          const rows = [
            ["container", `${found.container}, ${found.size} bytes`],
            ["duration", `${found.duration_s.toFixed(3)} s (${clock(found.duration_s)})`],
            [
              "video",
              video === null
                ? "none"
                : `stream ${video.index}: ${video.codec} ${video.width}x${video.height}${video.rotation === 0 ? "" : `, rotated by ${video.rotation}°`}, ${rateOf(video)}${video.frames === null ? "" : `, ${countOf(video.frames, "frame")}`}`,
            ],
            ...found.audio.map((a) => [
              "audio",
              `stream ${a.index}: ${a.codec}, ${a.channels} channels, ${a.sample_rate} Hz${a.language === null ? "" : `, ${a.language}`}`,
            ]),
            ...found.subtitles.map((s) => [
              "subtitles",
              `stream ${s.index}: ${s.codec} (${s.kind})${s.language === null ? "" : `, ${s.language}`}`,
            ]),
            ...found.notes.map((note) => ["note", note]),
          ];
          print(table(rows.map((row) => row.map(printable))));
          return undefined;
        }),
      ),
    "probe lecture.mp4",
    "probe lecture.mp4 --data-dir store",
    "probe lecture.mp4 --json",
  );
}

function rateOf({ fps, variable, frames, start_s, end_s }: VideoStream): string {
  if (fps !== null) return `${fps.toFixed(3)} frames/s`;
  if (!variable || frames === null || end_s <= start_s) return "rate unknown";
  return `variable rate, ${(frames / (end_s - start_s)).toFixed(3)} frames/s on average`;
}

/** Probes a file directly, or with a store as all other commands do. */
async function probeFile(
  file: string,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Probe> {
  if (folder === undefined) {
    const { probe } = await import("../../media/probe.ts");
    return probe(file, { signal });
  }
  const { openVideo } = await import("../../../tools/video/video.ts");
  return withJobContext(folder, signal, "probe", async (job) => (await openVideo(file, job)).probe);
}
