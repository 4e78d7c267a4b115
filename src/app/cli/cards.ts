import type { Command } from "commander";
import { clock } from "../../core/time.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run, table } from "./output.ts";
import { withJobContext } from "./with-job-context.ts";

export function configureCards(command: Command): void {
  withExamples(
    command
      .argument("<video>", "a video of numbered clips, as in VCRBench")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--json", "print one JSON value")
      .action((file: string, options: { json?: boolean; dataDir: string }) =>
        run(async (signal) => {
          const { openVideo } = await import("../../../tools/video/video.ts");
          const { findTitleCards } = await import("../../../tools/video/title-cards.ts");
          const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
          try {
            return await withJobContext(options.dataDir, signal, "cards", async (job) => {
              const found = await findTitleCards(await openVideo(file, job), job);
              if (options.json) {
                printJson(found);
                return undefined;
              }
              if (found.cards.length === 0)
                print(
                  "No title cards found. A card shows only `Clip N` in light letters, centred on black, for 0.4 s or longer.",
                );
              else
                print(
                  table([
                    ["", "card", "clip"],
                    ...found.cards.map((card) => {
                      const clip = found.clips.find(
                        (item) => item.start_s >= card.end_s - 1e-6 && item.clip === card.number,
                      );
                      return [
                        `Clip ${card.number}`,
                        `${card.start_s.toFixed(3)} - ${card.end_s.toFixed(3)} s`,
                        clip === undefined
                          ? "-"
                          : `${clip.start_s.toFixed(3)} - ${clip.end_s.toFixed(3)} s (${clock(clip.start_s)})`,
                      ];
                    }),
                  ]),
                );
              for (const note of found.notes) print(`note: ${note}`);
              return undefined;
            });
          } finally {
            await closeOcr();
          }
        }),
      ),
    "cards video_12.mp4",
    "cards video_12.mp4 --json",
  );
}
