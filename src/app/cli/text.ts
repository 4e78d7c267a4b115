import type { Command } from "commander";
import { ocrLanguages } from "../../core/settings/ocr-languages.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { renderEvidence } from "./render/evidence.ts";
import { letHeapGrow } from "./small-heap.ts";
import { withJobContext } from "./with-job-context.ts";

interface TextOptions {
  json?: boolean;
  dataDir: string;
  ocrLanguage?: string;
  ocrData?: string;
}

export function configureText(command: Command): void {
  withExamples(
    command
      .argument("<video>", "a video or image file")
      .option(
        "--ocr-language <codes>",
        "languages of the text, such as deu, chi_sim or eng+fra (eng)",
      )
      .option("--ocr-data <folder>", "folder with tesseract data, such as deu.traineddata")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--json", "print one JSON value")
      .action((file: string, options: TextOptions) =>
        run(async (signal) => {
          letHeapGrow();
          const { openVideo } = await import("../../../tools/video/video.ts");
          const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
          try {
            return await withJobContext(options.dataDir, signal, "text", async (job) => {
              const given = await ocrSettings(options);
              // The reader is loaded while other processes look at the file.
              const [video, { readText }, { suggestLanguage }] = await Promise.all([
                openVideo(file, job),
                import("../../../tools/text/read-text.ts"),
                import("../../../tools/text/suggest-language.ts"),
              ]);
              const spec = ocrLanguages(given);
              const items = await readText(video, spec, job);
              const advice =
                given.ocr_language === null ? await suggestLanguage(video, items, spec, job) : null;
              if (options.json) printJson(items);
              else print(items.length === 0 ? "No text found." : renderEvidence(items));
              if (advice !== null) console.error(advice);
              return undefined;
            });
          } finally {
            closeOcr();
          }
        }),
      ),
    "text slides.mp4",
    "text vorlesung.mp4 --ocr-language deu",
    "text photo-of-a-board.jpg --json",
  );
}

/** The settings of these flags. The settings of all strategies, which check them, are loaded only if a flag is given. */
async function ocrSettings({ ocrLanguage, ocrData }: TextOptions) {
  if (ocrLanguage === undefined && ocrData === undefined)
    return { ocr_language: null, ocr_data: null };
  const { readSettings } = await import("../../core/settings.ts");
  await import("../registry.ts");
  return readSettings({ recognition: { ocr_language: ocrLanguage, ocr_data: ocrData } })
    .recognition;
}
