import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { renderCards } from "./render/cards.ts";
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
              print(renderCards(found));
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
