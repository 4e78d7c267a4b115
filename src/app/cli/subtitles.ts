import type { Command } from "commander";
import { clock } from "../../core/time.ts";
import { withExamples } from "./example.ts";
import { print, printable, printJson, run, say, table } from "./output.ts";
import { withJobContext } from "./with-job-context.ts";

interface Flags {
  file?: string;
  language?: string;
  dataDir: string;
  json?: boolean;
}

export function configureSubtitles(command: Command): void {
  withExamples(
    command
      .argument("<video>", "a video file")
      .option("--file <file>", "subtitle file (default: searched next to the video, then in it)")
      .option("--language <tag>", "language tag, for example en or pt-BR")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--json", "print one JSON value")
      .action((video: string, { file, language, dataDir, json }: Flags) =>
        run(async (signal) => {
          const { openVideo } = await import("../../../tools/video/video.ts");
          const { readSubtitles } = await import("../../../tools/speech/subtitles.ts");
          return withJobContext(dataDir, signal, "subtitles", async (job) => {
            const opened = await openVideo(video, job);
            const found = await readSubtitles(opened, { file, language }, job);
            if (json) {
              printJson(found);
              return undefined;
            }
            for (const { what, why } of found.refused) say(printable(`Skipped ${what}. ${why}`));
            if (found.source === null) print("No subtitles found.");
            else {
              const skipped = found.skipped > 0 ? `, ${found.skipped} skipped` : "";
              say(printable(`${found.cues.length} cues from ${found.source.name}${skipped}`));
              print(
                table(
                  found.cues.map(({ start_s, end_s, text }) => [
                    `${clock(start_s)}-${clock(end_s)}`,
                    printable(text),
                  ]),
                ),
              );
            }
            return undefined;
          });
        }),
      ),
    "subtitles film.mkv --language en",
    "subtitles film.mp4 --file film.srt --json",
  );
}
