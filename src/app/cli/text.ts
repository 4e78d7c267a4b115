import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { renderEvidence } from "./render/evidence.ts";
import { withJobContext } from "./with-job-context.ts";

export function addText(program: Command): void {
  withExamples(
    program
      .command("text")
      .description("read the text and equations on screen with their times")
      .argument("<video>", "a video or image file")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--json", "print one JSON value")
      .action((file: string, options: { json?: boolean; dataDir: string }) =>
        run(async (signal) => {
          const { openVideo } = await import("../../../tools/video/video.ts");
          const { readText } = await import("../../../tools/text/read-text.ts");
          const { closeOcr } = await import("../../../tools/text/ocr.ts");
          try {
            return await withJobContext(options.dataDir, signal, "text", async (job) => {
              const items = await readText(await openVideo(file, job), {}, job);
              if (options.json) printJson(items);
              else print(items.length === 0 ? "No text found." : renderEvidence(items));
              return undefined;
            });
          } finally {
            closeOcr();
          }
        }),
      ),
    "text slides.mp4",
    "text photo-of-a-board.jpg --json",
  );
}
