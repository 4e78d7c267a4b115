import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { print, printJson, run, table } from "./output.ts";
import { withJobContext } from "./with-job-context.ts";

export function configureShots(command: Command): void {
  withExamples(
    command
      .argument("<video>", "a video file")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--json", "print one JSON value")
      .action((file: string, options: { json?: boolean; dataDir: string }) =>
        run(async (signal) => {
          const { openVideo } = await import("../../../tools/video/video.ts");
          const { detectShots } = await import("../../../tools/video/shots.ts");
          return withJobContext(options.dataDir, signal, "shots", async (job) => {
            const shots = await detectShots(await openVideo(file, job), job);
            if (options.json) printJson(shots);
            else
              print(
                table([
                  ["shot", "from", "to", "key frame"],
                  ...shots.map(({ index, start_s, end_s, key_s }) => [
                    String(index + 1),
                    `${start_s.toFixed(3)} s`,
                    `${end_s.toFixed(3)} s`,
                    `${key_s.toFixed(3)} s`,
                  ]),
                ]),
              );
            return undefined;
          });
        }),
      ),
    "shots film.mp4",
    "shots film.mp4 --json",
  );
}
